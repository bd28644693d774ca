import { providerPlan, type RunningChain, startLocalChain } from '@tradepost/local-chain';
import { expect, it, onTestFinished } from 'vitest';
import { rpcCheck } from '../../scripts/ops/rpc-check.ts';
import { loadOpsConfig } from '../../src/config/index.ts';

async function chain(provider?: string): Promise<RunningChain> {
  const running = await startLocalChain({
    slotMs: 50,
    ...(provider === undefined ? {} : { faults: providerPlan(provider) }),
  });
  onTestFinished(() => running.stop());
  // A history to reach back over.
  running.advanceSlots(500);
  return running;
}

async function check(url: string): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const code = await rpcCheck(
    {
      config: () => loadOpsConfig({}, () => null),
      print: (line) => void lines.push(line),
      note: () => undefined,
      local: false,
      envFile: false,
    },
    url,
    { json: false },
  );
  return { code, text: lines.join('\n') };
}

it('finds everything served by a node of one’s own', async () => {
  const { code, text } = await check((await chain()).rpcUrl);
  expect(text).not.toMatch(/BAD|WARN/);
  for (const part of ['age', 'history', 'version 1', 'lists of programs', 'largest holders', 'web socket'])
    expect(text).toMatch(new RegExp(`^ok    127\\.0\\.0\\.1:\\d+ ${part}: `, 'm'));
  expect(code).toBe(0);
});

it('says what a public node does not serve, what people go without, and the mend', async () => {
  const { code, text } = await check((await chain('public')).rpcUrl);
  expect(text).toMatch(/^WARN {2}\S+ lists of programs: refused: -32010 /m);
  expect(text).toMatch(
    /^WARN {2}\S+ largest holders: refused: -32010 [^\n]+\n\s+why {3}a token card does not say/m,
  );
  expect(text).not.toMatch(/^BAD/m);
  expect(code).toBe(1);
});

it('calls an address without a node not to be used, and refuses a word that is no address', async () => {
  const running = await chain();
  await running.stop();
  const { code, text } = await check(running.rpcUrl);
  expect(text).toMatch(/^BAD {3}\S+ network: it does not answer/m);
  expect(code).toBe(2);
  await expect(check('node.example.org')).rejects.toThrow(/http/);
});

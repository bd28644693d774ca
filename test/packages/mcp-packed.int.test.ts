import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VersionedTransaction } from '@solana/web3.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsText } from '../../scripts/mcp/operations-text.ts';
import { SOL } from '../api/build-api.ts';
import { connectMcp, hasMcpClient } from '../support/mcp-client.ts';
import { type LivingService, startLivingService } from './living-service.ts';
import { block, installed, run } from './packed.ts';

const scratch = mkdtempSync(join(tmpdir(), 'tradepost-mcp-'));
let service: LivingService;
let folder: string;
beforeAll(async () => {
  service = await startLivingService('mcp-packed');
  folder = await installed('mcp', scratch);
});
afterAll(async () => {
  await service.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const packed = (file: string): string => join(folder, 'node_modules', '@tradepost', 'mcp', file);
const env = () => ({
  ...process.env,
  TRADEPOST_URL: service.openUrl,
  MINT: service.rig.token('PUP').mint,
});
const jsonOf = (text: string): Record<string, unknown> =>
  JSON.parse(text.slice(text.indexOf('{'))) as Record<string, unknown>;

it('the tools take what the documents of the hosts say', () => {
  const file = new URL('../../packages/mcp/src/generated/operations.ts', import.meta.url);
  expect(readFileSync(file, 'utf8'), 'run `npm run mcp:tools`').toBe(operationsText());
});

it('the packed server runs the example of its README, and prints what it says', async () => {
  const readme = readFileSync(packed('README.md'), 'utf8');
  writeFileSync(join(folder, 'example.mjs'), block(readme, 'js'));
  expect(await run(process.execPath, ['example.mjs'], folder, env())).toBe(block(readme, 'text'));
});

it.each([
  [['--http'], {}, /^usage: tradepost-mcp/],
  [['--http', '70000'], {}, /^usage: tradepost-mcp/],
  [['help'], {}, /^usage: tradepost-mcp/],
  [[], { TRADEPOST_URL: 'nowhere' }, /^TRADEPOST_URL: expected an address such as/],
])('the packed server refuses %j with %j in one word on what was expected', async (args, more, sentence) => {
  const failure = await run(process.execPath, [packed('dist/cli.js'), ...args], folder, {
    ...env(),
    ...more,
  }).catch((error: unknown) => error);
  const [first = '', ...rest] = String(failure).split('\n');
  expect(first).toContain('ended with 1');
  expect(rest.join('\n')).toMatch(sentence);
});

describe.skipIf(!hasMcpClient)('the official client', () => {
  it('lists tools whose schemas compile, and none of which signs or submits', async () => {
    const client = await connectMcp({ command: process.execPath, args: [packed('dist/cli.js')], env: env() });
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual(
      block(readFileSync(packed('README.md'), 'utf8'), 'text')
        .split('\n')[0]
        ?.split(' '),
    );
    const ajv = new Ajv2020({ strict: false });
    for (const { inputSchema } of tools) expect(ajv.compile(inputSchema)).toBeTypeOf('function');
    await client.close();
  });

  it('quotes, builds unsigned transactions, reads, searches and trades on paper, and nothing is submitted', async () => {
    const client = await connectMcp({ command: process.execPath, args: [packed('dist/cli.js')], env: env() });
    const { mint } = service.rig.token('PUP');
    const answer = async (name: string, given: object): Promise<Record<string, unknown>> => {
      const { isError, text } = await client.call(name, given);
      expect(isError, text).toBe(false);
      return jsonOf(text);
    };
    const swap = { fromTokenAddress: SOL, toTokenAddress: mint, amount: '10000000' };
    expect(Number((await answer('quote', swap))['toTokenAmount'])).toBeGreaterThan(0);
    const built = [
      await answer('build_swap', { ...swap, userWalletAddress: service.rig.wallet }),
      await answer('build_token', { payer: service.rig.wallet, symbol: 'AGT', program: 'token2022' }),
    ];
    for (const { txBase64 } of built) {
      const { signatures, message } = VersionedTransaction.deserialize(
        Buffer.from(String(txBase64), 'base64'),
      );
      expect(message.staticAccountKeys[0]?.toBase58()).toBe(service.rig.wallet);
      // The new mint of a token signs its own creation; the wallet's signature is missing.
      expect(Buffer.from(signatures[0] ?? []).every((byte) => byte === 0)).toBe(true);
    }
    const { text: found } = await client.call('search_docs', { query: 'idempotency key' });
    expect(found).toContain('"path": "/docs/idempotency.md"');
    await answer('paper_buy', { mint, lamports: '1000000000' });
    const { account } = (await answer('paper_sell', { mint })) as { account: Record<string, unknown> };
    // Two trades through a pool cost something, and everything was sold.
    expect(Number(account['realizedLamports'])).toBeLessThan(0);
    expect(account['tokens']).toEqual([]);
    expect(await client.call('quote', { ...swap, amount: '-1' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('AMOUNT_INVALID'),
    });
    expect(service.api.submissions.history.size).toBe(0);
    await client.close();
  });

  it('speaks over HTTP on this machine', async () => {
    const { url, stop } = await startHttp();
    const client = await connectMcp(url);
    expect(await client.tools()).not.toEqual([]);
    expect((await client.call('paper_account', {})).text).toContain('10000000000');
    await client.close();
    await stop();
  });
});

/** The packed server with `--http`, on a port that the system chooses. */
function startHttp(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [packed('dist/cli.js'), '--http', '0'], {
    cwd: folder,
    env: env(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('close', () => reject(new Error(said)));
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      const [, url] = /^tradepost-mcp: (\S+)\n/.exec(said) ?? [];
      if (url === undefined) return;
      resolve({
        url,
        stop: async () => {
          child.kill('SIGTERM');
          await ended;
        },
      });
    });
  });
}

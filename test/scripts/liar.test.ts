import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLiar } from '../../scripts/torture/liar.ts';
import { seededRandom } from '../support/simulator/random.ts';

/** An honest node that knows no transaction. */
const node = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    const result = body.includes('getEpochInfo')
      ? { blockHeight: 400, absoluteSlot: 500 }
      : { context: { slot: 500 }, value: [null] };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
});
beforeAll(() => new Promise<void>((resolve) => void node.listen(0, '127.0.0.1', resolve)));
afterAll(() => void node.close());

async function lyingNode(heightChance: number) {
  const liedAbout: string[] = [];
  const { port } = node.address() as AddressInfo;
  const liar = await startLiar({
    rpcUrl: `http://127.0.0.1:${port}`,
    random: seededRandom(1),
    chance: 0,
    heightChance,
    onLie: (signature) => liedAbout.push(signature),
  });
  liar.setLying(true);
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const answer = await fetch(liar.url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await answer.json()) as { result: unknown }).result;
  };
  const search = (signature: string) =>
    ask('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]);
  return { liedAbout, ask, search, stop: () => liar.stop() };
}

it('a node that told a height too high lies about what it does not find in the whole history', async () => {
  const { liedAbout, ask, search, stop } = await lyingNode(1);
  await search('before');
  expect(await ask('getEpochInfo', [{ commitment: 'finalized' }])).toMatchObject({ blockHeight: 700 });
  // A look among the newest proves no end.
  await ask('getSignatureStatuses', [['newest']]);
  expect(await search('proved dead')).toEqual({ context: { slot: 500 }, value: [null] });
  expect(liedAbout).toEqual(['proved dead']);
  await stop();
});

it('a node with right heights lies about none that it does not know', async () => {
  const { liedAbout, ask, search, stop } = await lyingNode(0);
  expect(await ask('getEpochInfo', [{ commitment: 'finalized' }])).toMatchObject({ blockHeight: 400 });
  await search('unknown');
  expect(liedAbout).toEqual([]);
  await stop();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRecorder, startReplayer } from '@tradepost/local-chain';
import type { Address } from '@tradepost/solana';
import { expect, it, onTestFinished } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { findPools } from '../../../src/modules/market/use/load-pools.ts';
import { genesisOf, nodesOf, sameNetwork } from '../../../src/platform/chain/nodes.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import { createVenues } from '../../../src/platform/venues/index.ts';
import { manualDesk } from '../../support/manual-chain.ts';

const SOL = address('So11111111111111111111111111111111111111112');
const AMOUNTS = [1n, 777_777_777n, 50_000_000_000n];

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'record-and-replay-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return join(dir, 'recording.gz');
}

/** The desk's list of pools, which is no part of the node, after the chain has gone. */
async function deskList(deskUrl: string): Promise<string> {
  const list = await (await fetch(`${deskUrl}/pools`)).text();
  const server = createServer((_, response) => response.end(list));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** All that the product reads at a node for quotes of a pair, to the unit. */
async function quotes(rpcUrl: string, deskUrl: string, mint: Address) {
  const chain = createRpcChain({ urls: [rpcUrl] });
  const venues = createVenues({ chain, programs: createPrograms(), deskUrl });
  const { pools } = await findPools(venues, SOL, mint);
  return {
    genesis: await chain.genesisHash(),
    token: await chain.token(mint),
    quoted: pools.map((pool) => [
      pool.id,
      pool.venue,
      pool.slot,
      AMOUNTS.flatMap((amount) => [pool.quote(SOL, amount), pool.quote(mint, amount)]),
    ]),
  };
}

it('quotes a pair from a recording, with the chain gone, to the unit', async () => {
  const running = await manualDesk();
  const mint = address(running.world.tokens.find(({ symbol }) => symbol === 'PUP')?.mint ?? '');
  const deskUrl = await deskList(running.deskUrl);
  const out = scratch();
  const recorder = await startRecorder({ to: running.rpcUrl, out, wsPort: null });
  const live = await quotes(recorder.rpcUrl, deskUrl, mint);
  expect(live.quoted.length).toBeGreaterThan(0);
  expect(
    live.quoted.flat(3).filter((amount) => typeof amount === 'bigint' && amount > 0n).length,
  ).toBeGreaterThan(4);
  await recorder.stop();
  await running.stop();
  await expect(quotes(running.rpcUrl, deskUrl, mint)).rejects.toThrow();

  const replayer = await startReplayer({ file: out, wsPort: null });
  onTestFinished(() => replayer.stop());
  expect(await quotes(replayer.rpcUrl, deskUrl, mint)).toEqual(live);
  // Asked for an answer that the recording lacks, the product says so and invents nothing.
  const other = address(running.world.tokens.find(({ symbol }) => symbol === 'KOI')?.mint ?? '');
  await expect(createRpcChain({ urls: [replayer.rpcUrl] }).token(other)).rejects.toMatchObject({
    code: 'CHAIN_UNREACHABLE',
    details: { cause: expect.stringContaining('The recording does not hold getMultipleAccounts') as string },
  });
});

it('is of the recorded network for the product, which refuses it beside a chain of another', async () => {
  const [running, other] = [await manualDesk({ seed: 'one' }), await manualDesk({ seed: 'two' })];
  const out = scratch();
  const recorder = await startRecorder({ to: running.rpcUrl, out, wsPort: null });
  await recorder.stop();
  const replayer = await startReplayer({ file: out, wsPort: null });
  onTestFinished(() => replayer.stop());
  expect(await genesisOf([replayer.rpcUrl])).toBe(running.genesisHash);
  const isSame = sameNetwork(() => 0);
  const [first, second] = nodesOf([other.rpcUrl, replayer.rpcUrl]);
  if (first === undefined || second === undefined) throw new Error('two nodes were named');
  await isSame(first);
  await expect(isSame(second)).rejects.toThrow('is of another network');
});

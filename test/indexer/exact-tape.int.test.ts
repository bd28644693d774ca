import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/core/address/address.ts';
import { type RunningChain, startLocalChain } from '../../src/local/chain/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { dice, startDeskTraders } from './support/desk-traders.ts';
import { type Lie, startLyingNode } from './support/lying-node.ts';
import { expectExact, heldBy, openTapeRig, type TapeRig, vaultsOf } from './support/tape-rig.ts';

let local: RunningChain;
let people: Awaited<ReturnType<typeof startDeskTraders>>;
/** What every vault held before anybody traded. */
let before: ReadonlyMap<Address, bigint>;

beforeAll(async () => {
  local = await startLocalChain({ slotMs: 25, seed: 'exact-tape' });
  people = await startDeskTraders(local, 20);
  before = await heldBy(people.chain, vaultsOf(local));
});
afterAll(() => local.stop());

const rigOver = async (options: Partial<Parameters<typeof openTapeRig>[0]>): Promise<TapeRig> =>
  openTapeRig({
    databaseUrl: await createTestDatabase(),
    chain: people.chain,
    desk: people.desk,
    genesisHash: local.genesisHash,
    source: 'blocks',
    urls: [local.rpcUrl],
    wsUrls: [local.wsUrl],
    ...options,
  });

describe('the tape', () => {
  it('equals the change of both vaults of every market after 500 random swaps, in the chain’s order', async () => {
    const rig = await rigOver({});
    await rig.indexer.start();
    const signatures = await people.trade(500, dice(7));
    await rig.sealedTo(BigInt(local.chain.slots.tip()));

    const markets = await rig.markets.all();
    expect(markets.map(({ address }) => address).toSorted()).toEqual(
      local.world.pools.map(({ id }) => id).toSorted(),
    );
    const after = await heldBy(people.chain, vaultsOf(local));
    const seen: string[] = [];
    for (const market of markets)
      seen.push(
        ...(await expectExact(rig, market, local, { before, after })).map(({ signature }) => signature),
      );
    expect(seen.toSorted()).toEqual([...signatures].toSorted());
    await rig.close();
  }, 300_000);

  it.each([
    ['blocks', 'lags'],
    ['blocks', 'forks'],
    ['addresses', 'omits'],
    ['addresses', 'reorders'],
    ['addresses', 'repeats'],
    ['addresses', 'lags'],
  ] as const satisfies readonly (readonly ['blocks' | 'addresses', Lie])[])(
    'is exact over %s of a node that %s, or says that something is missing',
    async (source, lie) => {
      const node = await startLyingNode(local.rpcUrl);
      const rig = await rigOver({ source, urls: [node.url], wsUrls: [] });
      await rig.indexer.start();
      node.tell(lie);
      await people.trade(60, dice(11));
      node.tell(lie === 'lags' ? null : lie);
      await rig.sealedTo(BigInt(local.chain.slots.tip()));
      const after = await heldBy(people.chain, vaultsOf(local));
      expect(node.lies()).toBeGreaterThan(0);
      for (const market of await rig.markets.all()) {
        expect(market.gapSince).toBeNull();
        await expectExact(rig, market, local, { before, after });
      }
      await rig.close();
      await node.stop();
    },
    120_000,
  );
});

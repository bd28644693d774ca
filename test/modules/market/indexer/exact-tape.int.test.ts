import { setTimeout as pause } from 'node:timers/promises';
import { type Address, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskChain, startDeskChain } from '../../../../src/local/desk/index.ts';
import { verifyMarket } from '../../../../src/modules/market/use/verify-market.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { dice, startDeskTraders } from './support/desk-traders.ts';
import { expectExact } from './support/expect-exact.ts';
import { type Lie, startLyingNode } from './support/lying-node.ts';
import { heldBy, openTapeRig, type TapeRig, vaultsOf } from './support/tape-rig.ts';

let local: DeskChain;
let people: Awaited<ReturnType<typeof startDeskTraders>>;
/** What every vault held before anybody traded. */
let before: ReadonlyMap<Address, bigint>;
/** Units that vaults got without a trade. A count from `before` on takes them off. */
const given = new Map<Address, bigint>();

beforeAll(async () => {
  local = await startDeskChain({ slotMs: 25, seed: 'exact-tape' });
  // Two of five are of version 1, as on mainnet in autumn.
  people = await startDeskTraders(local, 20, (n) => n % 5 < 2);
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
    const ofVersion1 = signatures.filter((one) => local.chain.ledger.get(one)?.bytes[0] === 0x81);
    expect(ofVersion1.length).toBeGreaterThan(150);

    // What `ops market verify` prints: the tape against the chain, and a tape that lost its newest trade.
    for (const market of markets) {
      const reader = { source: rig.source, chain: people.chain, tape: rig.tape };
      const report = await verifyMarket(reader, market, null);
      expect(report).toMatchObject({ isExact: true, hole: null, faults: 0 });
      expect(report?.trades).toBe((await rig.tradesOf(market)).length);
      const robbed = {
        ...rig.tape,
        trades: async (...asked: Parameters<typeof rig.tape.trades>) =>
          (await rig.tape.trades(...asked)).slice(1),
      };
      expect(await verifyMarket({ ...reader, tape: robbed }, market, null)).toMatchObject({
        isExact: false,
        missing: [{ id: expect.any(BigInt) }],
      });
      // A bar that says one unit too much, of each length: the first of them is named.
      for (const wrong of [1, 1_440] as const) {
        const bent = {
          ...rig.tape,
          candles: async (...[id, minutes, range]: Parameters<typeof rig.tape.candles>) => {
            const [first, ...others] = await rig.tape.candles(id, minutes, range);
            if (minutes !== wrong || first === undefined) return [first ?? [], others].flat();
            return [{ ...first, base: first.base + 1n }, ...others];
          },
        };
        expect(await verifyMarket({ ...reader, tape: bent }, market, null)).toMatchObject({
          isExact: false,
          missing: [],
          wrongBar: { minutes: wrong },
        });
      }
    }
    await rig.close();
  }, 900_000);

  it.each([
    ['blocks', 'lags'],
    ['blocks', 'forks'],
    ['blocks', 'repeats'],
    ['addresses', 'omits'],
    ['addresses', 'reorders'],
    ['addresses', 'repeats'],
    ['addresses', 'lags'],
    ['addresses', 'forks'],
  ] as const satisfies readonly (readonly ['blocks' | 'addresses', Lie])[])(
    'is exact over %s of a node that %s, and drops every notice',
    async (source, lie) => {
      const { rig, node, held } = await liedTo(source, lie, async () => undefined);
      for (const market of await rig.markets.all()) {
        expect(market.gapSince).toBeNull();
        await expectExact(rig, market, local, held);
      }
      await rig.close();
      await node.stop();
    },
    900_000,
  );

  it('is exact where vaults are given tokens by transactions that name no pool', async () => {
    const pool = local.world.pools.find(
      ({ mintB, programA }) => mintB === WSOL_MINT && programA === TOKEN_PROGRAM,
    );
    if (pool === undefined) throw new Error('no pool is sold for SOL');
    const { rig, node, held } = await liedTo('addresses', 'repeats', async () => {
      const [giver] = people.traders;
      if (giver === undefined) throw new Error('nobody is there');
      await people.swap(giver, { id: pool.id, mints: [pool.mintA, pool.mintB] }, pool.mintB, 10n);
      await people.give(giver, pool.mintA, pool.vaultA, 12_345n);
      given.set(pool.vaultA, 12_345n);
    });
    for (const market of await rig.markets.all()) {
      expect(market.gapSince).toBeNull();
      await expectExact(rig, market, local, { before: held.before, after: withoutGifts(held.after) });
    }
    await rig.close();
    await node.stop();
  });

  it.each([
    ['hides it everywhere', 'addresses', 'omits-everywhere'],
    ['serves versions that nothing reads', 'addresses', 'versions'],
    ['serves versions that nothing reads', 'blocks', 'versions'],
  ] as const)(
    'says which markets lack something where a node %s, and is exact elsewhere, over %s',
    async (_, source, lie) => {
      const { rig, node, held } = await liedTo(source, lie, async () => undefined);
      const markets = await rig.markets.all();
      const short = markets.filter(({ gapSince }) => gapSince !== null);
      expect(short.length).toBeGreaterThan(0);
      for (const market of markets) {
        if (market.gapSince === null) await expectExact(rig, market, local, held);
        else expect((await rig.tape.cursor(market.id))?.sealedSlot).toBeLessThan(market.gapSince);
      }
      // Its node tells everything again: nothing is lost.
      node.tell(null);
      await rig.sealedTo(BigInt(local.chain.slots.tip()), 'gaps too');
      for (const market of await rig.markets.all()) {
        expect(market.gapSince).toBeNull();
        await expectExact(rig, market, local, held);
      }
      await rig.close();
      await node.stop();
    },
    900_000,
  );
});

/** Sixty swaps, and what else happens, while the indexer reads through a node that lies. */
async function liedTo(source: 'blocks' | 'addresses', lie: Lie, also: () => Promise<void>) {
  const node = await startLyingNode(local.rpcUrl);
  // What was traded before is final: the tape begins after it.
  for (const tip = local.chain.slots.tip(); local.chain.slots.at('finalized') < tip; ) await pause(20);
  const rig = await rigOver({
    source,
    urls: [node.url],
    wsUrls: [],
    from: source === 'blocks' ? 'start' : 'now',
  });
  await rig.indexer.start();
  const isFollowing = async (): Promise<boolean> =>
    (await rig.tape.cursors()).length === local.world.pools.length;
  while (!(await isFollowing())) await pause(20);
  // The signatures of an address may be asked for from here on only: what was before is not this tape's.
  const start = source === 'blocks' ? before : await heldBy(people.chain, vaultsOf(local));
  // Before its first proved trade nothing is known of a market's vaults, so nothing hidden can be missed.
  if (source === 'blocks' && lie === 'versions') {
    await people.trade(60, dice(5));
    await rig.sealedTo(BigInt(local.chain.slots.tip()));
  }
  node.tell(lie);
  await people.trade(60, dice(11));
  for (const roll = dice(13); node.lies() === 0; ) await people.trade(2, roll);
  await also();
  // Over these nothing is sealed: what they answer is refused.
  if (lie === 'lags' || (source === 'blocks' && lie === 'repeats')) node.tell(null);
  await rig.sealedTo(BigInt(local.chain.slots.tip()));
  const after = await heldBy(people.chain, vaultsOf(local));
  return { rig, node, held: { before: start, after: source === 'blocks' ? withoutGifts(after) : after } };
}

const withoutGifts = (held: ReadonlyMap<Address, bigint>): ReadonlyMap<Address, bigint> =>
  new Map([...held].map(([vault, units]) => [vault, units - (given.get(vault) ?? 0n)]));

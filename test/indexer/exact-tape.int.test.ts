import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openTransactionSource,
  type SourceName,
} from '../../src/adapters/chain/transaction-source/open-source.ts';
import { openTape, type Tape } from '../../src/adapters/tape/open-tape.ts';
import type { Address } from '../../src/core/address/address.ts';
import type { Market } from '../../src/core/market/market.ts';
import type { RecordedTrade } from '../../src/core/market/trade.ts';
import { tradePlace } from '../../src/core/market/trade-id.ts';
import type { TransactionSource } from '../../src/core/ports/transaction-source.ts';
import { unitsHeld } from '../../src/core/tokens/token-account.ts';
import { wellKnownTokens } from '../../src/core/tokens/well-known.ts';
import { createIndexer } from '../../src/indexer/create-indexer.ts';
import type { IndexerDeps } from '../../src/indexer/lane.ts';
import { type RunningChain, startLocalChain } from '../../src/local/chain/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { dice, startDeskTraders } from './support/desk-traders.ts';

const SLOT_MS = 25;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

let local: RunningChain;
let people: Awaited<ReturnType<typeof startDeskTraders>>;
let tape: Tape;
/** What every vault held before anybody traded. */
const before = new Map<Address, bigint>();

const heldBy = async (vaults: readonly Address[]): Promise<ReadonlyMap<Address, bigint>> => {
  const { accounts } = await people.chain.accounts(vaults);
  return new Map(vaults.map((vault, index) => [vault, unitsHeld(accounts[index] ?? null)]));
};

beforeAll(async () => {
  local = await startLocalChain({ slotMs: SLOT_MS, seed: 'exact-tape' });
  people = await startDeskTraders(local, 20);
  const vaults = local.world.pools.flatMap(({ vaultA, vaultB }) => [vaultA, vaultB]);
  for (const [vault, units] of await heldBy(vaults)) before.set(vault, units);
  tape = await openTape({ url: await createTestDatabase() });
});
afterAll(async () => {
  await tape.tape.close();
  await local.stop();
});

const indexerOver = (source: TransactionSource, overrides: Partial<IndexerDeps> = {}) =>
  createIndexer(
    {
      source,
      ...tape,
      chain: people.chain,
      venues: [people.desk],
      catalogue: { duePools: async () => [] },
      leases: { beat: async ({ owner }) => [owner], leave: async () => undefined },
      owner: 'one',
      fromStart: true,
      clock: { now: Date.now },
      log: silent,
      wellKnown: wellKnownTokens(false, null),
      quoteMints: [],
      limit: 512,
      ...overrides,
    },
    local.genesisHash,
  );

const sourceOf = (name: SourceName): TransactionSource =>
  openTransactionSource(
    { source: name, rpcPerSecond: null, isLocal: true },
    { urls: [local.rpcUrl], wsUrls: [local.wsUrl] },
  );

const tradesOf = (market: Market): Promise<readonly RecordedTrade[]> =>
  tape.tape.trades(market.id, { limit: 10_000 });

/** Waits until everything that landed by now is sealed. */
const sealedTo = async (slot: bigint): Promise<void> => {
  for (;;) {
    const cursors = await tape.tape.cursors();
    if (cursors.length > 0 && cursors.every(({ sealedSlot }) => sealedSlot >= slot)) return;
    await pause(50);
  }
};

describe('the tape', () => {
  it('equals the change of both vaults of every market after 500 random swaps, in the chain’s order', async () => {
    const indexer = indexerOver(sourceOf('blocks'));
    await indexer.start();
    const signatures = await people.trade(500, dice(7));
    const slot = BigInt(local.chain.slots.tip());
    await sealedTo(slot);
    await indexer.stop();

    const markets = await tape.markets.all();
    expect(markets.map(({ address }) => address).toSorted()).toEqual(
      local.world.pools.map(({ id }) => id).toSorted(),
    );
    const now = await heldBy(markets.flatMap(({ baseVault, quoteVault }) => [baseVault, quoteVault]));
    const seen: string[] = [];
    for (const market of markets) {
      const trades = (await tradesOf(market)).toReversed();
      const sum = (amount: (trade: RecordedTrade) => bigint): bigint =>
        trades.reduce((total, trade) => total + amount(trade), 0n);
      const change = (vault: Address): bigint => (now.get(vault) ?? 0n) - (before.get(vault) ?? 0n);
      expect(sum(({ side, base }) => (side === 'buy' ? -base : base))).toBe(change(market.baseVault));
      expect(sum(({ side, quote }) => (side === 'buy' ? quote : -quote))).toBe(change(market.quoteVault));
      expect(trades.every(({ sealed }) => sealed)).toBe(true);
      for (const { id, signature } of trades) {
        const landed = local.chain.ledger.get(signature);
        const place = tradePlace(id);
        expect(place.slot).toBe(BigInt(landed?.slot ?? -1));
        expect(local.chain.ledger.ofSlot(landed?.slot ?? -1)[place.index]?.signature).toBe(signature);
      }
      expect(trades.map(({ id }) => id)).toEqual(
        trades.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1)),
      );
      seen.push(...trades.map(({ signature }) => signature));
    }
    expect(seen.toSorted()).toEqual([...signatures].toSorted());
  }, 300_000);
});

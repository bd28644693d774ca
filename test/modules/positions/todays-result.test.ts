import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { dayStart } from '../../../src/modules/positions/rules/day.ts';
import type { PositionEvent } from '../../../src/modules/positions/rules/position.ts';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { listPositions } from '../../../src/modules/positions/use/list-positions.ts';
import { snapshotDay } from '../../../src/modules/positions/use/snapshot-day.ts';
import { newAddress, secretRow, storedPerson, walletRow } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';

const MIDNIGHT = dayStart(Date.UTC(2026, 4, 5));
const HOUR_MS = 3_600_000;
const SOL = 1_000_000_000n;

type Fact = PositionEvent extends infer Event
  ? Event extends PositionEvent
    ? Omit<Event, 'walletId' | 'mint' | 'signature' | 'slot' | 'at' | 'final'>
    : never
  : never;

/** A wallet that bought 100 units for 10 SOL the day before, which were worth 50 SOL at midnight. */
async function world() {
  const db = fakeDatabase();
  const clock = fakeClock(MIDNIGHT - HOUR_MS);
  const { user, wallet } = await storedPerson(db);
  const side = walletRow({ userId: user.id });
  await db.wallets.insert(PASSED, side, secretRow(side));
  const mint = newAddress();
  const prices = new Map<Address, bigint>([[mint, SOL / 2n]]);
  const deps = {
    db,
    clock,
    chain: {
      token: async () => null,
      holdings: async () => [],
      accounts: async () => ({ slot: 1n, accounts: [] }),
    },
    solPrice: async () => 150_000_000n,
    saleNow: async (sale: { readonly mint: Address; readonly units: bigint }) => {
      const price = prices.get(sale.mint);
      return price === undefined ? null : { netLamports: price * sale.units, midLamports: null };
    },
  };
  let slot = 0n;
  async function happens(fact: Fact, of: { mint?: Address; walletId?: string } = {}): Promise<void> {
    if (!fact.kind.startsWith('own-in')) slot += 1n;
    const place = {
      walletId: of.walletId ?? wallet.id,
      mint: of.mint ?? mint,
      signature: `sig${slot}`,
      slot,
    };
    const free = { intentId: null, networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
    const event: RecordedEvent = { ...place, at: clock.now(), final: true, ...free, ...fact };
    await db.positions.record([event]);
  }
  await happens({ kind: 'buy', units: 100n, flowLamports: -10n * SOL });
  const midnight = async (): Promise<void> => {
    clock.set(MIDNIGHT + 60_000);
    await snapshotDay(deps, { after: null });
    clock.set(MIDNIGHT + 10 * HOUR_MS);
  };
  const today = async (of = wallet) =>
    (await listPositions(deps, { userId: user.id, wallet: of, tier: 'normal' })).today;
  return { db, wallet, side, mint, prices, happens, midnight, today };
}

async function morning() {
  const made = await world();
  await made.midnight();
  return made;
}

describe('the result of today', () => {
  it('is what sales brought and the value grew by, beyond what was put in', async () => {
    const { happens, prices, mint, today } = await morning();
    expect(await today()).toBe(0n);
    await happens({ kind: 'sell', units: 50n, flowLamports: 40n * SOL });
    await happens({ kind: 'buy', units: 50n, flowLamports: -30n * SOL });
    prices.set(mint, (SOL * 6n) / 10n);
    // 50 at midnight, 60 now: sold for 40, bought for 30 since.
    expect(await today()).toBe(20n * SOL);
  });

  it('loses nothing by what is sent away, whatever it had cost', async () => {
    const { happens, today } = await morning();
    await happens({ kind: 'withdrawn', units: 40n });
    expect(await today()).toBe(0n);
    await happens({ kind: 'withdrawn', units: 60n });
    expect(await today()).toBe(0n);
  });

  it('stays what it is in both wallets when tokens move between them', async () => {
    const { happens, wallet, side, prices, mint, today } = await morning();
    await happens({ kind: 'own-out', units: 40n });
    await happens({ kind: 'own-in', units: 40n }, { walletId: side.id });
    expect([await today(wallet), await today(side)]).toEqual([0n, 0n]);
    prices.set(mint, SOL);
    expect([await today(wallet), await today(side)]).toEqual([30n * SOL, 20n * SOL]);
  });

  it('gains nothing by what comes for nothing, and loses nothing by a difference', async () => {
    const free: readonly Fact[] = [
      { kind: 'received', units: 10n, valueLamports: 5n * SOL, revision: 0 },
      { kind: 'received', units: 10n, valueLamports: 0n, revision: 0 },
      { kind: 'remainder', units: 10n },
      { kind: 'airdrop', units: 10n },
      { kind: 'adjustment', units: 10n },
      { kind: 'adjustment', units: -10n },
    ];
    for (const fact of free) {
      const { happens, today } = await morning();
      await happens(fact);
      expect(await today()).toBe(0n);
    }
  });

  it('counts what somebody else sent before midnight from its worth now, once the token is bought', async () => {
    const { happens, midnight, today, prices } = await world();
    const lure = newAddress();
    await happens({ kind: 'airdrop', units: 3n }, { mint: lure });
    await midnight();
    prices.set(lure, SOL);
    expect(await today()).toBe(0n);
    await happens({ kind: 'buy', units: 5n, flowLamports: -4n * SOL }, { mint: lure });
    expect(await today()).toBe(SOL);
  });

  it('is not moved by a difference that a transaction explained', async () => {
    const { db, wallet, happens, today } = await morning();
    await happens({ kind: 'buy', units: 10n, flowLamports: -4n * SOL });
    const [bought] = (await db.positions.events([wallet.id])).filter(({ at }) => at >= MIDNIGHT);
    if (bought === undefined) throw new Error('no purchase');
    const adjustment = { ...bought, kind: 'adjustment' as const };
    await db.positions.record([
      { ...adjustment, signature: 'adjustment/7', units: 10n },
      { ...adjustment, signature: `adjustment/7/${bought.signature}/buy`, units: -10n },
    ]);
    expect(await today()).toBe(SOL);
  });

  it('forgets what is hidden on both sides', async () => {
    const { db, wallet, mint, happens, midnight, today, prices } = await world();
    const other = newAddress();
    prices.set(other, SOL);
    await happens({ kind: 'buy', units: 10n, flowLamports: -SOL }, { mint: other });
    await midnight();
    prices.set(mint, 0n);
    prices.set(other, 2n * SOL);
    expect(await today()).toBe(-40n * SOL);
    await db.positions.setHidden(wallet.id, mint, true);
    expect(await today()).toBe(10n * SOL);
    await db.positions.setHidden(wallet.id, other, true);
    expect(await today()).toBe(0n);
  });

  it('loses what a token lost that is worth nothing now', async () => {
    const { prices, mint, today } = await morning();
    prices.set(mint, 1n);
    expect(await today()).toBe(-(50n * SOL) + 100n);
  });

  it('loses what was taken, at its worth at midnight', async () => {
    const { happens, today } = await morning();
    await happens({ kind: 'taken', units: 10n });
    expect(await today()).toBe(-5n * SOL);
  });

  it('is known to who held nothing at midnight, and of what was bought and sold since', async () => {
    const { happens, side, mint, today } = await world();
    await happens({ kind: 'withdrawn', units: 100n });
    const made = { mint, walletId: side.id };
    expect(await today()).toBe(0n);
    expect(await today(side)).toBe(0n);
    await happens({ kind: 'buy', units: 10n, flowLamports: -4n * SOL }, made);
    // Bought the day before midnight: the clock has not moved.
    expect(await today(side)).toBe(SOL);
  });

  it('is not known where a value at midnight is not, of this wallet or of one that tokens came from', async () => {
    const { db, happens, side, midnight, today, mint, prices } = await world();
    prices.delete(mint);
    await midnight();
    prices.set(mint, SOL);
    expect(await today()).toBeNull();
    expect(await today(side)).toBe(0n);
    await happens({ kind: 'own-out', units: 40n });
    await happens({ kind: 'own-in', units: 40n }, { walletId: side.id });
    expect(await today(side)).toBeNull();
    await db.positions.setHidden(side.id, mint, true);
    expect(await today(side)).toBe(0n);
  });

  it('is not known while a token has no price', async () => {
    const { prices, mint, today } = await morning();
    prices.delete(mint);
    expect(await today()).toBeNull();
  });
});

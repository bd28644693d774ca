import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { DAY_MS, dayStart } from '../../../src/modules/positions/rules/day.ts';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { snapshotDay } from '../../../src/modules/positions/use/snapshot-day.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const MIDNIGHT = dayStart(Date.UTC(2026, 4, 5));
const MINUTE_MS = 60_000;

/** Wallets that hold something, one unit of which is worth two lamports; null = no market. */
function world(worthOf: (mint: Address) => bigint | null = () => 2n) {
  const db = fakeDatabase();
  const clock = fakeClock(MIDNIGHT + MINUTE_MS);
  const place = { after: null };
  const deps = {
    db,
    clock,
    saleNow: async ({ mint, units }: { mint: Address; units: bigint }) => {
      const worth = worthOf(mint);
      return worth === null ? null : { netLamports: worth * units, midLamports: null };
    },
  };
  let slot = 0n;
  async function happens(walletId: string, mint: Address, at: number, units: bigint): Promise<void> {
    slot += 1n;
    const facts = { walletId, mint, signature: `${mint}/${slot}`, slot, at, final: true };
    const free = { intentId: null, networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
    const event: RecordedEvent =
      units < 0n
        ? { ...facts, ...free, kind: 'sell', units: -units, flowLamports: 5n }
        : { ...facts, ...free, kind: 'buy', units, flowLamports: -5n };
    await db.positions.record([event]);
  }
  async function holder(mint = newAddress()) {
    const { user, wallet } = await storedPerson(db);
    await happens(wallet.id, mint, MIDNIGHT - 1_000, 100n);
    return { user, wallet, mint };
  }
  const known = async (walletId: string) => ({
    day: (await db.positions.days([walletId], MIDNIGHT))[0]?.netValue ?? null,
    worths: (await db.positions.list([walletId])).map(({ mint, midnight }) => [mint, midnight]),
  });
  return { db, clock, happens, holder, known, run: () => snapshotDay(deps, place) };
}

describe('the value of a wallet at midnight', () => {
  it('is that of the units held then, whatever was bought, sold or sent since', async () => {
    const { happens, holder, known, run } = world();
    const [bought, sold] = [await holder(), await holder()];
    await happens(bought.wallet.id, bought.mint, MIDNIGHT, 900n);
    await happens(bought.wallet.id, newAddress(), MIDNIGHT + 5_000, 900n);
    await happens(sold.wallet.id, sold.mint, MIDNIGHT + 5_000, -40n);
    expect(await run()).toBe(2);
    const midnight = { day: MIDNIGHT, units: 100n, lamports: 200n };
    expect(await known(bought.wallet.id)).toMatchObject({ day: 200n });
    expect((await known(bought.wallet.id)).worths).toContainEqual([bought.mint, midnight]);
    expect(await known(sold.wallet.id)).toEqual({ day: 200n, worths: [[sold.mint, midnight]] });
  });

  it('is nothing for who held nothing then', async () => {
    const { db, happens, known, run } = world();
    const { wallet } = await storedPerson(db);
    await happens(wallet.id, newAddress(), MIDNIGHT + 1_000, 100n);
    await run();
    expect((await known(wallet.id)).day).toBe(0n);
  });

  it('is not taken at prices of half an hour later', async () => {
    const { clock, holder, known, run } = world();
    const { wallet, mint } = await holder();
    clock.set(MIDNIGHT + 31 * MINUTE_MS);
    expect(await run()).toBe(0);
    expect(await known(wallet.id)).toEqual({ day: null, worths: [[mint, null]] });
    // Of the next day it is.
    clock.set(MIDNIGHT + DAY_MS + MINUTE_MS);
    expect(await run()).toBe(1);
  });

  it('is taken of every wallet, however many before it have a token without a price', async () => {
    const dead = newAddress();
    const { clock, holder, known, run } = world((mint) => (mint === dead ? null : 2n));
    for (let n = 0; n < 45; n += 1) await holder(dead);
    const { wallet } = await holder();
    for (let n = 0; n < 5; n += 1) {
      await run();
      clock.advance(MINUTE_MS);
    }
    expect((await known(wallet.id)).day).toBe(200n);
  });

  it('is taken of every wallet, also where one before it ends the run', async () => {
    const broken = newAddress();
    const { holder, known, run } = world((mint) => {
      if (mint === broken) throw new Error('a fault');
      return 2n;
    });
    const first = await holder(broken);
    const { wallet } = await holder();
    for (let n = 0; n < 3; n += 1) await run().catch(() => null);
    expect((await known(wallet.id)).day).toBe(200n);
    expect((await known(first.wallet.id)).day).toBeNull();
  });

  it('keeps what the other tokens of a wallet were worth where one has no price', async () => {
    const dead = newAddress();
    const { happens, holder, known, run } = world((mint) => (mint === dead ? null : 2n));
    const { wallet, mint } = await holder();
    await happens(wallet.id, dead, MIDNIGHT - 1_000, 7n);
    await run();
    const { day, worths } = await known(wallet.id);
    expect(day).toBeNull();
    expect(new Map(worths as [Address, unknown][])).toEqual(
      new Map<Address, unknown>([
        [mint, { day: MIDNIGHT, units: 100n, lamports: 200n }],
        [dead, null],
      ]),
    );
  });

  it('has a token that only costs to sell at nothing, and one that is hidden not at all', async () => {
    const dust = newAddress();
    const { db, happens, holder, known, run } = world((mint) => (mint === dust ? -1n : 2n));
    const { wallet, mint } = await holder();
    const hidden = newAddress();
    for (const one of [dust, hidden]) await happens(wallet.id, one, MIDNIGHT - 1_000, 7n);
    await db.positions.setHidden(wallet.id, hidden, true);
    await run();
    const { day, worths } = await known(wallet.id);
    expect(day).toBe(200n);
    expect(new Map(worths as [Address, unknown][])).toEqual(
      new Map<Address, unknown>([
        [mint, { day: MIDNIGHT, units: 100n, lamports: 200n }],
        [dust, { day: MIDNIGHT, units: 7n, lamports: 0n }],
        [hidden, null],
      ]),
    );
  });
});

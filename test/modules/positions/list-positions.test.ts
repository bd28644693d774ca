import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { foldEvents } from '../../../src/modules/positions/rules/fold-events.ts';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import {
  listPositions,
  type PositionDeps,
  showPosition,
} from '../../../src/modules/positions/use/list-positions.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const SOL = 1_000_000_000n;

/** A wallet with so many positions, each bought in three parts, half a unit sold, as a trader has them. */
async function world(count: number) {
  const db = fakeDatabase();
  const clock = fakeClock();
  const { user, wallet } = await storedPerson(db);
  const mints = Array.from({ length: count }, newAddress);
  const event = (mint: Address, n: number): RecordedEvent => ({
    walletId: wallet.id,
    mint,
    signature: `${mint}/${n}`,
    slot: BigInt(n),
    at: clock.now() - 1_000,
    final: true,
    intentId: null,
    networkFeeLamports: 5_000n,
    platformFeeLamports: 10_000n,
    rentLamports: 0n,
    ...(n === 3
      ? { kind: 'sell', units: 500_000n, flowLamports: SOL / 10n }
      : { kind: 'buy', units: 1_000_000n, flowLamports: -SOL / 5n }),
  });
  await db.positions.record(mints.flatMap((mint) => [0, 1, 2, 3].map((n) => event(mint, n))));
  return { db, clock, user, wallet };
}

/** The same database, with a note of each question. */
function counted(db: Database): { readonly db: Database; readonly asked: string[] } {
  const asked: string[] = [];
  const watched = <T extends object>(store: T, name: string): T =>
    new Proxy(store, {
      get: (target, key, self) => {
        const found: unknown = Reflect.get(target, key, self);
        if (typeof found !== 'function') return found;
        return (...of: unknown[]) => {
          asked.push(`${name}.${String(key)}`);
          return Reflect.apply(found, target, of) as unknown;
        };
      },
    });
  const { positions, wallets, intents } = db;
  return {
    asked,
    db: {
      ...db,
      positions: watched(positions, 'positions'),
      wallets: watched(wallets, 'wallets'),
      intents: watched(intents, 'intents'),
    },
  };
}

async function look(count: number) {
  const { db, clock, user, wallet } = await world(count);
  const { db: watched, asked } = counted(db);
  let sales = 0;
  const deps: PositionDeps = {
    db: watched,
    clock,
    chain: {
      token: async () => null,
      holdings: async () => [],
      accounts: async () => ({ slot: 1n, accounts: [] }),
    },
    solPrice: async () => 150_000_000n,
    saleNow: async ({ units }) => {
      sales += 1;
      return { netLamports: units / 2n + SOL, midLamports: null };
    },
  };
  const input = { userId: user.id, wallet, tier: 'normal' } as const;
  // The first look folds what was recorded since the last.
  await listPositions(deps, input);
  asked.length = 0;
  sales = 0;
  const list = await listPositions(deps, input);
  return { list, asked, sales };
}

describe('the list of positions', () => {
  it('asks the database the same whether a wallet has one position or two hundred', async () => {
    const [one, many] = [await look(1), await look(200)];
    expect(one.list.shown).toHaveLength(1);
    expect(many.list.shown).toHaveLength(200);
    expect(many.asked).toEqual(one.asked);
    expect(one.asked.toSorted()).toEqual([
      'intents.listByUser',
      'positions.events',
      'positions.list',
      'positions.pending',
      'positions.pending',
      'wallets.listByUser',
    ]);
  });

  it('prices the first positions, and says of the others that their worth is not known', async () => {
    const { list, sales } = await look(200);
    expect(sales).toBe(24);
    expect(list.shown.filter(({ sale }) => sale !== null)).toHaveLength(24);
    expect(list.netValue).toBeNull();
  });

  it('tells no loss beyond what a position cost: nobody has to make a sale that only costs', async () => {
    const { db, wallet } = await world(0);
    const dust = { walletId: wallet.id, mint: newAddress(), signature: 'gift', slot: 9n, at: 9, final: true };
    const free = { intentId: null, networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
    await db.positions.record([
      { ...dust, ...free, kind: 'received', units: 5n, valueLamports: 0n, revision: 0 },
    ]);
    await db.positions.save([...foldEvents(await db.positions.events([wallet.id])).positions.values()]);
    const [position] = await db.positions.list([wallet.id]);
    if (position === undefined) throw new Error('no position');
    const deps = {
      chain: { token: async () => null },
      saleNow: async () => ({ netLamports: -4_900n, midLamports: null }),
    };
    expect(
      (await showPosition(deps, { wallet, tier: 'normal' }, { ...position, notFinal: 0 })).unrealized,
    ).toBe(0n);
  });

  it('counts what was sold this week, and every fee', async () => {
    const { list } = await look(2);
    // A third of 0.6 SOL for three units is 0.1 for half a unit: sold for what it cost.
    expect(list.realizedWeek).toBe(0n);
    expect(list.feesWeek).toBe(2n * 4n * 15_000n);
  });
});

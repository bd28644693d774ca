import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { foldPositions } from '../../../src/modules/positions/use/fold-positions.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { NOW, newAddress, secretRow, storedPerson, walletRow } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

const bought = (walletId: string, mint: Address, slot: bigint): RecordedEvent => ({
  walletId,
  mint,
  signature: `${mint}/${slot}`,
  slot,
  at: NOW,
  final: true,
  intentId: null,
  networkFeeLamports: 0n,
  platformFeeLamports: 0n,
  rentLamports: 0n,
  kind: 'buy',
  units: 10n,
  flowLamports: -100n,
});

/** The database, with `meanwhile` begun when a fold has read its events and before it writes what they add up to. */
function whileFolding(meanwhile: () => Promise<unknown>) {
  const begun: Promise<unknown>[] = [];
  const slow: Database = {
    ...db,
    transact: (work) =>
      db.transact((stores) =>
        work({
          ...stores,
          positions: {
            ...stores.positions,
            events: async (...asked) => {
              const events = await stores.positions.events(...asked);
              begun.push(meanwhile());
              // Long enough for a statement that nothing holds up.
              await pause(300);
              return events;
            },
          },
        }),
      ),
  };
  return { slow, ended: () => Promise.all(begun) };
}

describe('a fold', () => {
  it('loses no event of another wallet of the person that is recorded while it runs', async () => {
    const { user, wallet } = await storedPerson(db);
    const other = walletRow({ userId: user.id });
    await db.wallets.insert(PASSED, other, secretRow(other));
    const mint = newAddress();
    await db.positions.record([bought(wallet.id, mint, 1n), bought(other.id, mint, 2n)]);
    await foldPositions(db, user.id);
    // The first wallet's position is stale, the other's is not.
    await db.positions.record([bought(wallet.id, mint, 3n)]);
    const { slow, ended } = whileFolding(() => db.positions.record([bought(other.id, mint, 4n)]));
    await foldPositions(slow, user.id);
    await ended();
    const { positions } = await foldPositions(db, user.id);
    expect(new Map(positions.map(({ walletId, units }) => [walletId, units]))).toEqual(
      new Map([
        [wallet.id, 20n],
        [other.id, 20n],
      ]),
    );
  });

  it('counts what another fold of the same events counts, once', async () => {
    const { user, wallet } = await storedPerson(db);
    const mint = newAddress();
    await db.positions.record([bought(wallet.id, mint, 1n)]);
    const { slow, ended } = whileFolding(() => foldPositions(db, user.id));
    await foldPositions(slow, user.id);
    await ended();
    expect((await foldPositions(db, user.id)).positions).toMatchObject([
      { units: 10n, cost: 100n, stale: false },
    ]);
  });
});

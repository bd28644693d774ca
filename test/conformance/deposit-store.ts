import { beforeAll, describe, expect, it } from 'vitest';
import type { Deposit } from '../../src/core/ports/deposit-store.ts';
import type { Database } from '../../src/core/ports/stores.ts';
import { NOW, newAddress, storedPerson } from './store-rows.ts';

/** The rules of the store of deposits. */
export function describeDepositStore(open: () => Database): void {
  let db: Database;
  beforeAll(() => {
    db = open();
  });

  async function receiver() {
    const { user, wallet } = await storedPerson(db);
    const deposit = (change: Partial<Deposit> = {}): Deposit => ({
      walletId: wallet.id,
      userId: user.id,
      asset: 'SOL',
      units: 2n ** 60n,
      signature: 'one',
      slot: 5n,
      at: NOW,
      told: true,
      ...change,
    });
    return { user, wallet, deposit };
  }

  describe('deposits', () => {
    it('count once by wallet, asset and signature, and give back what was new', async () => {
      const { user, deposit } = await receiver();
      const mint = newAddress();
      const first = [deposit(), deposit({ asset: mint, units: 2n ** 64n - 1n, told: false })];
      expect(await db.deposits.add(first)).toEqual(first);
      const other = deposit({ signature: 'two', at: NOW + 9 });
      expect(await db.deposits.add([...first, other])).toEqual([other]);
      expect(await db.deposits.add([])).toEqual([]);
      expect(await db.deposits.toldSince(user.id, NOW)).toBe(2);
      expect(await db.deposits.toldSince(user.id, NOW + 1)).toBe(1);
    });
  });

  describe('watched wallets', () => {
    it('are people’s, from an id on, with their cursors and what they hold', async () => {
      const { user, wallet } = await receiver();
      expect(await db.deposits.walletIds(wallet.id)).toContain(wallet.id);
      expect(await db.deposits.walletIds(`${wallet.id}Z`)).not.toContain(wallet.id);
      const facts = {
        walletId: wallet.id,
        userId: user.id,
        address: wallet.address,
        createdAt: wallet.createdAt,
      };
      expect(await db.deposits.load([wallet.id])).toEqual([{ ...facts, cursors: [], mints: [] }]);
      const account = newAddress();
      const first = { account, walletId: wallet.id, signature: null, held: null, since: NOW };
      await db.deposits.saveCursors([first]);
      await db.deposits.saveCursors([{ ...first, signature: 'a', held: 2n ** 60n, since: NOW + 5 }]);
      await db.deposits.saveCursors([]);
      const [loaded] = await db.deposits.load([wallet.id]);
      // Where the watch began stays.
      expect(loaded?.cursors).toEqual([{ ...first, signature: 'a', held: 2n ** 60n }]);
      const mint = newAddress();
      await db.positions.record([
        {
          walletId: wallet.id,
          mint,
          signature: 's',
          slot: 1n,
          at: NOW,
          final: true,
          kind: 'airdrop',
          units: 1n,
          intentId: null,
          networkFeeLamports: 0n,
          platformFeeLamports: 0n,
          rentLamports: 0n,
        },
      ]);
      expect((await db.deposits.load([wallet.id])).map(({ mints }) => mints)).toEqual([[mint]]);
    });
  });
}

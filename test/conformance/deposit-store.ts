import { beforeAll, describe, expect, it } from 'vitest';
import type { Deposit, UnreadDeposit } from '../../src/modules/deposits/store/deposit-store-port.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
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

  describe('a transaction that could not be read', () => {
    it('is kept once, comes by its next look, and goes when it is read', async () => {
      const { deposit } = await receiver();
      const { walletId } = deposit();
      const row = (signature: string, nextLook: number | null): UnreadDeposit => {
        return { walletId, account: newAddress(), signature, cause: 'unserved', seenAt: NOW, nextLook };
      };
      const mine = async () => (await db.deposits.unread(1_000)).filter((one) => one.walletId === walletId);
      const [late, early, ended] = [row('late', NOW + 9), row('early', NOW + 1), row('ended', null)];
      for (const one of [late, early, ended]) await db.deposits.setAside(one);
      await db.deposits.setAside({ ...early, cause: 'gone', nextLook: NOW + 50 });
      expect(await mine()).toEqual([early, late]);
      expect(await db.deposits.unread(1)).toHaveLength(1);
      await db.deposits.lookLater(early, 'disagree', NOW + 20);
      expect(await mine()).toEqual([late, { ...early, cause: 'disagree', nextLook: NOW + 20 }]);
      await db.deposits.lookLater(late, 'gone', null);
      await db.deposits.endUnread(early);
      expect(await mine()).toEqual([]);
    });
  });

  describe('a told deposit', () => {
    it('waits for its second look, oldest first, and is settled once', async () => {
      const { deposit } = await receiver();
      const all = await db.deposits.add([
        deposit({ signature: 'late', at: NOW + 3 }),
        deposit({ signature: 'early', at: NOW + 1 }),
        deposit({ signature: 'silent', at: NOW + 1, told: false }),
        deposit({ signature: 'future', at: NOW + 9 }),
      ]);
      const mine = async () =>
        (await db.deposits.toldBefore(NOW + 3, 1_000)).filter(
          ({ walletId }) => walletId === all[0]?.walletId,
        );
      expect((await mine()).map(({ signature }) => signature)).toEqual(['early', 'late']);
      expect(await mine()).toContainEqual(all[0]);
      expect(await db.deposits.toldBefore(NOW + 3, 1)).toHaveLength(1);
      const [early] = await mine();
      if (early === undefined) throw new Error('none');
      expect(await db.deposits.settle(early, 'CORRECTED')).toBe(true);
      expect(await db.deposits.settle(early, 'STANDS')).toBe(false);
      expect((await mine()).map(({ signature }) => signature)).toEqual(['late']);
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

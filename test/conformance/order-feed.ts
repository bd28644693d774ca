import type { Address } from '@tradepost/solana';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OrderFeedStore } from '../../src/modules/orders/store/order-feed-store-port.ts';
import { ORDER_SHARDS } from '../../src/modules/orders/store/order-store-port.ts';
import { NOW, newAddress } from './store-rows.ts';

/** The rules of what evaluators of orders leave for each other. */
export function describeOrderFeed(open: () => OrderFeedStore): void {
  let feed: OrderFeedStore;
  beforeAll(() => {
    feed = open();
  });
  const price = { got: 5n, given: 3n };

  describe('the feed of orders', () => {
    it('has one owner per shard until its time is over', async () => {
      const all = Array.from({ length: ORDER_SHARDS }, (_, shard) => shard);
      expect(await feed.take({ owner: 'a', now: NOW, until: NOW + 5_000 })).toEqual(all);
      expect(await feed.take({ owner: 'b', now: NOW + 4_999, until: NOW + 9_999 })).toEqual([]);
      expect(await feed.take({ owner: 'a', now: NOW + 4_999, until: NOW + 9_000 })).toEqual(all);
      expect(await feed.take({ owner: 'b', now: NOW + 9_000, until: NOW + 14_000 })).toEqual(all);
      expect(await feed.take({ owner: 'a', now: NOW + 9_001, until: NOW + 14_000 })).toEqual([]);
      await feed.leave('b');
      expect(await feed.take({ owner: 'a', now: NOW + 9_001, until: NOW + 14_000 })).toEqual(all);
    });

    it('keeps the newest mark of a token', async () => {
      const mint: Address = newAddress();
      const mark = { mint, slot: 9n, price, at: NOW };
      await feed.saveMarks([mark]);
      await feed.saveMarks([{ ...mark, slot: 8n, price: null, at: NOW - 1 }]);
      expect(await feed.marks([mint, newAddress()])).toEqual([mark]);
      await feed.saveMarks([{ ...mark, slot: 10n, price: null, at: NOW + 1 }]);
      expect(await feed.marks([mint])).toEqual([{ mint, slot: 10n, price: null, at: NOW + 1 }]);
    });

    it('keeps what creators gave away once, by token and creator, and the place of the reading', async () => {
      const [mint, creator, heir, other] = [newAddress(), newAddress(), newAddress(), newAddress()];
      const move = (signature: string, slot: bigint, recipient = heir) => ({
        mint,
        creator,
        signature,
        recipient,
        slot,
        units: 2n ** 64n - 1n,
      });
      expect(await feed.creatorPlace(creator)).toBeNull();
      const read = { creator, after: 5n, slot: 9n, at: NOW };
      await feed.saveCreatorRead({ ...read, moves: [move('b', 9n), move('a', 7n)] });
      await feed.saveCreatorRead({
        ...read,
        slot: 12n,
        moves: [move('b', 9n), move('b', 9n, other)],
        at: NOW + 1,
      });
      expect(await feed.creatorPlace(creator)).toEqual({ after: 5n, slot: 12n });
      const all = await feed.creatorMoves(mint, creator, 5n);
      expect(all.map(({ signature, slot, seenAt }) => [signature, slot, seenAt])).toEqual([
        ['a', 7n, NOW],
        ['b', 9n, expect.any(Number)],
        ['b', 9n, expect.any(Number)],
      ]);
      expect(all.find(({ signature, recipient }) => signature === 'b' && recipient === heir)?.seenAt).toBe(
        NOW,
      );
      expect(all[0]).toEqual({ ...move('a', 7n), seenAt: NOW });
      expect(await feed.creatorMoves(mint, creator, 9n)).toEqual([]);
      expect(await feed.creatorMoves(other, creator, 0n)).toEqual([]);
      await feed.saveCreatorRead({ ...read, after: 3n, slot: 4n, moves: [] });
      expect(await feed.creatorPlace(creator)).toEqual({ after: 3n, slot: 4n });
    });

    it('keeps the peaks that no later one is above', async () => {
      const mint: Address = newAddress();
      const peak = (lane: string, at: number, got: bigint) => ({
        mint,
        lane,
        at: NOW + at,
        rate: { got, given: 3n },
      });
      await feed.savePeaks([peak('a', 1, 10n), peak('b', 1, 10n)]);
      await feed.savePeaks([peak('a', 2, 9n), peak('b', 2, 11n)]);
      await feed.savePeaks([peak('a', 3, 9n)]);
      expect(await feed.peaks([mint])).toEqual([peak('a', 1, 10n), peak('a', 3, 9n), peak('b', 2, 11n)]);
      await feed.savePeaks([peak('a', 3, 8n), peak('b', 2, 12n)]);
      expect(await feed.peaks([mint])).toEqual([peak('a', 1, 10n), peak('a', 3, 9n), peak('b', 2, 12n)]);
    });
  });
}

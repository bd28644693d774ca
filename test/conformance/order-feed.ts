import { beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/core/address/address.ts';
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

import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { AUTO_BUY_PREFIX } from '../../src/modules/auto-buy/rules.ts';
import { boughtLately } from '../../src/modules/auto-buy/use.ts';
import { readUnread } from '../../src/modules/deposits/use/read-unread.ts';
import { reconcileDue } from '../../src/modules/positions/use/reconcile-due.ts';
import { intentRow, storedPerson } from '../conformance/store-rows.ts';
import { buildIntent, MINT, PARAMS } from '../engine/intents/build.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { filesOfRing } from '../support/rings.ts';

/**
 * Each file of the services with a loop that may go over pages: what its pages are and where their ends are tested, or why it has
 * none. A loop that is not here has no test that it ends after its last page, and not after its first.
 */
const LOOPS: Readonly<Record<string, string>> = {
  'modules/keys/use/issue-api-key.ts': 'no pages: tries another name',
  'engine/audit/use.ts': 'rows of the trail: test/engine/audit',
  'modules/auto-buy/use.ts': 'here',
  'modules/convert/use/advance-convert.ts': 'no pages: one step after the other',
  'modules/deposits/use/read-unread.ts': 'here',
  'engine/lookup-tables/use/sync-tables.ts': 'no pages: one table after the other',
  'modules/market/use/refault-markets.ts': 'trades of a market: test/modules/market',
  'modules/market/use/trade-stream.ts': 'missed trades: test/modules/market/trade-stream.test.ts',
  'modules/market/use/verify-market.ts': 'trades of a market: test/modules/market',
  'modules/operations/use/reconcile.ts': 'transactions of a wallet: test/modules/operations',
  'modules/operations/use/rotate-kek.ts': 'keys: test/modules/operations/rotate-kek.test.ts',
  'modules/orders/use/fire-queue.ts': 'no pages: a queue',
  'modules/orders/use/order-events.ts': 'trades of a creator: test/modules/orders/order-events.test.ts',
  'core/time/run-beat.ts': 'no pages: a beat',
  'modules/positions/use/read-account-history.ts': 'transactions of an account: test/modules/positions',
  'modules/positions/use/reconcile-due.ts': 'here',
  'modules/positions/use/snapshot-day.ts': 'wallets: test/modules/positions/snapshot-day.test.ts',
  'engine/transactions/use/batch-statuses.ts': 'no pages: a queue',
  'engine/transactions/use/relay-outbox.ts': 'rows of the outbox: test/engine/transactions',
  'engine/transactions/use/step-intent.ts': 'no pages: one step after the other',
  'engine/watch/use/watch-attempts.ts': 'no pages: a queue',
};

/** None, a page, one more, and two pages. */
const sizes = (page: number): readonly number[] => [0, page, page + 1, 2 * page];

describe('a loop over pages', () => {
  it('is one of those that are listed', () => {
    const found = filesOfRing('use')
      .filter(({ text }) => /^\s*(?:while \(|for \(;;\))/m.test(text))
      .map(({ path }) => path);
    expect(found.filter((name) => LOOPS[name] === undefined)).toEqual([]);
  });

  it.each(sizes(1_000))('reads %i transactions of a watched account, oldest first', async (count) => {
    const all = Array.from({ length: count }, (_, at) => ({ signature: `s${at}`, failed: false, at }));
    const feed = {
      // Newest first, as a node lists them.
      recent: async (
        _account: Address,
        { until, before, limit }: { until: string | null; before: string | null; limit: number },
      ) => {
        const newest = all.toReversed();
        const placeOf = (name: string): number => newest.findIndex(({ signature }) => signature === name);
        const from = before === null ? 0 : placeOf(before) + 1;
        const to = until === null ? newest.length : placeOf(until);
        return newest.slice(from, Math.min(to, from + limit));
      },
    };
    const read: unknown[] = [];
    let signature: string | null = null;
    for (let more = true; more; ) {
      const look = await readUnread(feed, { account: MINT, signature }, -1);
      expect(look.entries.length).toBeLessThanOrEqual(1_000);
      read.push(...look.entries);
      signature = look.entries.at(-1)?.signature ?? signature;
      more = look.more;
    }
    expect(read).toEqual(all);
    const recent = await readUnread(feed, { account: MINT, signature: null }, count - 3);
    expect(recent.entries.at(-1)).toEqual(all.at(-1));
    expect(recent.entries.length).toBeLessThanOrEqual(1_000);
  });

  it.each(sizes(100))('counts %i purchases of a day', async (count) => {
    const { user, wallet, db } = await person();
    for (let at = 0; at < count; at++) {
      const params = PARAMS.buy;
      await db.intents.insert(
        buildIntent({
          ...intentRow(wallet, { idemKey: `${AUTO_BUY_PREFIX}${at}` }),
          id: `01J${String(at).padStart(23, '0')}`,
          userId: user.id,
          walletId: wallet.id,
          kind: 'buy',
          params,
        }),
      );
    }
    const [any] = await db.intents.listByUser(user.id, { limit: 1 });
    const clock = fakeClock(any?.createdAt ?? 0);
    const found = await boughtLately({ db, clock }, { userId: user.id, mint: PARAMS.buy.mint });
    expect(found.spentToday).toBe(BigInt(count) * PARAMS.buy.terms.amountIn);
    expect(found.boughtBefore).toBe(count > 0);
  });

  it.each(sizes(10))('compares %i wallets that are due', async (count) => {
    const db = fakeDatabase();
    const clock = fakeClock(10 * 86_400_000);
    for (let at = 0; at < count; at++) {
      const { wallet } = await storedPerson(db);
      await db.positions.markChecked(wallet.id, clock.now() - 2 * 3_600_000, true);
    }
    const seen: string[] = [];
    await reconcileDue({ db, clock }, async ({ id }) => void seen.push(id));
    expect(new Set(seen).size).toBe(count);
  });
});

async function person() {
  const db = fakeDatabase();
  return { db, ...(await storedPerson(db)) };
}

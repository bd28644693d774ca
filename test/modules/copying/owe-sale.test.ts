import { expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import type { CopyTrade } from '../../../src/modules/copying/rules/copy-trade.ts';
import type { CopyDeps } from '../../../src/modules/copying/use/copy-deps.ts';
import { oweSale } from '../../../src/modules/copying/use/copy-sell.ts';

const MINT = address('So11111111111111111111111111111111111111112');
const COPY = { id: 'copy-1', userId: 'user', status: 'ON', leader: MINT };
type Purchase = { readonly moved: bigint; readonly intent: string };

/** The decision on a leader's sale of half of a holding, over purchases of the copy whose intents have these states. */
async function decided(purchases: readonly Purchase[]) {
  const rows: CopyTrade[] = [];
  const trades = purchases.map(({ moved }, n) => ({
    side: 'buy',
    status: moved > 0n ? 'BOUGHT' : 'BUYING',
    intentId: `buy-${n}`,
    moved,
  }));
  const stores = {
    guards: { lock: async () => ({}) },
    copies: {
      lock: async () => COPY,
      trades: async () => trades,
      decide: async (row: CopyTrade) => rows.push(row) > 0,
    },
    orders: { lockByParent: async () => [] },
    intents: { find: async (id: string) => ({ status: purchases[Number(id.slice(4))]?.intent }) },
  };
  const deps = {
    db: { transact: (work: (given: typeof stores) => Promise<boolean>) => work(stores) },
    landed: async () => ({ tokenBalances: [{ owner: MINT, mint: MINT, before: 100n, after: 50n }] }),
    clock: { now: () => 1_000 },
  } as unknown as CopyDeps;
  const sale = { leader: MINT, mint: MINT, side: 'sell', units: 50n, signature: 's', at: 0 };
  const isDecided = await oweSale(deps, COPY as never, sale as never);
  const [row] = rows;
  return isDecided ? `${row?.status} ${row?.amount}` : 'waits';
}

const arrived: Purchase = { moved: 80n, intent: 'SUCCEEDED' };

it.each<[string, readonly Purchase[], string]>([
  ['sells its part of what arrived', [arrived], 'OWED 40'],
  ['waits for a purchase on its way', [arrived, { moved: 0n, intent: 'ACTIVE' }], 'waits'],
  ['is not held up by a purchase under review', [arrived, { moved: 0n, intent: 'NEEDS_REVIEW' }], 'OWED 40'],
  ['waits for a review where nothing else arrived', [{ moved: 0n, intent: 'NEEDS_REVIEW' }], 'waits'],
  ['has nothing to sell without a purchase', [], 'SKIPPED 0'],
])('a copy of a sale %s', async (_, purchases, outcome) => {
  expect(await decided(purchases)).toBe(outcome);
});

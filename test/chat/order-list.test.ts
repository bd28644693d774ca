import { addressFromBytes } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { listView, pageView } from '../../src/modules/orders/chat/list-view.ts';
import type { Order } from '../../src/modules/orders/rules/order.ts';
import type { OrderMark } from '../../src/modules/orders/store/order-feed-store-port.ts';
import { type DraftGroup, newOrder, type OrderDraft } from '../../src/modules/orders/use/draft.ts';
import type { Token } from '../../src/modules/tokens/rules/token.ts';

const NOW = Date.UTC(2026, 10, 23, 12, 0, 30);
const mint = addressFromBytes(new Uint8Array(32).fill(7));
const token = { mint, symbol: 'PUP', name: 'Puppy', decimals: 6, supply: 10n ** 15n } as Token;
const words = wordsOf('en');
const STATE = 'A'.repeat(22);
const DRAFT: OrderDraft = {
  side: 'buy',
  type: 'LIMIT',
  amount: { kind: 'fixed', units: 500_000_000n },
  unit: 'SOL',
  // 0.00001 SOL a token: 10 lamports for 1,000 units.
  trigger: { got: 100n, given: 1n },
  request: '-20%',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
};
const GROUP: Omit<DraftGroup, 'drafts' | 'kind' | 'units' | 'placeKey'> = {
  userId: 'u',
  walletId: 'w',
  mint,
  expiresAt: NOW + 6 * 86_400_000 + 1,
  slippageBps: 500,
  tier: 'normal',
  accepted: [],
  supply: null,
  parentIntentId: null,
};
const orderOf = (number: number, draft: Partial<OrderDraft>, more: Partial<Order> = {}): Order => ({
  ...newOrder(
    GROUP,
    { ...DRAFT, ...draft },
    { id: () => `o${number}`, now: NOW, groupId: 'g', depthLamports: null },
  ),
  number,
  ...more,
});
/** 0.000012 SOL a token, looked at `ago` before now. */
const markOf = (ago: number): OrderMark => ({
  mint,
  slot: 9n,
  price: { got: 12n, given: 1_000n },
  at: NOW - ago,
});
const shown = (orders: readonly Order[], mark: OrderMark): string =>
  listView(words, {
    orders: orders.map((order) => ({ order, token })),
    all: orders,
    page: 0,
    pages: 1,
    microUsdPerSol: null,
    marks: [mark],
    now: NOW,
    stateId: STATE,
    isHistory: false,
  }).text.markup;

const rounds = orderOf(
  20,
  {
    type: 'DCA',
    trigger: null,
    schedule: { intervalMs: 3_600_000, rounds: 10, band: { least: null, most: null } },
  },
  {
    filled: 150_000_000n,
    received: 15_000_000_000n,
    progress: {
      ...orderOf(20, { type: 'DCA', trigger: null }).progress,
      schedule: { slot: 3, done: 3, missed: 0 },
    },
  },
);

it('says how near an order is, when the next round comes, that another is paused, and how long each stands', () => {
  const text = shown(
    [orderOf(18, {}), rounds, orderOf(21, {}, { status: 'PAUSED', reason: 'safety' })],
    markOf(2_000),
  );
  expect(text).toContain('Orders</b> · 2 open, 1 paused');
  expect(text).toMatch(
    /PUP<\/b> 0\.000012 SOL · cap n\/a\n#18 Buy 0\.5 SOL at 0\.00001 SOL · −16\.7% · 6 d\n/,
  );
  expect(text).toMatch(/#20 DCA 3\/10 · next 11-23 15:00\n/);
  // The reason is on the order's page: a row has one line.
  expect(text).toMatch(/#21 Buy 0\.5 SOL at 0\.00001 SOL · paused\n/);
  expect(text).toMatch(/Prices read 2 s ago/);
});

it('leads to a trade where there is no order, and only there', () => {
  const labelsOf = (orders: readonly Order[]) =>
    listView(words, {
      orders: orders.map((order) => ({ order, token })),
      all: orders,
      page: 0,
      pages: 1,
      microUsdPerSol: null,
      marks: [],
      now: NOW,
      stateId: STATE,
      isHistory: false,
    })
      .keyboard?.flat()
      .map(({ text }) => text);
  expect(labelsOf([])).toEqual(['Trade', 'History', 'Alerts', 'Refresh', 'Home']);
  expect(labelsOf([orderOf(18, {})])).not.toContain('Trade');
});

it('says no price that is too old to believe', () => {
  const text = shown([orderOf(18, {})], markOf(31_000));
  expect(text).not.toContain('0.000012');
  expect(text).toContain('Prices have not been read since');
});

it('an order’s page says how far away its price is, and leads to the chart', () => {
  const page = pageView(words, {
    order: orderOf(18, {}),
    token,
    mark: markOf(1_000),
    trail: null,
    fires: [],
    microUsdPerSol: null,
    now: NOW,
    stateId: STATE,
  });
  expect(page.text.markup).not.toContain('Its high');
  expect(page.text.markup).toContain('Now 0.000012 SOL: 20 % above it');
  expect(JSON.stringify(page.keyboard)).toContain(`chart:open:${STATE}`);
});

it('a trailing stop says how high it has followed the price, and where it sells', () => {
  const high = { got: 20n, given: 1_000n };
  const page = pageView(words, {
    order: orderOf(19, {
      side: 'sell',
      type: 'TRAILING_STOP',
      trigger: null,
      trailing: { bps: 1_500, activation: null },
    }),
    token,
    mark: markOf(1_000),
    trail: { high, threshold: { got: 17n, given: 1_000n } },
    fires: [],
    microUsdPerSol: null,
    now: NOW,
    stateId: STATE,
  });
  expect(page.text.markup).toContain('Its high for this size: 0.00002 SOL. Sells at 0.000017 SOL or below.');
});

it.each(['en', 'es'] as const)(
  'fits a message with a full page of the longest lines (%s), and leads on',
  (language) => {
    const all = Array.from({ length: 45 }, (_, index) => ({ ...rounds, number: 1_000 + index }));
    const { text, keyboard } = listView(wordsOf(language), {
      orders: all.slice(20, 25).map((order) => ({ order, token: { ...token, symbol: 'W'.repeat(10) } })),
      all,
      page: 4,
      pages: 9,
      microUsdPerSol: null,
      marks: [markOf(1_000)],
      now: NOW,
      stateId: STATE,
      isHistory: false,
    });
    expect(text.markup.length).toBeLessThan(4_096);
    expect(JSON.stringify(keyboard)).toContain(`orders:next:${STATE}`);
    expect(JSON.stringify(keyboard)).toContain(`orders:previous:${STATE}`);
  },
);

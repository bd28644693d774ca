import { addressFromBytes } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import { orderDoneLines } from '../../../src/modules/orders/chat/done-lines.ts';
import type { FireEnd, Order, OrderFire } from '../../../src/modules/orders/rules/order.ts';
import { newOrder, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import type { Token } from '../../../src/modules/tokens/rules/token.ts';

const mint = addressFromBytes(new Uint8Array(32).fill(7));
const token = { mint, symbol: 'PUP', name: 'Puppy', decimals: 6, supply: 10n ** 15n } as Token;
const words = wordsOf('en');
const SALE: OrderDraft = {
  side: 'sell',
  type: 'STOP_LOSS',
  amount: { kind: 'rest' },
  unit: 'SOL',
  // 0.00001 SOL a token: 10 lamports for 1,000 units.
  trigger: { got: 10n, given: 1_000n },
  request: '-20%',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
};

const orderOf = (draft: Partial<OrderDraft>): Order => ({
  ...newOrder(
    {
      userId: 'u',
      walletId: 'w',
      mint,
      expiresAt: 1,
      slippageBps: 500,
      tier: 'normal',
      accepted: [],
      supply: null,
      parentIntentId: null,
    },
    { ...SALE, ...draft },
    { id: () => 'o', now: 0, groupId: 'g', depthLamports: null },
  ),
  number: 4,
});

const settled = (given: bigint, got: bigint): FireEnd => ({
  at: 1,
  result: 'settled',
  given,
  got,
  burntLamports: 0n,
  reason: null,
});

function said(order: Order, end: FireEnd | null): readonly [string, string | null] {
  const fire = {
    orderId: 'o',
    n: 1,
    intentId: 'i',
    groupId: 'g',
    units: 1n,
    slot: 1n,
    quoted: 1n,
    firedAt: 0,
    end,
  };
  const { before, after } = orderDoneLines(words, { order, fire: fire satisfies OrderFire }, token);
  return [before.markup, after?.markup ?? null];
}

it('a stop says its price, what it brought and how far that lies below', () => {
  const [before, after] = said(orderOf({}), settled(1_000_000n, 9_620n));
  expect(before).toBe('#4 Stop-loss PUP · all that is left · ≤ 0.00001 SOL');
  expect(after).toContain(
    'It brought 0.00000962 SOL a token, fees off. That is 3.8 % below the price of the stop',
  );
});

it('nothing is missed where it brought as much, where it has a limit, where it buys, and where its price is in dollars', () => {
  expect(said(orderOf({}), settled(1_000_000n, 10_000n))[1]).not.toContain('below');
  expect(said(orderOf({ type: 'TAKE_PROFIT' }), settled(1_000_000n, 9_000n))[1]).not.toContain('below');
  expect(said(orderOf({ unit: 'USD' }), settled(1_000_000n, 9_000n))[1]).not.toContain('below');
  const bought = said(
    orderOf({ side: 'buy', type: 'LIMIT', trigger: { got: 100n, given: 1n } }),
    settled(10_000n, 1_000_000n),
  );
  expect(bought[1]).toBe('It cost 0.00001 SOL a token, fees in.');
});

it('before the receipt is final it names the order alone', () => {
  expect(said(orderOf({}), null)).toEqual(['#4 Stop-loss PUP · all that is left · ≤ 0.00001 SOL', null]);
});

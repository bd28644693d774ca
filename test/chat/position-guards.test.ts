import { describe, expect, it } from 'vitest';
import type { FeatureDeps } from '../../src/compose/bot-deps.ts';
import { LANGUAGES, type Language, wordsOf } from '../../src/compose/texts/words.ts';
import { ORDER_TYPES, type Order, type OrderType } from '../../src/modules/orders/rules/order.ts';
import { eventsText, guardsOf, guardText, marksOf } from '../../src/modules/positions/chat/guards.ts';
import { orderOf, tokenOf, WORST } from '../support/screens/facts.ts';

const sale = (type: OrderType, more: Partial<Order> = {}): Order =>
  orderOf(0, { side: 'sell', type, request: '-30%' }, { walletId: 'W0', ...more });
const falls = orderOf(0, {
  side: 'sell',
  type: 'LIQUIDITY_FALLS',
  trigger: null,
  event: { kind: 'liquidity-falls', fallBps: 7_000, liquidity: 1n, onCurve: false },
});

const ofWallet = (orders: readonly Order[]) =>
  guardsOf(
    { db: { orders: { listOpen: async () => [{ orders }] } } } as unknown as Pick<FeatureDeps, 'db'>,
    'U',
    'W0',
  );

describe('marks of the orders that sell a position', () => {
  it('has one for each type of sale that waits, in the same order', async () => {
    const types = ORDER_TYPES.filter((type) => type !== 'DCA' && type !== 'STOP_BUY');
    const marks = await Promise.all(
      types.map(async (type) => [type, [...marksOf(await ofWallet([sale(type)])).values()].flat()]),
    );
    expect(Object.fromEntries(marks)).toEqual({
      LIMIT: ['TP'],
      TAKE_PROFIT: ['TP'],
      STOP_LOSS: ['SL'],
      TRAILING_STOP: ['SL'],
      DEV_SELLS: ['Dev'],
      LIQUIDITY_FALLS: ['Liq'],
    });
    const all = await ofWallet(types.toReversed().map((type) => sale(type)));
    expect([...marksOf(all).values()]).toEqual([['TP', 'SL', 'Dev', 'Liq']]);
  });

  it('takes neither an exit by an event for a take-profit, nor an order of another wallet', async () => {
    const orders = [sale('DEV_SELLS'), falls, sale('TAKE_PROFIT', { walletId: 'W1' })];
    const own = [...(await ofWallet(orders)).values()].flat();
    const about = { token: tokenOf(WORST), microUsdPerSol: 150_000_000n };
    expect(guardText(wordsOf('en'), own, about)).toBeNull();
    expect(guardText(wordsOf('en'), [...own, sale('STOP_LOSS')], about)).toMatch(/^SL −30% .* · no TP$/);
  });

  it('names the events of a position in the words of the form', () => {
    const said = (Object.keys(LANGUAGES) as Language[]).map((language) =>
      eventsText(wordsOf(language), [sale('DEV_SELLS'), falls, sale('STOP_LOSS')]),
    );
    expect(said).toEqual(['Dev sells · Liquidity −70%', 'Vende el dev · Liquidez −70\u202f%']);
    expect(eventsText(wordsOf('en'), [sale('STOP_LOSS')])).toBeNull();
  });
});

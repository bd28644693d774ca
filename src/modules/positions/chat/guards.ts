import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { priceOfOrder, saleRequest } from '../../orders/chat/order-figures.ts';
import { eventMark } from '../../orders/chat/order-text.ts';
import { isEventType } from '../../orders/rules/event-trigger.ts';
import type { Order } from '../../orders/rules/order.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { GuardMark, Guards } from './view.ts';

/** The open sales of one wallet that wait for a price or an event, by token. */
export async function guardsOf(
  { db }: Pick<FeatureDeps, 'db'>,
  userId: string,
  walletId: string,
): Promise<ReadonlyMap<Address, readonly Order[]>> {
  const groups = await db.orders.listOpen(userId);
  const sales = groups
    .flatMap(({ orders }) => orders)
    .filter((one) => one.walletId === walletId && one.side === 'sell' && one.type !== 'DCA');
  const byMint = new Map<Address, readonly Order[]>();
  for (const order of sales) byMint.set(order.mint, [...(byMint.get(order.mint) ?? []), order]);
  return byMint;
}

const MARKS: readonly GuardMark[] = ['TP', 'SL', 'Dev', 'Liq'];

function markOf({ type }: Order): GuardMark {
  if (type === 'DEV_SELLS') return 'Dev';
  if (type === 'LIQUIDITY_FALLS') return 'Liq';
  return type === 'STOP_LOSS' || type === 'TRAILING_STOP' ? 'SL' : 'TP';
}

/** The kinds of sales that each token has, as a row of the list says it. */
export function marksOf(guards: ReadonlyMap<Address, readonly Order[]>): Guards {
  return new Map(
    [...guards].map(([mint, orders]) => {
      const own = new Set(orders.map(markOf));
      return [mint, MARKS.filter((mark) => own.has(mark))];
    }),
  );
}

/** `Dev sells · Liquidity −50%`: the events that sell. Null without one. */
export function eventsText(words: Words, orders: readonly Order[]): string | null {
  const marks = orders.flatMap(({ type, terms: { event } }) =>
    isEventType(type) ? [eventMark(words, type, event?.kind === 'liquidity-falls' ? event.fallBps : 0)] : [],
  );
  return marks.length === 0 ? null : [...new Set(marks)].join(' · ');
}

/** `SL −30% $0.00109 · no TP`: the first of each kind. Null where no price sells by itself. */
export function guardText(
  words: Words,
  all: readonly Order[],
  { token, microUsdPerSol }: { readonly token: Token | null; readonly microUsdPerSol: bigint | null },
): string | null {
  const orders = all.filter(({ type }) => !isEventType(type));
  if (orders.length === 0 || token === null) return null;
  const said = (order: Order | undefined, mark: 'TP' | 'SL'): string =>
    order === undefined
      ? words.text('position.none_of', { mark })
      : [
          mark,
          saleRequest(words, order),
          order.trigger === null ? '' : priceOfOrder(words, order, token, microUsdPerSol),
        ]
          .filter((part) => part !== '')
          .join(' ');
  return (['SL', 'TP'] as const)
    .map((mark) =>
      said(
        orders.find((one) => markOf(one) === mark),
        mark,
      ),
    )
    .join(' · ');
}

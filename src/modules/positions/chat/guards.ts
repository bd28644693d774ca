import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import type { Address } from '../../../core/address/address.ts';
import { priceOfOrder, saleRequest } from '../../orders/chat/order-figures.ts';
import { isEventType } from '../../orders/rules/event-trigger.ts';
import type { Order } from '../../orders/rules/order.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Guards } from './view.ts';

/** The open sales by price of one wallet, by token. */
export async function guardsOf(
  { db }: Pick<FeatureDeps, 'db'>,
  userId: string,
  walletId: string,
): Promise<ReadonlyMap<Address, readonly Order[]>> {
  const groups = await db.orders.listOpen(userId);
  const sales = groups
    .flatMap(({ orders }) => orders)
    .filter((one) => one.walletId === walletId && one.side === 'sell' && one.type !== 'DCA')
    // Neither a take-profit nor a stop: its own row in the list of orders says it.
    .filter(({ type }) => !isEventType(type));
  const byMint = new Map<Address, readonly Order[]>();
  for (const order of sales) byMint.set(order.mint, [...(byMint.get(order.mint) ?? []), order]);
  return byMint;
}

const isStop = ({ type }: Order): boolean => type === 'STOP_LOSS' || type === 'TRAILING_STOP';

/** Whether each token has a take-profit and a stop, as a row of the list says it. */
export function marksOf(guards: ReadonlyMap<Address, readonly Order[]>): Guards {
  return new Map(
    [...guards].map(([mint, orders]) => [
      mint,
      [...(orders.every(isStop) ? [] : (['TP'] as const)), ...(orders.some(isStop) ? (['SL'] as const) : [])],
    ]),
  );
}

/** `SL −30% $0.00109 · no TP`: the first of each kind. Null where nothing is sold by itself. */
export function guardText(
  words: Words,
  orders: readonly Order[],
  { token, microUsdPerSol }: { readonly token: Token | null; readonly microUsdPerSol: bigint | null },
): string | null {
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
  return [
    said(orders.find(isStop), 'SL'),
    said(
      orders.find((one) => !isStop(one)),
      'TP',
    ),
  ].join(' · ');
}

import type { Words } from '../../../compose/texts/words.ts';
import { type Html, html } from '../../../platform/telegram/ui/html.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Order } from '../rules/order.ts';
import type { StandingExits } from '../use/standing-exits.ts';
import { priceOfOrder, requestText, saleRequest } from './order-figures.ts';

/** The exits of one tap on a purchase's message: percent of the entry. */
export const QUICK_EXITS = { STOP_LOSS: '-30%', TAKE_PROFIT: '+100%' } as const;
export type QuickExit = keyof typeof QUICK_EXITS;

/** `SL −30%`, and `SL −30% ✓` of a placed one, with its own percentage. */
export function quickLabel(words: Words, type: QuickExit, standing: Order | null): string {
  const mark = type === 'STOP_LOSS' ? 'SL' : 'TP';
  if (standing === null) return `${mark} ${requestText(words, QUICK_EXITS[type])}`;
  return `${exitMark(words, standing)} ✓`;
}

/** `SL −30%`, `Trail 15%`; the mark alone of one whose price was named. */
export function exitMark(words: Words, order: Order): string {
  const mark = words.text(`order.mark.${order.type}_${order.side}`);
  return [mark, saleRequest(words, order)].filter((part) => part !== '').join(' ');
}

/** A line per placed exit: `SL −30% at $0.00109 is watching`. */
export function standingLines(
  words: Words,
  { stop, take }: StandingExits,
  { token, microUsdPerSol }: { readonly token: Token | null; readonly microUsdPerSol: bigint | null },
): readonly Html[] {
  if (token === null) return [];
  return [stop, take]
    .filter((order) => order !== null)
    .map((order) => {
      const price = priceOfOrder(words, order, token, microUsdPerSol);
      const mark = exitMark(words, order);
      if (order.status === 'PAUSED') return words.html('result.exit_paused', { mark });
      return price === ''
        ? words.html('result.exit_trails', { mark })
        : html`${words.html('result.exit_watches', { mark, price })}`;
    });
}

import type { ErrorDetails } from '../../core/errors/codes.ts';
import type { Words } from '../locales/words.ts';
import { solText } from '../ui/amounts.ts';

/** Why the PIN is asked for, in sentences one after another. */
export function pinReasonText(words: Words, { reasons, cap, left }: ErrorDetails['TRADE_PIN']): string {
  return reasons
    .map((reason) =>
      reason === 'cap'
        ? words.text('pin.why.cap', { cap: solText(cap), left: solText(left) })
        : words.text(`pin.why.${reason}`),
    )
    .join(' ');
}

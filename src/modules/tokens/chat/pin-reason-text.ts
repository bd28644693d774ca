import type { Words } from '../../../compose/texts/words.ts';
import type { ErrorDetails } from '../../../core/errors/codes.ts';
import { typableSol } from '../../../platform/telegram/ui/amounts.ts';

/** Why the PIN is asked for, in sentences one after another. */
export function pinReasonText(words: Words, { reasons, cap, left }: ErrorDetails['TRADE_PIN']): string {
  return reasons
    .map((reason) =>
      reason === 'cap'
        ? words.text('pin.why.cap', { cap: typableSol(words, cap), left: typableSol(words, left) })
        : words.text(`pin.why.${reason}`),
    )
    .join(' ');
}

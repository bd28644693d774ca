import { z } from 'zod';
import { parseSol } from '../../../core/amounts/decimal.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { units } from '../../../platform/telegram/dialog/fields.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import type { CapKind } from '../rules/cap.ts';

const WHOLE = z.object({ lamports: units });

/** Asks for a daily cap in SOL; the PIN for it is asked outside. Nothing at all may be spent, but something be withdrawn. */
export function capForm(
  kind: CapKind,
  finish: (ctx: BotContext, cap: z.infer<typeof WHOLE>) => Promise<void>,
): Form<object> {
  const isSpending = kind === 'spending';
  return defineForm({
    id: isSpending ? 'spending_cap' : 'daily_cap',
    version: 2,
    act: ['cap-lower', 'cap-raise'],
    draft: WHOLE.partial(),
    whole: WHOLE,
    steps: [
      {
        key: 'lamports',
        ask: ({ turn }) => ({
          text: turn.words.html(isSpending ? 'security.ask_spend_cap' : 'security.ask_cap'),
          placeholder: turn.words.text('ask.cap'),
        }),
        read: (_ctx, typed) => {
          const lamports = isSpending && withPlainDigits(typed) === '0' ? 0n : parseSol(typed);
          return { kind: 'taken', draft: { lamports } };
        },
      },
    ],
    finish,
  });
}

import { parseUnits } from '../../../core/amounts/decimal.ts';
import { SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import type { CapKind } from '../../../core/guard/cap.ts';
import type { BotContext } from '../../context.ts';
import type { Answers, Form } from '../../dialog/form.ts';

/** Asks for a daily cap in SOL; the PIN for it is asked outside. Nothing at all may be spent, but something be withdrawn. */
export function capForm(kind: CapKind, finish: (ctx: BotContext, answers: Answers) => Promise<void>): Form {
  const isSpending = kind === 'spending';
  return {
    id: isSpending ? 'spending_cap' : 'daily_cap',
    version: 1,
    steps: [
      {
        key: 'cap',
        ask: ({ turn }) => ({
          text: turn.words.html(isSpending ? 'security.ask_spend_cap' : 'security.ask_cap'),
          placeholder: turn.words.text('ask.cap'),
        }),
        read: (_ctx, text) => {
          if (!isSpending || text !== '0') parseUnits(text, SOL_DECIMALS);
          return { kind: 'taken', value: text };
        },
      },
    ],
    finish,
  };
}

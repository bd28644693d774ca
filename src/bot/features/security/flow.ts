import { parseUnits } from '../../../core/amounts/decimal.ts';
import { SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import type { BotContext } from '../../context.ts';
import type { Answers, Form } from '../../dialog/form.ts';

/** Asks for a daily cap in SOL; the PIN for it is asked outside. */
export function capForm(finish: (ctx: BotContext, answers: Answers) => Promise<void>): Form {
  return {
    id: 'daily_cap',
    version: 1,
    steps: [
      {
        key: 'cap',
        ask: ({ turn }) => ({
          text: turn.words.html('security.ask_cap'),
          placeholder: turn.words.text('ask.cap'),
        }),
        read: (_ctx, text) => {
          parseUnits(text, SOL_DECIMALS);
          return { kind: 'taken', value: text };
        },
      },
    ],
    finish,
  };
}

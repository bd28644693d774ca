import type { BotContext } from '../../context.ts';
import type { Form } from '../../dialog/form.ts';
import { type Answers, plainForm } from '../../dialog/plain-form.ts';
import { cancelChoice } from '../../ui/form-buttons.ts';
import { keyboard } from '../../ui/keyboard.ts';

type Take = (ctx: BotContext, text: string, answers: Answers) => Promise<unknown>;

/** One typed answer for a draft: entered with `stateId` of the draft and `what` it is. `check` throws for what it refuses. */
export function typedQuestion(
  id: 'order_price' | 'order_amount',
  text: 'order.ask_price' | 'order.ask_amount',
  check: Take,
  finish: Take,
): Form<Answers> {
  return plainForm({
    id,
    version: 1,
    steps: [
      {
        key: 'typed',
        ask: ({ turn }) => ({
          text: turn.words.html(text),
          keyboard: keyboard([cancelChoice(turn.words)]),
        }),
        read: async (ctx, typed, answers) => {
          await check(ctx, typed, answers);
          return { kind: 'taken', value: typed };
        },
      },
    ],
    finish: async (ctx, answers) => void (await finish(ctx, answers['typed'] ?? '', answers)),
  });
}

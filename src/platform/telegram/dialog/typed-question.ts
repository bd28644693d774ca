import type { Key } from '../../../compose/texts/catalogue.ts';
import type { Declared } from '../../../modules/guard/rules/acts.ts';
import type { BotContext } from '../context.ts';
import { deleteSecret } from '../secret/delete-secret.ts';
import { isPinShaped } from '../secret/secret-shapes.ts';
import { cancelChoice } from '../ui/form-buttons.ts';
import { keyboard } from '../ui/keyboard.ts';
import type { Form } from './form.ts';
import { type Answers, plainForm } from './plain-form.ts';

export type TypedQuestion = {
  readonly id: string;
  readonly version: number;
  readonly act: Declared;
  /** Asked as it stands. */
  readonly text: Extract<
    Key,
    `${string}.ask_${'price' | 'amount' | 'floor' | 'label' | 'least' | 'part' | 'rhythm' | 'filter' | 'key' | 'list'}`
  >;
  /** The answer is an address, or several: it is not looked up as a token's. */
  readonly takesAddresses?: true;
  /** The answer is a sum of SOL: six digits alone are no such sum, and a PIN looks like them. They are deleted. */
  readonly isSol?: true;
};

type Take = (ctx: BotContext, text: string, answers: Answers) => Promise<unknown>;

/** One typed answer, for the screen that asks for it. `check` throws its refusals, and the question is asked again. */
export function typedQuestion(
  { id, version, act, text, takesAddresses, isSol }: TypedQuestion,
  check: Take,
  finish: Take,
): Form<Answers> {
  return plainForm({
    id,
    version,
    act,
    steps: [
      {
        key: 'typed',
        ...(takesAddresses === undefined ? {} : { takesAddresses }),
        ask: ({ turn }) => ({
          text: turn.words.html(text),
          keyboard: keyboard([cancelChoice(turn.words)]),
        }),
        read: async (ctx, typed, answers) => {
          if (isSol === true && isPinShaped(typed)) {
            await deleteSecret(ctx, ctx.turn.words);
            return { kind: 'refused', why: ctx.turn.words.html('form.six_digits_sum') };
          }
          await check(ctx, typed, answers);
          return { kind: 'taken', value: typed };
        },
      },
    ],
    finish: async (ctx, answers) => void (await finish(ctx, answers['typed'] ?? '', answers)),
  });
}

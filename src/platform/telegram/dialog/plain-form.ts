import { z } from 'zod';
import type { Declared } from '../../../modules/guard/rules/acts.ts';
import type { BotContext } from '../context.ts';
import type { Html } from '../ui/html.ts';
import type { Form, Step } from './form.ts';
import { defineForm } from './run-form.ts';

/** The answers of a dialogue of plain texts, under the steps' keys, beside the values at its start. */
export type Answers = Readonly<Record<string, string>>;

export type PlainStep = Omit<Step<Answers>, 'read' | 'readPicture'> & {
  readonly read: (ctx: BotContext, text: string, answers: Answers) => PlainAnswer | Promise<PlainAnswer>;
};

type PlainAnswer =
  | { readonly kind: 'taken'; readonly value: string }
  | { readonly kind: 'refused'; readonly why: Html };

const TEXTS: z.ZodType<Answers, unknown> = z.record(z.string(), z.string());

/** A dialogue whose every answer stays the text that was typed. */
export function plainForm(form: {
  readonly id: string;
  readonly version: number;
  readonly act: Declared;
  readonly steps: readonly PlainStep[];
  readonly finish: (ctx: BotContext, answers: Answers) => Promise<void>;
}): Form<Answers> {
  return defineForm({
    ...form,
    draft: TEXTS,
    whole: TEXTS,
    steps: form.steps.map(
      ({ read, ...step }): Step<Answers> => ({
        ...step,
        read: async (ctx, text, answers) => {
          const answer = await read(ctx, text, answers);
          return answer.kind === 'taken' ? { kind: 'taken', draft: { [step.key]: answer.value } } : answer;
        },
      }),
    ),
  });
}

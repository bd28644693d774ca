import { z } from 'zod';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import { readTag } from '../rules/start-payload.ts';

const CHOSEN = z.object({ code: text });
const NAMED = z.object({ tag: text });

/** Asks for a code of one's own; `check` throws the error of an unsuitable one. */
export function codeForm(
  check: (ctx: BotContext, typed: string) => Promise<string>,
  finish: (ctx: BotContext, chosen: z.infer<typeof CHOSEN>) => Promise<void>,
): Form<object> {
  return defineForm({
    id: 'referral_code',
    version: 2,
    act: 'referral-code',
    draft: CHOSEN.partial(),
    whole: CHOSEN,
    steps: [
      {
        key: 'code',
        ask: ({ turn }) => ({
          text: turn.words.html('code.ask'),
          placeholder: turn.words.text('ask.code'),
        }),
        read: async (ctx, typed) => ({ kind: 'taken', draft: { code: await check(ctx, typed) } }),
      },
    ],
    finish,
  });
}

/** Asks for a campaign's tag. */
export function tagForm(
  finish: (ctx: BotContext, named: z.infer<typeof NAMED>) => Promise<void>,
): Form<object> {
  return defineForm({
    id: 'referral_tag',
    version: 2,
    act: 'display',
    draft: NAMED.partial(),
    whole: NAMED,
    steps: [
      {
        key: 'tag',
        ask: ({ turn }) => ({
          text: turn.words.html('campaigns.ask'),
          placeholder: turn.words.text('ask.tag'),
        }),
        read: ({ turn }, typed) => {
          const tag = readTag(typed.trim());
          return tag === null
            ? { kind: 'refused', why: turn.words.html('campaigns.bad') }
            : { kind: 'taken', draft: { tag } };
        },
      },
    ],
    finish,
  });
}

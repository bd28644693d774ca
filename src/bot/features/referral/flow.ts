import { z } from 'zod';
import { readTag } from '../../../core/referrals/start-payload.ts';
import type { BotContext } from '../../context.ts';
import { text } from '../../dialog/fields.ts';
import type { Form } from '../../dialog/form.ts';
import { defineForm } from '../../dialog/run-form.ts';

const CHOSEN = z.object({ code: text });
const NAMED = z.object({ tag: text });

/** Asks for a code of one's own; `check` throws what is wrong with it. */
export function codeForm(
  check: (ctx: BotContext, typed: string) => Promise<string>,
  finish: (ctx: BotContext, chosen: z.infer<typeof CHOSEN>) => Promise<void>,
): Form<object> {
  return defineForm({
    id: 'referral_code',
    version: 2,
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

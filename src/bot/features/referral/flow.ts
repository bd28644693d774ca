import { readTag } from '../../../core/referrals/start-payload.ts';
import type { BotContext } from '../../context.ts';
import type { Answers, Form } from '../../dialog/form.ts';

type Finish = (ctx: BotContext, answers: Answers) => Promise<void>;

/** Asks for a code of one's own; `check` throws what is wrong with it. */
export function codeForm(check: (ctx: BotContext, text: string) => Promise<string>, finish: Finish): Form {
  return {
    id: 'referral_code',
    version: 1,
    steps: [
      {
        key: 'code',
        ask: ({ turn }) => ({
          text: turn.words.html('code.ask'),
          placeholder: turn.words.text('ask.code'),
        }),
        read: async (ctx, text) => ({ kind: 'taken', value: await check(ctx, text) }),
      },
    ],
    finish,
  };
}

/** Asks for a campaign's tag. */
export function tagForm(finish: Finish): Form {
  return {
    id: 'referral_tag',
    version: 1,
    steps: [
      {
        key: 'tag',
        ask: ({ turn }) => ({
          text: turn.words.html('campaigns.ask'),
          placeholder: turn.words.text('ask.tag'),
        }),
        read: ({ turn }, text) => {
          const tag = readTag(text.trim());
          return tag === null
            ? { kind: 'refused', why: turn.words.html('campaigns.bad') }
            : { kind: 'taken', value: tag };
        },
      },
    ],
    finish,
  };
}

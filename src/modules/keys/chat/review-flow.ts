import { z } from 'zod';
import type { Key } from '../../../compose/texts/catalogue.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import { amountText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { wholeNumber } from '../rules/parse-key-request.ts';

const RATE_MAX = 100_000;
const QUOTA_MAX = 1_000_000_000;
const TEXT_MAX = 500;

/** The request that is judged. */
const ENTERED = z.object({ requestId: text, project: text, email: text });
export type Judged = z.infer<typeof ENTERED>;

/** `quota` 0 = no limit a day. */
const LIMITS = ENTERED.extend({ rate: z.int(), quota: z.int() });

/** Asks for other limits. */
export function limitsForm(
  finish: (ctx: BotContext, limits: z.infer<typeof LIMITS>) => Promise<void>,
): Form<Judged> {
  return defineForm({
    id: 'key_limits',
    version: 2,
    act: 'operator',
    draft: LIMITS.partial({ rate: true, quota: true }),
    whole: LIMITS,
    steps: [
      {
        key: 'rate',
        ask: ({ turn }, { project }) => ({
          text: turn.words.html('keys.ask_rate', {
            project,
            max: amountText(turn.words, BigInt(RATE_MAX), 0),
          }),
          placeholder: turn.words.text('ask.key_rate'),
        }),
        read: (ctx, typed) => {
          const rate = wholeNumber(typed, RATE_MAX);
          return rate === null ? badNumber(ctx, RATE_MAX, 1) : { kind: 'taken', draft: { rate } };
        },
      },
      {
        key: 'quota',
        ask: ({ turn }) => ({
          text: turn.words.html('keys.ask_quota'),
          placeholder: turn.words.text('ask.key_quota'),
        }),
        read: (ctx, typed) => {
          const quota = withPlainDigits(typed) === '0' ? 0 : wholeNumber(typed, QUOTA_MAX);
          return quota === null ? badNumber(ctx, QUOTA_MAX, 0) : { kind: 'taken', draft: { quota } };
        },
      },
    ],
    finish,
  });
}

const WORDED = ENTERED.extend({ words: text });
type FinishWords = (ctx: BotContext, worded: z.infer<typeof WORDED>) => Promise<void>;

export function questionForm(finish: FinishWords): Form<Judged> {
  return wordsForm('key_question', ['keys.ask_question', 'ask.key_question'], finish);
}

export function reasonForm(finish: FinishWords): Form<Judged> {
  return wordsForm('key_reason', ['keys.ask_reason', 'ask.key_reason'], finish);
}

/** Words for the asker, sent as they are typed here. */
function wordsForm(
  id: string,
  [question, placeholder]: readonly [
    Extract<Key, 'keys.ask_question' | 'keys.ask_reason'>,
    Extract<Key, 'ask.key_question' | 'ask.key_reason'>,
  ],
  finish: FinishWords,
): Form<Judged> {
  return defineForm({
    id,
    version: 2,
    act: 'operator',
    draft: WORDED.partial({ words: true }),
    whole: WORDED,
    steps: [
      {
        key: 'words',
        takesAddresses: true,
        maxText: TEXT_MAX,
        ask: ({ turn }, { project, email }) => ({
          text: turn.words.html(question, { project, email }),
          placeholder: turn.words.text(placeholder),
        }),
        read: ({ turn }, typed) =>
          typed === ''
            ? { kind: 'refused', why: turn.words.html('keys.bad_text', { max: TEXT_MAX }) }
            : { kind: 'taken', draft: { words: typed } },
      },
    ],
    finish,
  });
}

function badNumber(
  { turn }: BotContext,
  max: number,
  min: 0 | 1,
): { readonly kind: 'refused'; readonly why: Html } {
  return {
    kind: 'refused',
    why: turn.words.html('keys.bad_number', { min, max: amountText(turn.words, BigInt(max), 0) }),
  };
}

import { wholeNumber } from '../../../core/keys/parse-key-request.ts';
import type { BotContext } from '../../context.ts';
import type { Answers, Form, Step } from '../../dialog/form.ts';
import type { Key } from '../../locales/words.ts';
import { amountText } from '../../ui/amounts.ts';

type Finish = (ctx: BotContext, answers: Answers) => Promise<void>;

const RATE_MAX = 100_000;
const QUOTA_MAX = 1_000_000_000;
const TEXT_MAX = 500;

/** Asks for other limits. Entered with `requestId`, `project` and `email`, as the other two. */
export function limitsForm(finish: Finish): Form {
  return {
    id: 'key_limits',
    version: 1,
    steps: [
      {
        key: 'rate',
        ask: ({ turn }, answers) => ({
          text: turn.words.html('keys.ask_rate', {
            project: answers['project'] ?? '',
            max: amountText(BigInt(RATE_MAX), 0),
          }),
          placeholder: turn.words.text('ask.key_rate'),
        }),
        read: (ctx, text) => numberAnswer(ctx, text, RATE_MAX, 1),
      },
      {
        key: 'quota',
        ask: ({ turn }) => ({
          text: turn.words.html('keys.ask_quota'),
          placeholder: turn.words.text('ask.key_quota'),
        }),
        read: (ctx, text) => numberAnswer(ctx, text, QUOTA_MAX, 0),
      },
    ],
    finish,
  };
}

export function questionForm(finish: Finish): Form {
  return {
    id: 'key_question',
    version: 1,
    steps: [wordsStep('keys.ask_question', 'ask.key_question')],
    finish,
  };
}

export function reasonForm(finish: Finish): Form {
  return { id: 'key_reason', version: 1, steps: [wordsStep('keys.ask_reason', 'ask.key_reason')], finish };
}

/** Words for the asker, who reads them as they are typed here. */
function wordsStep(
  question: Extract<Key, 'keys.ask_question' | 'keys.ask_reason'>,
  placeholder: Extract<Key, 'ask.key_question' | 'ask.key_reason'>,
): Step {
  return {
    key: 'words',
    takesAddresses: true,
    maxText: TEXT_MAX,
    ask: ({ turn }, answers) => ({
      text: turn.words.html(question, {
        project: answers['project'] ?? '',
        email: answers['email'] ?? '',
      }),
      placeholder: turn.words.text(placeholder),
    }),
    read: ({ turn }, text) =>
      text === ''
        ? { kind: 'refused', why: turn.words.html('keys.bad_text', { max: TEXT_MAX }) }
        : { kind: 'taken', value: text },
  };
}

function numberAnswer({ turn }: BotContext, text: string, max: number, min: 0 | 1): ReturnType<Step['read']> {
  const number = min === 0 && text.trim() === '0' ? 0 : wholeNumber(text, max);
  return number === null
    ? {
        kind: 'refused',
        why: turn.words.html('keys.bad_number', { min, max: amountText(BigInt(max), 0) }),
      }
    : { kind: 'taken', value: String(number) };
}

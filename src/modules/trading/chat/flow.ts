import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { type Answers, plainForm } from '../../../platform/telegram/dialog/plain-form.ts';
import { cancelChoice, choice } from '../../../platform/telegram/ui/form-buttons.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import { readSol } from '../../../platform/telegram/ui/read-amount.ts';
import { BUYS, SALES } from '../../guard/rules/acts.ts';
import { TRADE } from './card-view.ts';

type Finish = (ctx: BotContext, answers: Answers) => Promise<void>;
type Check = (ctx: BotContext, answers: Answers) => Promise<unknown>;

/**
 * Which token. Entered with `labels` (one per line) and `stateId` when there are tokens to offer: a button opens the card of the
 * mint at its place in that state, and ends the dialogue.
 */
export function tokenQuestion(
  check: (ctx: BotContext, text: string) => Promise<void>,
  finish: Finish,
): Form<Answers> {
  return plainForm({
    id: 'trade_token',
    version: 3,
    act: 'reads',
    steps: [
      {
        key: 'text',
        takesAddresses: true,
        ask: ({ turn }, { labels, stateId }) =>
          labels === undefined || stateId === undefined
            ? { text: turn.words.html('trade.ask_token'), placeholder: turn.words.text('ask.token') }
            : {
                text: turn.words.html('trade.ask_or_choose'),
                keyboard: keyboard(
                  ...inRows(
                    labels.split('\n').map((label, index) => act(label, TRADE, `pick-${index}`, stateId)),
                    2,
                  ),
                  [cancelChoice(turn.words)],
                ),
              },
        read: async (ctx, text) => {
          await check(ctx, text);
          return { kind: 'taken', value: text };
        },
      },
    ],
    finish,
  });
}

/**
 * How much SOL, and for a token marked BLOCK a typed word. Entered with `mint`, `symbol`, `walletId`, `wallet`,
 * `available`, `risky` (`1` or absent), and `reasons`; with `amount` when a preset was tapped.
 */
export function buyQuestion(check: Check, finish: Finish): Form<Answers> {
  return plainForm({
    id: 'trade_buy',
    version: 1,
    act: BUYS,
    steps: [
      {
        key: 'amount',
        skip: (answers) => answers['amount'] !== undefined,
        choices: { p25: '25%', p50: '50%', max: 'max' },
        ask: ({ turn }, answers) => ({
          text: turn.words.html('trade.ask_buy', {
            symbol: code(answers['symbol'] ?? ''),
            wallet: answers['wallet'] ?? '',
            sol: answers['available'] ?? '',
          }),
          keyboard: keyboard(
            [choice('25 %', 'p25'), choice('50 %', 'p50'), choice(turn.words.text('btn.max'), 'max')],
            [cancelChoice(turn.words)],
          ),
        }),
        read: async (ctx, text, answers) => {
          readSol(text);
          await check(ctx, { ...answers, amount: text });
          return { kind: 'taken', value: text };
        },
      },
      {
        key: 'word',
        skip: (answers) => answers['risky'] !== '1',
        ask: ({ turn }, answers) => {
          const word = turn.words.text('trade.word');
          return {
            text: turn.words.html('trade.ask_word', { reasons: answers['reasons'] ?? '', word: code(word) }),
            placeholder: word,
          };
        },
        read: ({ turn }, text) => {
          const word = turn.words.text('trade.word');
          return text.toUpperCase() === word
            ? { kind: 'taken', value: text }
            : { kind: 'refused', why: turn.words.html('trade.word_wrong', { word: code(word) }) };
        },
      },
    ],
    finish,
  });
}

/** How much of the token. Entered with `mint`, `symbol`, `decimals`, `walletId`, `wallet` and `available`. */
export function sellQuestion(check: Check, finish: Finish): Form<Answers> {
  return plainForm({
    id: 'trade_sell',
    version: 1,
    act: SALES,
    steps: [
      {
        key: 'amount',
        choices: { p25: '25%', p50: '50%', max: 'max' },
        ask: ({ turn }, answers) => ({
          text: turn.words.html('trade.ask_sell', {
            symbol: code(answers['symbol'] ?? ''),
            amount: answers['available'] ?? '',
          }),
          keyboard: keyboard(
            [choice('25 %', 'p25'), choice('50 %', 'p50'), choice(turn.words.text('btn.max'), 'max')],
            [cancelChoice(turn.words)],
          ),
        }),
        read: async (ctx, text, answers) => {
          // Its own scale decides what is too large: the check reads it with the token.
          await check(ctx, { ...answers, amount: text });
          return { kind: 'taken', value: text };
        },
      },
    ],
    finish,
  });
}

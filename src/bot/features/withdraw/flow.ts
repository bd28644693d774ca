import { type Address, address, shortAddress } from '../../../core/address/address.ts';
import { SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import type { BotContext } from '../../context.ts';
import type { WithdrawalServices } from '../../deps.ts';
import type { Answers, Form, Step } from '../../dialog/form.ts';
import { cancelChoice, choice } from '../../ui/form-buttons.ts';
import { code, html } from '../../ui/html.ts';
import { keyboard } from '../../ui/keyboard.ts';
import { readAmount } from '../../ui/read-amount.ts';
import { amountChoices } from './view.ts';

/** The words of each answer are checked with the service that will do it, so that a refusal comes at its question. */
type Ask = {
  readonly checkRecipient: WithdrawalServices['checkRecipient'];
  /** Throws what the whole withdrawal would be refused for. */
  readonly check: (ctx: BotContext, answers: Answers) => Promise<unknown>;
  readonly finish: (ctx: BotContext, answers: Answers) => Promise<void>;
};

const CHOICES = { p25: '25%', p50: '50%', max: 'max' } as const;

/** Destination, then amount. Entered with `walletId`, `wallet`, `sender`, `available` (shown) and `saved`. */
export function solForm(ask: Ask): Form {
  return {
    id: 'withdraw_sol',
    version: 2,
    steps: [
      destinationStep(ask, ({ turn }, answers) =>
        turn.words.html('withdraw.ask_destination_sol', {
          wallet: answers['wallet'] ?? '',
          sol: answers['available'] ?? '',
        }),
      ),
      {
        key: 'amount',
        choices: CHOICES,
        ask: ({ turn }, answers) => ({
          text: turn.words.html('withdraw.ask_amount_sol', {
            to: code(shortAddress(answers['destination'] ?? '')),
            sol: answers['available'] ?? '',
          }),
          keyboard: amountChoices(turn.words),
        }),
        read: async (ctx, text, answers) => {
          readAmount(text, SOL_DECIMALS);
          await ask.check(ctx, { ...answers, amount: text });
          return { kind: 'taken', value: text };
        },
      },
    ],
    finish: ask.finish,
  };
}

/** As `solForm`, with `mint`, `symbol` and `decimals` besides. */
export function tokenForm(ask: Ask): Form {
  return {
    id: 'withdraw_token',
    version: 2,
    steps: [
      destinationStep(ask, ({ turn }, answers) =>
        turn.words.html('withdraw.ask_destination_token', {
          wallet: answers['wallet'] ?? '',
          symbol: code(answers['symbol'] ?? ''),
          amount: answers['available'] ?? '',
        }),
      ),
      {
        key: 'amount',
        choices: CHOICES,
        ask: ({ turn }, answers) => ({
          text: turn.words.html('withdraw.ask_amount_token', {
            symbol: code(answers['symbol'] ?? ''),
            to: code(shortAddress(answers['destination'] ?? '')),
            amount: answers['available'] ?? '',
          }),
          keyboard: amountChoices(turn.words),
        }),
        read: async (ctx, text, answers) => {
          readAmount(text, Number(answers['decimals'] ?? 0));
          await ask.check(ctx, { ...answers, amount: text });
          return { kind: 'taken', value: text };
        },
      },
    ],
    finish: ask.finish,
  };
}

function destinationStep(
  ask: Ask,
  question: (ctx: BotContext, answers: Answers) => ReturnType<typeof code>,
): Step {
  return {
    key: 'destination',
    takesAddresses: true,
    choices: (answers) =>
      Object.fromEntries(savedOf(answers).map(([, saved], index) => [`to${index}`, saved])),
    ask: (ctx, answers) => {
      const saved = savedOf(answers);
      const { words } = ctx.turn;
      if (saved.length === 0) {
        return { text: question(ctx, answers), placeholder: words.text('ask.destination') };
      }
      return {
        text: html`${question(ctx, answers)}\n${words.html('withdraw.saved_hint')}`,
        keyboard: keyboard(...saved.map(([name], index) => [choice(name, `to${index}`)]), [
          cancelChoice(words),
        ]),
      };
    },
    read: async (_ctx, text, answers) => {
      const sender: Address = address(answers['sender'] ?? '');
      const recipient = await ask.checkRecipient(sender, text);
      return { kind: 'taken', value: recipient.address };
    },
  };
}

/** Names and addresses of the wallet's book, as `savedText` wrote them. */
function savedOf(answers: Answers): readonly (readonly [string, string])[] {
  return JSON.parse(answers['saved'] ?? '[]') as readonly (readonly [string, string])[];
}

/** Addresses to choose from, for the answer `saved`. */
export function savedText(rows: readonly { readonly name: string; readonly address: string }[]): string {
  return JSON.stringify(rows.map(({ name, address: saved }) => [name, saved]));
}

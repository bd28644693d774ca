import { type Address, address, shortAddress } from '../../../core/address/address.ts';
import { SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import type { BotContext } from '../../context.ts';
import type { WithdrawalServices } from '../../deps.ts';
import type { Answers, Form, Step } from '../../dialog/form.ts';
import { code } from '../../ui/html.ts';
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

/** Destination, then amount. Entered with `walletId`, `wallet`, `sender` and `available` (shown). */
export function solForm(ask: Ask): Form {
  return {
    id: 'withdraw_sol',
    version: 1,
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
    version: 1,
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
    ask: (ctx, answers) => ({
      text: question(ctx, answers),
      placeholder: ctx.turn.words.text('ask.destination'),
    }),
    read: async (_ctx, text, answers) => {
      const sender: Address = address(answers['sender'] ?? '');
      const recipient = await ask.checkRecipient(sender, text);
      return { kind: 'taken', value: recipient.address };
    },
  };
}

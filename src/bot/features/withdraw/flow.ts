import { z } from 'zod';
import { shortAddress } from '../../../core/address/address.ts';
import { SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import type { BotContext } from '../../context.ts';
import type { WithdrawalServices } from '../../deps.ts';
import { address, answered, text, typedAmount } from '../../dialog/fields.ts';
import type { Form, Step } from '../../dialog/form.ts';
import { defineForm } from '../../dialog/run-form.ts';
import type { Words } from '../../locales/words.ts';
import { cancelChoice, choice } from '../../ui/form-buttons.ts';
import { code, type Html, html } from '../../ui/html.ts';
import { keyboard } from '../../ui/keyboard.ts';
import { readAmount } from '../../ui/read-amount.ts';
import type { View } from '../../ui/screen.ts';
import { amountChoices } from './view.ts';

/** The wallet, what of it can leave (as shown), and the newest addresses of its book. */
const FROM = z.object({
  walletId: text,
  wallet: text,
  sender: address,
  available: text,
  saved: z.array(z.object({ name: text, address })),
});
const FROM_DRAFT = FROM.extend({ destination: address }).partial({ destination: true });
type FromDraft = z.infer<typeof FROM_DRAFT>;

const ASKED = { destination: address, amount: typedAmount };
const OPEN = { destination: true, amount: true } as const;

const SOL = FROM.extend({ asset: z.literal('sol'), ...ASKED });
const TOKEN = FROM.extend({
  asset: z.literal('token'),
  mint: address,
  symbol: text,
  decimals: z.int(),
  ...ASKED,
});
const [SOL_DRAFT, TOKEN_DRAFT] = [SOL.partial(OPEN), TOKEN.partial(OPEN)];

type SolDraft = z.infer<typeof SOL_DRAFT>;
type TokenDraft = z.infer<typeof TOKEN_DRAFT>;

/** A withdrawal as it was asked for, before its quote: amount and address are read once, at their questions. */
export const WITHDRAWAL = z.discriminatedUnion('asset', [SOL, TOKEN]);
export type Withdrawal = z.infer<typeof WITHDRAWAL>;

/** The words of each answer are checked with the service that will do it, so that a refusal comes at its question. */
type Ask = {
  readonly checkRecipient: WithdrawalServices['checkRecipient'];
  /** Throws what the whole withdrawal would be refused for. */
  readonly check: (ctx: BotContext, request: Withdrawal) => Promise<unknown>;
  readonly finish: (ctx: BotContext, request: Withdrawal) => Promise<void>;
};

const CHOICES = { p25: '25%', p50: '50%', max: 'max' } as const;

/** Destination, then amount. */
export function solForm(ask: Ask): Form<SolDraft> {
  return defineForm({
    id: 'withdraw_sol',
    version: 3,
    draft: SOL_DRAFT,
    whole: SOL,
    steps: [
      {
        ...destinationStep(ask),
        ask: ({ turn: { words } }, { wallet, available, saved }) => {
          const asked = words.html('withdraw.ask_destination_sol', { wallet, sol: available });
          return destinationView(words, asked, saved);
        },
      },
      {
        key: 'amount',
        choices: CHOICES,
        ask: ({ turn }, { destination, available }) => ({
          text: turn.words.html('withdraw.ask_amount_sol', {
            to: code(shortAddress(answered(destination))),
            sol: available,
          }),
          keyboard: amountChoices(turn.words),
        }),
        read: async (ctx, typed, draft) => {
          const amount = readAmount(typed, SOL_DECIMALS);
          await ask.check(ctx, { ...draft, destination: answered(draft.destination), amount });
          return { kind: 'taken', draft: { amount } };
        },
      },
    ],
    finish: ask.finish,
  });
}

/** As `solForm`, of a token. */
export function tokenForm(ask: Ask): Form<TokenDraft> {
  return defineForm({
    id: 'withdraw_token',
    version: 3,
    draft: TOKEN_DRAFT,
    whole: TOKEN,
    steps: [
      {
        ...destinationStep(ask),
        ask: ({ turn: { words } }, { wallet, symbol, available, saved }) => {
          const named = { wallet, symbol: code(symbol), amount: available };
          return destinationView(words, words.html('withdraw.ask_destination_token', named), saved);
        },
      },
      {
        key: 'amount',
        choices: CHOICES,
        ask: ({ turn }, { symbol, destination, available }) => ({
          text: turn.words.html('withdraw.ask_amount_token', {
            symbol: code(symbol),
            to: code(shortAddress(answered(destination))),
            amount: available,
          }),
          keyboard: amountChoices(turn.words),
        }),
        read: async (ctx, typed, draft) => {
          const amount = readAmount(typed, draft.decimals);
          await ask.check(ctx, { ...draft, destination: answered(draft.destination), amount });
          return { kind: 'taken', draft: { amount } };
        },
      },
    ],
    finish: ask.finish,
  });
}

function destinationStep(ask: Pick<Ask, 'checkRecipient'>): Omit<Step<FromDraft>, 'ask'> {
  return {
    key: 'destination',
    takesAddresses: true,
    choices: ({ saved }) => Object.fromEntries(saved.map((entry, index) => [`to${index}`, entry.address])),
    read: async (_ctx, typed, { sender }) => {
      const recipient = await ask.checkRecipient(sender, typed);
      return { kind: 'taken', draft: { destination: recipient.address } };
    },
  };
}

function destinationView(words: Words, asked: Html, saved: FromDraft['saved']): View {
  if (saved.length === 0) return { text: asked, placeholder: words.text('ask.destination') };
  return {
    text: html`${asked}\n${words.html('withdraw.saved_hint')}`,
    keyboard: keyboard(...saved.map(({ name }, index) => [choice(name, `to${index}`)]), [
      cancelChoice(words),
    ]),
  };
}

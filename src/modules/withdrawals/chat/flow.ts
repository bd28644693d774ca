import { type Address, shortAddress } from '@tradepost/solana';
import { z } from 'zod';
import type { WithdrawalServices } from '../../../compose/bot-deps.ts';
import type { Words } from '../../../compose/texts/words.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { address, answered, text, typedAmount } from '../../../platform/telegram/dialog/fields.ts';
import type { Form, Step } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import { cancelChoice, choice } from '../../../platform/telegram/ui/form-buttons.ts';
import { code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import { readSol } from '../../../platform/telegram/ui/read-amount.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { readTokenAmount } from '../../../platform/telegram/ui/token-amounts.ts';
import type { UiScale } from '../../tokens/rules/ui-scale.ts';
import { amountChoices } from './view.ts';

/** The wallet, the amount that can leave it (as shown), and the newest addresses of its book. */
const FROM = z.object({
  walletId: text,
  wallet: text,
  sender: address,
  available: text,
  /** Two nodes say different amounts: `available` is the lower one. */
  inDoubt: z.boolean(),
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
  /** Throws the refusal of the whole withdrawal. */
  readonly check: (ctx: BotContext, request: Withdrawal) => Promise<unknown>;
  readonly finish: (ctx: BotContext, request: Withdrawal) => Promise<void>;
};

const CHOICES = { p25: '25%', p50: '50%', max: 'max' } as const;

/** Destination, then amount. */
export function solForm(ask: Ask): Form<SolDraft> {
  return defineForm({
    id: 'withdraw_sol',
    version: 4,
    act: 'withdraw',
    draft: SOL_DRAFT,
    whole: SOL,
    steps: [
      {
        ...destinationStep(ask),
        ask: ({ turn: { words } }, { wallet, available, inDoubt, saved }) => {
          const asked = lines(
            words.html('withdraw.ask_destination_sol', { wallet, sol: available }),
            inDoubt && words.html('funds.in_doubt'),
          );
          return destinationView(words, asked, saved);
        },
      },
      {
        key: 'amount',
        choices: CHOICES,
        ask: ({ turn }, { destination, available, inDoubt }) => ({
          text: lines(
            turn.words.html('withdraw.ask_amount_sol', {
              to: code(shortAddress(answered(destination))),
              sol: available,
            }),
            inDoubt && turn.words.html('funds.in_doubt'),
          ),
          keyboard: amountChoices(turn.words),
        }),
        read: async (ctx, typed, draft) => {
          const amount = readSol(typed);
          await ask.check(ctx, { ...draft, destination: answered(draft.destination), amount });
          return { kind: 'taken', draft: { amount } };
        },
      },
    ],
    finish: ask.finish,
  });
}

/** As `solForm`, of a token. */
export function tokenForm(
  ask: Ask & { readonly scaleOf: (mint: Address) => Promise<UiScale | null> },
): Form<TokenDraft> {
  return defineForm({
    id: 'withdraw_token',
    version: 4,
    act: 'withdraw',
    draft: TOKEN_DRAFT,
    whole: TOKEN,
    steps: [
      {
        ...destinationStep(ask),
        ask: ({ turn: { words } }, { wallet, symbol, available, inDoubt, saved }) => {
          const named = { wallet, symbol: code(symbol), amount: available };
          const asked = lines(
            words.html('withdraw.ask_destination_token', named),
            inDoubt && words.html('funds.in_doubt'),
          );
          return destinationView(words, asked, saved);
        },
      },
      {
        key: 'amount',
        choices: CHOICES,
        ask: ({ turn }, { symbol, destination, available, inDoubt }) => ({
          text: lines(
            turn.words.html('withdraw.ask_amount_token', {
              symbol: code(symbol),
              to: code(shortAddress(answered(destination))),
              amount: available,
            }),
            inDoubt && turn.words.html('funds.in_doubt'),
          ),
          keyboard: amountChoices(turn.words),
        }),
        read: async (ctx, typed, draft) => {
          const amount = readTokenAmount(typed, {
            decimals: draft.decimals,
            uiScale: await ask.scaleOf(draft.mint),
          });
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

import { keysOf } from '../../../core/records.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { type Answers, plainForm } from '../../../platform/telegram/dialog/plain-form.ts';
import type { TypedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import { backChoice, cancelChoice, choice } from '../../../platform/telegram/ui/form-buttons.ts';
import { keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import { WALLET_NAME_MAX } from '../../wallets/rules/wallet.ts';
import { walletName } from '../../wallets/rules/wallet-name.ts';
import { SIGNAL_LIMITS } from '../rules/signal.ts';

/** Asks for the address of a wallet and its label. `check` throws for an address that is no wallet. */
export function followForm(
  check: (text: string) => Promise<unknown>,
  finish: (ctx: BotContext, answers: { readonly address: string; readonly label: string }) => Promise<void>,
): Form<Answers> {
  return plainForm({
    id: 'follow_wallet',
    version: 1,
    act: 'display',
    steps: [
      {
        key: 'address',
        takesAddresses: true,
        ask: ({ turn }) => ({
          text: turn.words.html('follow.ask_wallet'),
          placeholder: turn.words.text('ask.destination'),
        }),
        read: async (_ctx, typed) => {
          await check(typed);
          return { kind: 'taken', value: typed };
        },
      },
      {
        key: 'label',
        ask: ({ turn }) => ({
          text: turn.words.html('follow.ask_name', { max: WALLET_NAME_MAX }),
          placeholder: turn.words.text('ask.address_name'),
        }),
        read: (_ctx, typed) => ({ kind: 'taken', value: walletName(typed) }),
      },
    ],
    finish: (ctx, { address = '', label = '' }) => finish(ctx, { address, label }),
  });
}

export const LABEL_QUESTION = {
  id: 'follow_label',
  version: 1,
  act: 'display',
  text: 'follow.ask_label',
} as const satisfies TypedQuestion;

export const LEAST_QUESTION = {
  id: 'follow_least',
  version: 1,
  act: 'display',
  text: 'follow.ask_least',
  isSol: true,
} as const satisfies TypedQuestion;

/** Buttons of its questions, with the texts that they mean. */
const WALLETS = { n2: '2', n3: '3', n4: '4', n5: '5' } as const;
const SPANS = { t5: '5 min', t30: '30 min', t60: '1 h', t360: '6 h' } as const;

/** Asks how many wallets a signal takes, and within which time. `check` throws for a number or a time that it does not take. */
export function signalForm(
  check: (ctx: BotContext, answers: { readonly wallets: string; readonly span?: string }) => Promise<unknown>,
  finish: (ctx: BotContext, answers: { readonly wallets: string; readonly span: string }) => Promise<void>,
): Form<Answers> {
  return plainForm({
    id: 'follow_signal',
    version: 1,
    act: 'display',
    steps: [
      {
        key: 'wallets',
        choices: WALLETS,
        ask: ({ turn }) => ({
          text: turn.words.html('signal.ask_wallets', SIGNAL_LIMITS.wallets),
          keyboard: keyboard(
            keysOf(WALLETS).map((name) => choice(WALLETS[name], name)),
            [cancelChoice(turn.words)],
          ),
        }),
        read: async (ctx, typed) => {
          await check(ctx, { wallets: typed });
          return { kind: 'taken', value: typed };
        },
      },
      {
        key: 'span',
        choices: SPANS,
        ask: ({ turn }) => ({
          text: turn.words.html('signal.ask_span'),
          keyboard: keyboard(
            keysOf(SPANS).map((name) => choice(SPANS[name], name)),
            [backChoice(turn.words), cancelChoice(turn.words)],
          ),
        }),
        read: async (ctx, typed, { wallets = '' }) => {
          await check(ctx, { wallets, span: typed });
          return { kind: 'taken', value: typed };
        },
      },
    ],
    finish: (ctx, { wallets = '', span = '' }) => finish(ctx, { wallets, span }),
  });
}

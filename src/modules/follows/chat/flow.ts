import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { type Answers, plainForm } from '../../../platform/telegram/dialog/plain-form.ts';
import type { TypedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import { WALLET_NAME_MAX } from '../../wallets/rules/wallet.ts';
import { walletName } from '../../wallets/rules/wallet-name.ts';

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
} as const satisfies TypedQuestion;

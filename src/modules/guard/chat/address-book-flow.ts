import { z } from 'zod';
import type { WithdrawalServices } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { address, text } from '../../../platform/telegram/dialog/fields.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import { WALLET_NAME_MAX } from '../../wallets/rules/wallet.ts';
import { walletName } from '../../wallets/rules/wallet-name.ts';

/** The wallet whose book it is: its name and its address. */
const ENTERED = z.object({ walletId: text, wallet: text, sender: address });
const WHOLE = ENTERED.extend({ address, name: text });

/** Asks for an address and its name. */
export function addressForm(
  checkRecipient: WithdrawalServices['checkRecipient'],
  finish: (ctx: BotContext, entry: z.infer<typeof WHOLE>) => Promise<void>,
): Form<z.infer<typeof ENTERED>> {
  return defineForm({
    id: 'add_address',
    version: 2,
    act: 'address-add',
    draft: WHOLE.partial({ address: true, name: true }),
    whole: WHOLE,
    steps: [
      {
        key: 'address',
        takesAddresses: true,
        ask: ({ turn }, { wallet }) => ({
          text: turn.words.html('book.ask_address', { wallet }),
          placeholder: turn.words.text('ask.destination'),
        }),
        read: async (_ctx, typed, { sender }) => {
          const recipient = await checkRecipient(sender, typed);
          return { kind: 'taken', draft: { address: recipient.address } };
        },
      },
      {
        key: 'name',
        ask: ({ turn }) => ({
          text: turn.words.html('book.ask_name', { max: WALLET_NAME_MAX }),
          placeholder: turn.words.text('ask.address_name'),
        }),
        read: (_ctx, typed) => ({ kind: 'taken', draft: { name: walletName(typed) } }),
      },
    ],
    finish,
  });
}

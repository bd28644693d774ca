import { address } from '../../../core/address/address.ts';
import { WALLET_NAME_MAX } from '../../../core/wallets/wallet.ts';
import { walletName } from '../../../core/wallets/wallet-name.ts';
import type { BotContext } from '../../context.ts';
import type { WithdrawalServices } from '../../deps.ts';
import type { Answers, Form } from '../../dialog/form.ts';

/** Asks for an address and its name. Entered with `walletId`, `wallet` and `sender`. */
export function addressForm(
  checkRecipient: WithdrawalServices['checkRecipient'],
  finish: (ctx: BotContext, answers: Answers) => Promise<void>,
): Form {
  return {
    id: 'add_address',
    version: 1,
    steps: [
      {
        key: 'address',
        takesAddresses: true,
        ask: ({ turn }, answers) => ({
          text: turn.words.html('book.ask_address', { wallet: answers['wallet'] ?? '' }),
          placeholder: turn.words.text('ask.destination'),
        }),
        read: async (_ctx, text, answers) => {
          const recipient = await checkRecipient(address(answers['sender'] ?? ''), text);
          return { kind: 'taken', value: recipient.address };
        },
      },
      {
        key: 'name',
        ask: ({ turn }) => ({
          text: turn.words.html('book.ask_name', { max: WALLET_NAME_MAX }),
          placeholder: turn.words.text('ask.address_name'),
        }),
        read: (_ctx, text) => ({ kind: 'taken', value: walletName(text) }),
      },
    ],
    finish,
  };
}

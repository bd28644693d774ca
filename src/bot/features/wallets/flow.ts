import { WALLET_NAME_MAX } from '../../../core/wallets/wallet.ts';
import { walletName } from '../../../core/wallets/wallet-name.ts';
import type { BotContext } from '../../context.ts';
import type { Answers, Form } from '../../dialog/form.ts';
import { code } from '../../ui/html.ts';

/** Asks for a wallet's new name. Entered with `walletId` and `name`. */
export function renameForm(
  check: (ctx: BotContext, walletId: string, name: string) => Promise<void>,
  finish: (ctx: BotContext, answers: Answers) => Promise<void>,
): Form {
  return {
    id: 'rename_wallet',
    version: 1,
    steps: [
      {
        key: 'newName',
        ask: ({ turn }, answers) => ({
          text: turn.words.html('wallets.ask_name', { name: answers['name'] ?? '', max: WALLET_NAME_MAX }),
          placeholder: turn.words.text('ask.wallet_name'),
        }),
        read: async (ctx, text, answers) => {
          const name = walletName(text);
          await check(ctx, answers['walletId'] ?? '', name);
          return { kind: 'taken', value: name };
        },
      },
    ],
    finish,
  };
}

/** Asks to type the name of a wallet that is not empty. Entered with `walletId`, `name`, `sol`, `tokens` and `until`. */
export function deleteForm(finish: (ctx: BotContext, answers: Answers) => Promise<void>): Form {
  return {
    id: 'delete_wallet',
    version: 2,
    steps: [
      {
        key: 'typedName',
        ask: ({ turn }, answers) => ({
          text: turn.words.html('wallets.delete_full', {
            name: answers['name'] ?? '',
            sol: answers['sol'] ?? '',
            tokens: answers['tokens'] ?? '',
            address: code(answers['address'] ?? ''),
            typed: code(answers['name'] ?? ''),
            until: answers['until'] ?? '',
          }),
          placeholder: turn.words.text('ask.delete_name'),
        }),
        read: ({ turn }, text, answers) =>
          text === answers['name']
            ? { kind: 'taken', value: text }
            : {
                kind: 'refused',
                why: turn.words.html('wallets.delete_mismatch', { typed: code(answers['name'] ?? '') }),
              },
      },
    ],
    finish,
  };
}

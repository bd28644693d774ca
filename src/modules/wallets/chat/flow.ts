import { z } from 'zod';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { address, text } from '../../../platform/telegram/dialog/fields.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { WALLET_NAME_MAX } from '../rules/wallet.ts';
import { walletName } from '../rules/wallet-name.ts';

const NAMED = z.object({ walletId: text, name: text });
const RENAMED = NAMED.extend({ newName: text });

/** Asks for a wallet's new name. */
export function renameForm(
  check: (ctx: BotContext, walletId: string, name: string) => Promise<void>,
  finish: (ctx: BotContext, renamed: z.infer<typeof RENAMED>) => Promise<void>,
): Form<z.infer<typeof NAMED>> {
  return defineForm({
    id: 'rename_wallet',
    version: 2,
    act: 'wallet-rename',
    draft: RENAMED.partial({ newName: true }),
    whole: RENAMED,
    steps: [
      {
        key: 'newName',
        ask: ({ turn }, { name }) => ({
          text: turn.words.html('wallets.ask_name', { name, max: WALLET_NAME_MAX }),
          placeholder: turn.words.text('ask.wallet_name'),
        }),
        read: async (ctx, typed, { walletId }) => {
          const newName = walletName(typed);
          await check(ctx, walletId, newName);
          return { kind: 'taken', draft: { newName } };
        },
      },
    ],
    finish,
  });
}

/** A wallet that is not empty, with its holdings as texts. */
const FULL = NAMED.extend({ address, sol: text, tokens: text, until: text });
const DELETED = FULL.extend({ typedName: text });

/** Asks to type the name of a wallet that is not empty. */
export function deleteForm(
  finish: (ctx: BotContext, deleted: z.infer<typeof DELETED>) => Promise<void>,
): Form<z.infer<typeof FULL>> {
  return defineForm({
    id: 'delete_wallet',
    version: 3,
    act: 'wallet-delete-holding',
    draft: DELETED.partial({ typedName: true }),
    whole: DELETED,
    steps: [
      {
        key: 'typedName',
        ask: ({ turn }, { name, sol, tokens, address: held, until }) => ({
          text: turn.words.html('wallets.delete_full', {
            name,
            sol,
            tokens,
            address: code(held),
            typed: code(name),
            until,
          }),
          placeholder: turn.words.text('ask.delete_name'),
        }),
        read: ({ turn }, typed, { name }) =>
          typed === name
            ? { kind: 'taken', draft: { typedName: typed } }
            : { kind: 'refused', why: turn.words.html('wallets.delete_mismatch', { typed: code(name) }) },
      },
    ],
    finish,
  });
}

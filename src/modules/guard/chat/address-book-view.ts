import type { Words } from '../../../compose/texts/words.ts';
import { bold, code, lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import type { BookRow } from '../use/address-book.ts';

export const BOOK = 'address_book';

export function bookView(
  words: Words,
  facts: { readonly wallet: Wallet; readonly rows: readonly BookRow[]; readonly stateId: string },
): View {
  const { wallet, rows, stateId } = facts;
  return {
    text: lines(
      words.html('book.title', { wallet: wallet.name }),
      rows.length === 0 && words.html('book.none'),
      ...rows.map((row) =>
        words.html('book.row', {
          name: bold(row.entry.name),
          address: code(row.entry.address),
          state: row.usable
            ? words.html('book.usable')
            : words.html('book.waits', { at: utcText(row.usableAt) }),
        }),
      ),
    ),
    keyboard: keyboard(
      [act(words.text('btn.add_address'), BOOK, 'add', stateId)],
      ...rows.map(({ entry }, index) => [
        act(words.text('btn.remove_address', { name: entry.name }), BOOK, `remove-${index}`, stateId),
      ]),
      [nav(words.text('btn.security'), 'security', 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

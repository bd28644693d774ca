import { canonicalText } from '../core/canonical-text.ts';
import type { Button, ButtonRows, ButtonStore, SealedButton } from './ports/button-store.ts';
import type { ChatSeals } from './ports/chat-seals.ts';

/** Checks seals, and reports rows without a seal of this installation. */
export type SealCheck = {
  readonly seals: ChatSeals;
  /** A row that the chat did not write, or that was changed since: a button's id, or a dialogue's key. */
  readonly onForged: (row: { readonly table: 'buttons' | 'bot_dialogs'; readonly key: string }) => void;
};

/**
 * Buttons whose rows are sealed. One that was changed, moved to another id or person, or made by a writer of the database is no button:
 * `peek` and `consume` answer null and report it. Its use alone is not sealed: an effect has a key of its own that counts once.
 */
export function sealedButtons(rows: ButtonRows, check: SealCheck): ButtonStore {
  const believed = (row: SealedButton | null) => believedButton(row, check);
  return {
    insert: (buttons) =>
      rows.insert(
        buttons.map((button) => {
          // As the database gives it back: without the fields that JSON drops.
          const payload: unknown = JSON.parse(JSON.stringify(button.payload ?? null));
          return { ...button, payload, seal: check.seals.seal(textOf({ ...button, payload })) };
        }),
      ),
    peek: async (id, userId, now) => believed(await rows.peek(id, userId, now)),
    consume: async (id, userId, now) => believed(await rows.consume(id, userId, now)),
    deleteExpired: rows.deleteExpired,
  };
}

/** The row, when its seal is right; else null, reported. */
export function believedButton(row: SealedButton | null, { seals, onForged }: SealCheck): Button | null {
  if (row === null) return null;
  const { seal, ...button } = row;
  if (seals.isSealed(textOf(button), seal)) return button;
  onForged({ table: 'buttons', key: row.id });
  return null;
}

const textOf = ({ id, userId, action, expiresAt, payload }: Omit<Button, 'usedAt'>): string =>
  `tradepost/button/1${canonicalText([id, userId, action, expiresAt, payload])}`;

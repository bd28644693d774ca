import { canonicalText } from '../../../core/canonical-text.ts';
import type { Intent } from './intent.ts';

/** A person confirms all parts of an intent that decide its signature. */
export type ConfirmedIntent = Pick<Intent, 'id' | 'idemKey' | 'walletId' | 'params'> & {
  readonly userId: string;
};

/**
 * The text that the signer's code is made over: version 1. Made of the decoded values and never of stored JSON text, whose spaces and order
 * of keys the database changes. No two requests share a text: every part carries its type and its length. A property that is absent and one
 * that is `undefined` are the same. So a property that later versions add leaves the texts of older rows unchanged, as long as it stays
 * absent in them.
 */
export function confirmationText({ id, idemKey, userId, walletId, params }: ConfirmedIntent): string {
  return `tradepost/intent/1${canonicalText([id, idemKey, params.kind, userId, walletId, params])}`;
}

/** Whether two values have the same canonical text. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return canonicalText(a) === canonicalText(b);
}

import type { AccountState } from '../account-state.ts';
import type { Address } from '../address.ts';
import type { LandedTransaction, TransactionStatus } from '../landed-transaction.ts';

/** The events of the chain, in order. Slots and their hashes need no entry: they follow from the seed. */
export type JournalEntry =
  | { readonly kind: 'landed'; readonly transaction: LandedTransaction }
  /** The remains of a transaction that history has dropped, after compaction. */
  | { readonly kind: 'status'; readonly status: TransactionStatus }
  | {
      readonly kind: 'written';
      readonly address: Address;
      readonly state: AccountState | null;
      readonly slot: number;
      readonly unixSeconds: number;
    };

const KINDS: ReadonlySet<string> = new Set(['landed', 'status', 'written']);

/** One line of JSON without its line end. Bigints and bytes are tagged text. */
export function encodeEntry(entry: JournalEntry): string {
  return JSON.stringify(entry, replace);
}

/** The entry on a line. Throws when the line is not one. */
export function decodeEntry(line: string): JournalEntry {
  const entry = JSON.parse(line, revive) as JournalEntry;
  if (!KINDS.has(entry.kind)) throw new SyntaxError('unknown kind of entry');
  return entry;
}

const BIGINT_TAG = '\u0001n';
const BYTES_TAG = '\u0001b';

export function replace(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return BIGINT_TAG + value.toString();
  // Buffers have a toJSON of their own, which has already run here: look at the holder instead.
  const raw = (this as Record<string, unknown>)[key];
  return raw instanceof Uint8Array ? BYTES_TAG + Buffer.from(raw).toString('base64') : value;
}

export function revive(_: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.charCodeAt(0) !== 1) return value;
  if (value.startsWith(BIGINT_TAG)) return BigInt(value.slice(2));
  return value.startsWith(BYTES_TAG) ? new Uint8Array(Buffer.from(value.slice(2), 'base64')) : value;
}

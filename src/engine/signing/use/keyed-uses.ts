import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import { KEY_LIMITS } from '../../../modules/personal-keys/rules/personal-key.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { JournalBook } from '../rules/book.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { KeyedEntry } from '../rules/record.ts';
import { denySignature } from './deny-signature.ts';
import { type EndDeps, endOfIntent } from './end-of-intent.ts';

/** A request of a personal key that is about to be confirmed. */
export type AskedUse = Omit<KeyedEntry, 'kind'>;

/**
 * Writes down that a request was confirmed for its intent. Throws KEY_REQUEST_REFUSED: `ended` where its person ended the key,
 * `replayed` where a request with its nonce was, `day-cap` where with the others of 24 hours the key would spend more than `mostLamports`. Of one idempotency key the largest request
 * counts, for one of them alone is ever signed. Rows have no say.
 */
export async function takeUse(
  {
    book,
    write,
    clock,
  }: {
    readonly book: JournalBook;
    readonly write: (entry: WritableEntry) => Promise<void>;
    readonly clock: Clock;
  },
  use: AskedUse,
  mostLamports: bigint,
): Promise<void> {
  const { keyId, nonce, idemKey, lamports } = use;
  if (book.keyed.isEnded(keyId)) throw new AppError('KEY_REQUEST_REFUSED', { why: 'ended' });
  if (book.keyed.isUsed(keyId, nonce)) throw new AppError('KEY_REQUEST_REFUSED', { why: 'replayed' });
  const since = windowStart(KEY_LIMITS.dayMs, clock);
  if (lamports > 0n && book.keyed.spentSince(keyId, since, idemKey) + lamports > mostLamports)
    throw new AppError('KEY_REQUEST_REFUSED', { why: 'day-cap' });
  await write({ kind: 'keyed', ...use });
}

/**
 * Returns where the journal confirmed a request for the intent within a day, its key was not ended, and no other intent of its
 * idempotency key was signed.
 * Throws POLICY_DENIED (`personal-key`), and ATTEMPT_UNDECIDED while that is not known of another one.
 */
export async function assertOnlyOfRequest(deps: EndDeps, intentId: string, idemKey: string): Promise<void> {
  const { keyed } = deps.book;
  const notes = keyed.of(intentId);
  // An honest caller has an intent confirmed for one idempotency key.
  const [note] = notes;
  const isOther = notes.some((one) => one.idemKey !== idemKey);
  if (note === undefined || isOther || keyed.isEnded(note.keyId)) denySignature('personal-key');
  for (const other of keyed.others(note.keyId, idemKey, intentId)) {
    const end = await endOfIntent(deps, other);
    if (end === 'landed') denySignature('personal-key');
    if (end === 'undecided') throw new AppError('ATTEMPT_UNDECIDED', { attempt: null });
  }
}

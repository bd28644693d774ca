import { hasAged } from '../../../core/time/age.ts';
import type { SignedNote } from './book.ts';

/**
 * How long after its signature an attempt may be missing before the chain is asked for its fate. The question is never wrong, for sending
 * comes after the commit; but it must be answered before an order whose fire was lost fires again, 20 s later.
 */
export const ORPHAN_AFTER_MS = 5_000;

/**
 * How far above the highest processed height of any endpoint a transaction can still land: a blockhash's life of 150 blocks, 150 that every
 * endpoint may lag behind the builder of the message, 50 for the age of the height, and 50 to spare.
 */
export const DIES_AFTER_BLOCKS = 400n;

/** The answer of one statement on the requested intents and signatures. */
export type KnownRows = {
  readonly intents: ReadonlySet<string>;
  readonly signatures: ReadonlySet<string>;
};

type Note = Pick<SignedNote, 'signature' | 'intentId' | 'at'>;

export type FenceReason =
  | 'the newest stored attempt is gone'
  | 'an intent that was signed for is unknown'
  | 'a signature that the database does not know has landed';

/** The verdict on the rows. */
export type BooksVerdict =
  | { readonly kind: 'fence'; readonly reason: FenceReason; readonly signature: string }
  | {
      readonly kind: 'sound';
      /** Open records whose attempt is there. */
      readonly stored: readonly string[];
      /** Open records whose attempt should be there by now: the chain decides on them. */
      readonly orphans: readonly string[];
    };

/** The rule of the signer's journal; each row can be left out, so that a test can show its purpose. */
export type FenceRules = {
  /** The newest stored attempt must be there. */
  readonly newestStored: boolean;
  /** An open record's intent must be there: intents are committed before they are signed. */
  readonly unknownIntent: boolean;
  /** A missing attempt is looked for on the chain. */
  readonly orphans: boolean;
  /** Another message of the same intent is signed only when the former one cannot land any more. */
  readonly otherMessage: boolean;
  /** A wallet waits while a signature of it for another intent is missing in the database and not decided. */
  readonly sameWallet: boolean;
};
export const FENCE_RULES: FenceRules = {
  newestStored: true,
  unknownIntent: true,
  orphans: true,
  otherMessage: true,
  sameWallet: true,
};

/** Compares the journal with the database. Pure; `now` is epoch milliseconds of the clock that the notes were written by. */
export function judgeBooks(
  { open, newestStored }: { readonly open: readonly Note[]; readonly newestStored: readonly Note[] },
  rows: KnownRows,
  now: number,
  rules: FenceRules = FENCE_RULES,
): BooksVerdict {
  const gone = newestStored.find(({ signature }) => !rows.signatures.has(signature));
  if (rules.newestStored && gone !== undefined)
    return { kind: 'fence', reason: 'the newest stored attempt is gone', signature: gone.signature };
  const lost = open.find(({ intentId }) => !rows.intents.has(intentId));
  if (rules.unknownIntent && lost !== undefined)
    return { kind: 'fence', reason: 'an intent that was signed for is unknown', signature: lost.signature };
  const missing = open.filter(({ signature }) => !rows.signatures.has(signature));
  return {
    kind: 'sound',
    stored: open.filter(({ signature }) => rows.signatures.has(signature)).map(({ signature }) => signature),
    // A clock that was set back makes nothing younger than it is for good: the height decides then.
    orphans: rules.orphans
      ? missing
          .filter(({ at }) => hasAged(at, ORPHAN_AFTER_MS, now) || now < at)
          .map(({ signature }) => signature)
      : [],
  };
}

/** How long a signature is on its way into the database before its wallet waits for it. */
const HOLD_AFTER_MS = 1_000;

/**
 * The open record that a wallet has to wait for, or null. `open` was just compared: its records are in no attempt. Where the database lost
 * an attempt but not its intent, the intent lapses and its source asks anew, under another name.
 */
export function heldBy<N extends Pick<SignedNote, 'intentId' | 'walletId' | 'at'>>(
  open: readonly N[],
  asked: { readonly intentId: string; readonly walletId: string },
  now: number,
): N | null {
  return (
    open.find(
      ({ intentId, walletId, at }) =>
        walletId === asked.walletId &&
        intentId !== asked.intentId &&
        (hasAged(at, HOLD_AFTER_MS, now) || now < at),
    ) ?? null
  );
}

/** The answer of the signer's own look at the chain on a signature. */
export type ChainWord = 'dead' | 'failed' | 'landed' | 'undecided';

/** The verdict on an orphan. Sending comes after the commit, so a landed one was in the database once. */
export function judgeOrphan(word: ChainWord): 'fence' | 'ended' | 'wait' {
  if (word === 'landed' || word === 'failed') return 'fence';
  return word === 'dead' ? 'ended' : 'wait';
}

/** A request beside one earlier message of the same intent. `isKnown` = its attempt is in the database. */
export function judgeOther(word: ChainWord, isKnown: boolean): 'sign' | 'refuse' | 'fence' | 'wait' {
  switch (word) {
    case 'dead':
    case 'failed':
      return 'sign';
    case 'landed':
      return isKnown ? 'refuse' : 'fence';
    case 'undecided':
      return 'wait';
  }
}

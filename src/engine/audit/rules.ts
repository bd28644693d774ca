import type { CapKind } from '../../modules/guard/rules/cap.ts';
import type { Verdict } from '../intents/rules/review.ts';

/**
 * The actor: a person of the desk, an operator, the mail reader of an API account, or the service by itself. An operator is named at the
 * command line by their login, and in the chat by their Telegram id (`operator:tg:7`).
 */
export type Actor = `user:${string}` | `operator:${string}` | `account:${string}` | 'service';

/**
 * The sensitive acts and the details kept of each. Plain data for every reader of the trail: addresses, amounts as decimal text, names of
 * rows; never a PIN, a code, a key or a means to open one. An act is never renamed or reused.
 */
export type ActDetails = {
  'pin-set': Record<never, never>;
  'pin-changed': Record<never, never>;
  /** A first PIN was taken away by Stop before it was ripe. */
  'pin-removed': Record<never, never>;
  /** Outcome `refused`; with no tries left it locked. */
  'pin-wrong': { readonly triesLeft: number; readonly lockedUntil: number | null };
  'second-factor-set': Record<never, never>;
  'second-factor-removed': Record<never, never>;
  'second-factor-end-asked': { readonly at: number };
  'recovery-codes-renewed': Record<never, never>;
  'cap-changed': { readonly cap: CapKind; readonly lamports: string; readonly from: number | null };
  /** Notices go to this mail, shortened, from `at` on; null = to none. */
  'notice-mail-changed': { readonly mail: string | null; readonly at: number };
  'address-added': { readonly walletId: string; readonly address: string };
  'address-removed': { readonly walletId: string; readonly address: string };
  frozen: Record<never, never>;
  'unfreeze-asked': { readonly until: number | null };
  /** An operator ended a freeze at once. */
  'freeze-ended': { readonly reason: string };
  'withdrawal-confirmed': {
    readonly intentId: string;
    readonly destination: string;
    /** Null = SOL. */
    readonly mint: string | null;
    readonly amount: string;
    readonly notBefore: number | null;
  };
  'withdrawal-cancelled': { readonly intentId: string };
  'wallet-created': { readonly walletId: string; readonly address: string };
  'wallet-imported': { readonly walletId: string; readonly address: string };
  'wallet-deleted': { readonly walletId: string; readonly address: string };
  'wallet-restored': { readonly walletId: string; readonly address: string };
  /** `was` stays reserved for a while: no other wallet of the person may have it. */
  'wallet-renamed': {
    readonly walletId: string;
    readonly address: string;
    readonly was: string;
    readonly name: string;
  };
  /** An imported wallet is to receive, or payouts are to go to a wallet, from `at` on. */
  'wallet-confirm-asked': { readonly walletId: string; readonly address: string; readonly at: number };
  'payout-wallet-asked': { readonly walletId: string; readonly address: string; readonly at: number };
  'wallet-exported': { readonly walletId: string; readonly address: string };
  /** A key file was asked for, and may be taken from `readyAt` on. */
  'export-asked': { readonly walletId: string; readonly address: string; readonly readyAt: number };
  'export-stopped': { readonly walletId: string; readonly address: string };
  /** It may trade until `at`. */
  'personal-key-added': { readonly keyId: string; readonly address: string; readonly at: number };
  'personal-key-ended': { readonly keyId: string; readonly address: string };
  'api-key-issued': { readonly keyId: string; readonly account: string; readonly scopes: readonly string[] };
  'key-request-granted': {
    readonly requestId: string;
    readonly ratePerSecond: number;
    readonly dayQuota: number | null;
    readonly maxReferrerFeeBps: number;
    readonly scopes: readonly string[];
  };
  'key-request-refused': { readonly requestId: string };
  /** The key of a granted request was made, and shown or mailed. */
  'api-key-claimed': { readonly keyId: string; readonly requestId: string };
  /** `keyId` replaces `replaced`; null when that could not be replaced. */
  'api-key-rotated': { readonly keyId: string | null; readonly replaced: string };
  'api-key-revoked': { readonly keyId: string };
  'switch-paused': { readonly what: string; readonly reason: string; readonly until: number | null };
  'switch-resumed': { readonly what: string; readonly reason: string };
  'kek-rotated': { readonly kek: string; readonly rewrapped: number; readonly unreadable: number };
  /** An operator ended an intent that waited for a person; `forced` against the endpoints' answers. */
  'review-resolved': {
    readonly intentId: string;
    readonly verdict: Verdict;
    readonly signature: string | null;
    readonly reason: string;
    readonly forced: boolean;
  };
  reconciled: { readonly findings: number; readonly mismatches: number; readonly accepted: boolean };
  /** The cluster runs this build of a venue's program: the first one seen, or one that replaced another. */
  'program-build-seen': { readonly program: string; readonly slot: string; readonly sha256: string };
  /** The database is older than the signatures: nothing is signed until it was compared with the chain. */
  'signing-fenced': { readonly reason: string; readonly intentId: string; readonly signature: string };
  /** Every signature of the journal is known again, or named in the report. */
  'signing-unfenced': { readonly accepted: number };
  /** Any other command that changes something, with its words as they were typed. */
  'operator-command': { readonly command: string; readonly words: readonly string[] };
};

export type Act = keyof ActDetails;
/** `unchanged`: it was so already. */
export type Outcome = 'done' | 'refused' | 'unchanged';

/** An act to be written down. `subject` is the person whom it is about, who can read it. */
export type ActEntry = {
  [A in Act]: {
    readonly at: number;
    readonly actor: Actor;
    readonly act: A;
    readonly subject: string | null;
    readonly outcome: Outcome;
    readonly details: ActDetails[A];
  };
}[Act];

/** An act of the service by itself. */
export function ownWork<A extends Act>(at: number, act: A, details: ActDetails[A]): ActEntry {
  return actOf(act, { at, actor: 'service', subject: null, outcome: 'done', details });
}

/** An act with its own details. */
function actOf<A extends Act>(
  act: A,
  entry: Omit<Extract<ActEntry, { act: Act }>, 'act' | 'details'> & { readonly details: ActDetails[A] },
): ActEntry {
  return { ...entry, act } as ActEntry;
}

/** An act of a person on their own account. */
export function ownAct<A extends Act>(
  userId: string,
  at: number,
  act: A,
  details: ActDetails[A],
  outcome: Outcome = 'done',
): ActEntry {
  return actOf(act, { at, actor: `user:${userId}`, subject: userId, outcome, details });
}

/** An act of a person who reads the mail of an account of the API. */
export function accountAct<A extends Act>(
  account: string,
  at: number,
  act: A,
  details: ActDetails[A],
): ActEntry {
  return actOf(act, { at, actor: `account:${account}`, subject: null, outcome: 'done', details });
}

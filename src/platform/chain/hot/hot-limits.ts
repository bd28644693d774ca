import type { WantedLimits } from './wanted-sets.ts';

export const LIMITS: WantedLimits = { pools: 32, accounts: 400, busyMs: 60_000, keepMs: 300_000 };
/** Slots that a healthy node's subscriptions are behind its reads anyway. */
export const USUAL_LAG_SLOTS = 3n;
export const RECONNECT_MS = 1_000;
export const LONGEST_RECONNECT_MS = 60_000;
/** A connection that lived this long was a good one: the next one is tried at once again. */
export const GOOD_AFTER_MS = 60_000;
export const SILENCE_MS = 10_000;
export const MAX_UNANSWERED = 64;
/** Versions of one account that wait for the clock. */
export const MAX_VERSIONS = 64;
/** Notices between two clocks, per account followed. */
export const MAX_NOTICES = 20;
export const AUDIT_MS = 20_000;

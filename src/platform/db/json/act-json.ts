import { z } from 'zod';
import { hasCode } from '../../../core/errors/app-error.ts';
import { isKeyOf } from '../../../core/records.ts';
import type { Act, ActDetails } from '../../../engine/audit/rules.ts';
import { VERDICTS } from '../../../engine/intents/rules/review.ts';
import { count, exactly, flag, orNull, rate, time } from './fields.ts';
import { type JsonColumn, jsonColumn } from './json-column.ts';

/** Details of the audit log's acts. */

const nothing = exactly<Record<never, never>>({});
const moment = orNull(time);
const digits = z.string().regex(/^\d+$/, { error: 'a whole number in digits' });
/** Short on purpose: nothing that holds a secret fits unnoticed. */
const word = z.string().max(128);
const wallet = exactly({ walletId: word, address: word });

/** The fields that each act keeps, and no others: a field too many is refused, as it might be the one that should not be there. */
const DETAILS: { readonly [A in Act]: z.ZodType<ActDetails[A], unknown> } = {
  'pin-set': nothing,
  'pin-changed': nothing,
  'pin-removed': nothing,
  'pin-wrong': exactly({ triesLeft: count, lockedUntil: moment }),
  'second-factor-set': nothing,
  'second-factor-removed': nothing,
  'second-factor-end-asked': exactly({ at: time }),
  'recovery-codes-renewed': nothing,
  'cap-changed': exactly({ cap: z.enum(['withdrawals', 'spending']), lamports: digits, from: moment }),
  'notice-mail-changed': exactly({ mail: z.string().max(300).nullable(), at: time }),
  'address-added': wallet,
  'address-removed': wallet,
  frozen: nothing,
  'unfreeze-asked': exactly({ until: moment }),
  'freeze-ended': exactly({ reason: z.string().max(200) }),
  'withdrawal-confirmed': exactly({
    intentId: word,
    destination: word,
    mint: word.nullable(),
    amount: digits,
    notBefore: moment,
  }),
  'withdrawal-cancelled': exactly({ intentId: word }),
  'wallet-created': wallet,
  'wallet-imported': wallet,
  'wallet-deleted': wallet,
  'wallet-restored': wallet,
  'wallet-exported': wallet,
  'wallet-renamed': exactly({ walletId: word, address: word, was: word, name: word }),
  'wallet-confirm-asked': exactly({ walletId: word, address: word, at: time }),
  'payout-wallet-asked': exactly({ walletId: word, address: word, at: time }),
  'export-asked': exactly({ walletId: word, address: word, readyAt: time }),
  'export-stopped': wallet,
  'personal-key-added': exactly({ keyId: word, address: word, at: time }),
  'personal-key-ended': exactly({ keyId: word, address: word }),
  'api-key-issued': exactly({ keyId: word, account: word, scopes: z.array(word) }),
  'key-request-granted': exactly({
    requestId: word,
    ratePerSecond: count,
    dayQuota: orNull(count),
    maxReferrerFeeBps: rate,
    scopes: z.array(word),
  }),
  'key-request-refused': exactly({ requestId: word }),
  'api-key-claimed': exactly({ keyId: word, requestId: word }),
  'api-key-rotated': exactly({ keyId: orNull(word), replaced: word }),
  'api-key-revoked': exactly({ keyId: word }),
  'program-build-seen': exactly({ program: word, slot: word, sha256: word }),
  'signing-fenced': exactly({ reason: word, intentId: word, signature: word }),
  'signing-unfenced': exactly({ accepted: count }),
  'switch-paused': exactly({ what: word, reason: z.string().max(200), until: moment }),
  'switch-resumed': exactly({ what: word, reason: z.string().max(200) }),
  'kek-rotated': exactly({
    kek: word,
    rewrapped: count,
    unreadable: count,
  }),
  'review-resolved': exactly({
    intentId: word,
    verdict: z.enum(VERDICTS),
    signature: word.nullable(),
    reason: z.string().max(200),
    forced: flag,
  }),
  reconciled: exactly({
    findings: count,
    mismatches: count,
    accepted: flag,
  }),
  'operator-command': exactly({ command: word, words: z.array(z.string().max(256)) }),
};

/** By the act's name, which is in a column of its own. */
export const ACT_DETAILS = Object.fromEntries(
  Object.entries(DETAILS).map(([act, details]) => [
    act,
    jsonColumn<unknown>('audit_log.details', [details, details]),
  ]),
) as unknown as { readonly [A in Act]: JsonColumn<ActDetails[A]> };

/** JSON text of the details. Throws ROW_INVALID, which names the act, when they are not those of the act. */
export function encodeDetails<A extends Act>(act: A, details: ActDetails[A]): string {
  return ACT_DETAILS[act].encode(act, details);
}

/**
 * The details of act number `id`; null when this version cannot read them. One act that a newer version or an intruder wrote must not keep
 * the others from being read.
 */
export function decodeDetails(act: string, id: string, stored: unknown): ActDetails[Act] | null {
  if (!isKeyOf(ACT_DETAILS, act)) return null;
  try {
    return ACT_DETAILS[act].decode(id, stored);
  } catch (error) {
    if (hasCode(error, 'ROW_INVALID')) return null;
    throw error;
  }
}

import { z } from 'zod';
import type { Act, ActDetails } from '../../core/audit-log/act.ts';

const nothing = z.strictObject({});
const time = z.number().int().nullable();
/** Short on purpose: nothing that holds a secret fits unnoticed. */
const word = z.string().max(128);
const wallet = z.strictObject({ walletId: word, address: word });

/** What each act keeps, and nothing else: a field too many is refused, as it might be the one that should not be there. */
const DETAILS: { readonly [A in Act]: z.ZodType<ActDetails[A]> } = {
  'pin-set': nothing,
  'pin-changed': nothing,
  'pin-wrong': z.strictObject({ triesLeft: z.number().int().min(0), lockedUntil: time }),
  'second-factor-set': nothing,
  'second-factor-removed': nothing,
  'second-factor-end-asked': z.strictObject({ at: z.number().int() }),
  'recovery-codes-renewed': nothing,
  'cap-changed': z.strictObject({ cap: z.enum(['withdrawals', 'spending']), lamports: z.string().regex(/^\d+$/), from: time }),
  'address-added': wallet,
  'address-removed': wallet,
  frozen: nothing,
  'unfreeze-asked': z.strictObject({ until: time }),
  'withdrawal-confirmed': z.strictObject({
    intentId: word,
    destination: word,
    mint: word.nullable(),
    amount: z.string().regex(/^\d+$/),
    notBefore: time,
  }),
  'withdrawal-cancelled': z.strictObject({ intentId: word }),
  'wallet-created': wallet,
  'wallet-imported': wallet,
  'wallet-deleted': wallet,
  'wallet-restored': wallet,
  'wallet-exported': wallet,
  'api-key-issued': z.strictObject({ keyId: word, account: word, scopes: z.array(word) }),
  'api-key-revoked': z.strictObject({ keyId: word }),
  'switch-paused': z.strictObject({ what: word, reason: z.string().max(200), until: time }),
  'switch-resumed': z.strictObject({ what: word, reason: z.string().max(200) }),
  'kek-rotated': z.strictObject({
    kek: word,
    rewrapped: z.number().int().min(0),
    unreadable: z.number().int().min(0),
  }),
  reconciled: z.strictObject({
    findings: z.number().int().min(0),
    mismatches: z.number().int().min(0),
    accepted: z.boolean(),
  }),
  'operator-command': z.strictObject({ command: word, words: z.array(z.string().max(256)) }),
};

/** JSON text of the details. Throws when they are not those of the act. */
export function encodeDetails<A extends Act>(act: A, details: ActDetails[A]): string {
  return JSON.stringify(DETAILS[act].parse(details));
}

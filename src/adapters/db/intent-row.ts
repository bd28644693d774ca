import type { Intent, IntentOutcome } from '../../core/intents/intent.ts';
import type { IntentParams } from '../../core/intents/params.ts';
import { decodeTagged, fromTime, fromTimeOrNull } from './codec.ts';

export const INTENT_COLUMNS = `id, receipt, kind, user_id AS "userId", wallet_id AS "walletId", idem_key AS "idemKey", params, status,
  not_before AS "notBefore", lease_owner AS "leaseOwner", lease_until AS "leaseUntil", lease_epoch AS "leaseEpoch",
  outcome, created_at AS "createdAt", updated_at AS "updatedAt"`;

export type IntentRow = Omit<
  Intent,
  'params' | 'notBefore' | 'leaseUntil' | 'outcome' | 'createdAt' | 'updatedAt'
> & {
  readonly params: unknown;
  readonly notBefore: Date | null;
  readonly leaseUntil: Date | null;
  readonly outcome: unknown;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export function toIntent(row: IntentRow): Intent {
  return {
    ...row,
    params: decodeTagged(row.params) as IntentParams,
    notBefore: fromTimeOrNull(row.notBefore),
    leaseUntil: fromTimeOrNull(row.leaseUntil),
    outcome: decodeTagged(row.outcome) as IntentOutcome | null,
    createdAt: fromTime(row.createdAt),
    updatedAt: fromTime(row.updatedAt),
  };
}

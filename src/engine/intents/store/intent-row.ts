import { AppError } from '../../../core/errors/app-error.ts';
import { fromTime, fromTimeOrNull } from '../../../platform/db/codec.ts';
import { OUTCOME, PARAMS } from '../../../platform/db/json/intent-json.ts';
import type { Intent } from '../rules/intent.ts';

export const INTENT_COLUMNS = `id, receipt, kind, user_id AS "userId", wallet_id AS "walletId", idem_key AS "idemKey", params, status,
  not_before AS "notBefore", lease_owner AS "leaseOwner", lease_until AS "leaseUntil", lease_epoch AS "leaseEpoch",
  outcome, created_at AS "createdAt", updated_at AS "updatedAt", confirmation`;

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

/** Throws ROW_INVALID for a row that no release wrote. */
export function toIntent(row: IntentRow): Intent {
  const { id } = row;
  const params = PARAMS.decode(id, row.params);
  // The column chooses the rules of retry, the params the signed transaction: they must agree.
  if (params.kind !== row.kind) {
    throw new AppError('ROW_INVALID', { table: 'intents', row: id, field: 'kind', expected: params.kind });
  }
  return {
    ...row,
    params,
    notBefore: fromTimeOrNull(row.notBefore),
    leaseUntil: fromTimeOrNull(row.leaseUntil),
    outcome: row.outcome === null ? null : OUTCOME.decode(id, row.outcome),
    createdAt: fromTime(row.createdAt),
    updatedAt: fromTime(row.updatedAt),
  };
}

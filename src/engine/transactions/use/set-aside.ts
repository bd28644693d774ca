import { hasCode } from '../../../core/errors/app-error.ts';
import { OPEN_INTENT_STATUSES } from '../../intents/rules/intent.ts';
import type { TransactionDeps } from './deps.ts';

/**
 * An intent whose own rows cannot be read waits for a person: NEEDS_REVIEW, with the field that is wrong as its reason. Nothing more is
 * signed for it, all that was signed or held for it stays, and the operator reads one line. False for any other error, and for a row of a
 * later release, which its own workers can read: such a step is only refused.
 */
export async function setAside(
  { db, clock, log }: Pick<TransactionDeps, 'db' | 'clock' | 'log'>,
  intentId: string,
  error: unknown,
): Promise<boolean> {
  if (!hasCode(error, 'ROW_INVALID')) return false;
  const { table, row, field } = error.details;
  if (table !== 'attempts' && !(table === 'intents' && row === intentId)) return false;
  if (field.endsWith('.v')) return false;
  const { code: reason, details } = error;
  const set = await db.intents.update(
    intentId,
    { statuses: OPEN_INTENT_STATUSES },
    { status: 'NEEDS_REVIEW', outcome: { reason, details, receipt: null }, updatedAt: clock.now() },
  );
  log.warn({ intentId, ...details, set }, 'a stored row cannot be read: the intent waits for a person');
  return true;
}

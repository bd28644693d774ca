import { AppError } from '../../core/errors/app-error.ts';
import type { IntentParams } from '../../core/intents/params.ts';
import type { Database } from '../../core/ports/stores.ts';

/** A withdrawal about to be confirmed. */
export type GuardedWithdrawal = {
  readonly userId: string;
  readonly walletId: string;
  readonly params: Extract<IntentParams, { kind: 'withdraw-sol' | 'withdraw-token' }>;
};

/**
 * The one gate every withdrawal passes before it becomes an intent: what may stop or delay it belongs here and nowhere
 * else. Returns the moment before which nothing may be built, null = at once. Throws SIGNING_PAUSED while the operator has
 * withdrawals switched off.
 */
export async function guardWithdrawal(
  { db }: { readonly db: Pick<Database, 'flags'> },
  _withdrawal: GuardedWithdrawal,
): Promise<{ readonly notBefore: number | null }> {
  if (await db.flags.isSet('withdrawals-paused')) throw new AppError('SIGNING_PAUSED', {});
  return { notBefore: null };
}

import type { Intent } from '../../core/intents/intent.ts';
import type { Database } from '../../core/ports/stores.ts';
import {
  type CreateIntentDeps,
  type CreateIntentInput,
  createIntent,
} from '../transactions/create-intent.ts';
import { type GuardedWithdrawal, guardWithdrawal } from './guard-withdrawal.ts';

/**
 * Turns a confirmed quote into an intent, once per `idemKey`. The rules of the quote are not asked again here: the built
 * transaction is simulated, and a balance that changed meanwhile refuses it before anything is signed. Throws what
 * `guardWithdrawal` and `createIntent` throw.
 */
export async function confirmWithdrawal(
  deps: Omit<CreateIntentDeps, 'db'> & { readonly db: Pick<Database, 'transact' | 'flags'> },
  input: GuardedWithdrawal & Pick<CreateIntentInput, 'idemKey' | 'buttonId' | 'progress'>,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  const { notBefore } = await guardWithdrawal(deps, input);
  return createIntent(deps, { ...input, ...(notBefore === null ? {} : { notBefore }) });
}

import { AppError } from '../../../core/errors/app-error.ts';
import { preparedOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { CreateIntentInput } from '../../../engine/transactions/use/create-intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { ConfirmMintDeps } from './confirm-mint.ts';

/**
 * Begins the second half of a creation again, after one that came to nothing: once per failure, however often it is tapped. Throws
 * BUTTON_STALE when that intent left nothing to finish: it is another person's, still open, done, or under review.
 */
export async function finishToken(
  deps: Pick<ConfirmMintDeps, 'createIntent'> & { readonly db: Pick<Stores, 'intents'> },
  input: Pick<CreateIntentInput, 'userId'> & {
    readonly intentId: string;
    readonly progress: NonNullable<CreateIntentInput['progress']>;
  },
): ReturnType<ConfirmMintDeps['createIntent']> {
  const { userId, progress } = input;
  const intent = await deps.db.intents.find(input.intentId);
  if (intent === null || intent.userId !== userId || !isUnfinished(intent)) {
    throw new AppError('BUTTON_STALE', {});
  }
  const { walletId, params } = intent;
  return deps.createIntent({ userId, walletId, params, idemKey: nextKey(intent.id), progress });
}

/**
 * Whether an intent is the second half of a creation that came to nothing. Not one under review: it may have filled the mint,
 * and nothing may fill it twice.
 */
export function isUnfinished({ params, status }: Pick<Intent, 'params' | 'status'>): boolean {
  return (
    preparedOf(params) !== null && (status === 'FAILED' || status === 'REJECTED' || status === 'EXPIRED')
  );
}

/** One successor per intent: two of them would mint the supply twice. */
export const nextKey = (intentId: string): string => `finish/${intentId}`;

/** The intent that a second half's key names, or null for another key. */
export function firstHalfOf(idemKey: string): string | null {
  return /^finish\/(.+)$/.exec(idemKey)?.[1] ?? null;
}

import { AppError } from '../../core/errors/app-error.ts';
import type { Attempt, Intent, LandedReceipt } from '../../core/intents/intent.ts';
import { readCreation } from '../../core/mint/read-creation.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import type { CreateTokenParams, PrepareTokenParams } from '../../intents/params.ts';
import type { CreateIntentInput } from '../transactions/create-intent.ts';
import { newIntent, stepJob } from '../transactions/new-intent.ts';
import type { ConfirmMintDeps } from './confirm-mint.ts';

/**
 * Writes the second half of a creation as an intent, inside the commit that makes the first half final: a crash at any moment
 * leaves either both to be done or the second. The chat message that showed the first half shows the second from here on.
 */
export async function followPreparation(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly treasury: Wallet },
  stores: Pick<Stores, 'intents' | 'outbox' | 'notices'>,
  { creation }: PrepareTokenParams,
  landed: { readonly intent: Intent; readonly attempt: Attempt; readonly receipt: LandedReceipt | null },
): Promise<void> {
  const { intent, attempt, receipt } = landed;
  const { userId, walletId } = intent;
  const { mint } = readCreation(attempt.signedTransaction, deps.treasury.address);
  const params: CreateTokenParams = {
    ...creation,
    prepared: {
      mint,
      rentLamports: receipt?.rentLamports ?? creation.mintRentLamports,
      feeLamports: receipt?.feeLamports ?? 0n,
    },
  };
  const inserted = await stores.intents.insert(
    newIntent(deps, {
      id: deps.ids.ulid(),
      userId,
      walletId,
      idemKey: nextKey(intent.id),
      params,
      notBefore: null,
      confirmation: null,
    }),
  );
  if (!inserted.created) return;
  await stores.outbox.add([stepJob(deps, inserted.intent)]);
  const shown = await stores.notices.progressMessage(intent.id);
  if (shown !== null) await stores.notices.setProgressMessage({ ...shown, intentId: inserted.intent.id });
}

/**
 * Begins the second half of a creation again, after one that came to nothing: once per failure, whatever is tapped. Throws
 * BUTTON_STALE when that intent left nothing to finish: it is somebody else's, still open, done, or under review.
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
    params.kind === 'create-token' &&
    params.prepared !== undefined &&
    (status === 'FAILED' || status === 'REJECTED' || status === 'EXPIRED')
  );
}

/** One successor per intent: two of them would mint the supply twice. */
const nextKey = (intentId: string): string => `finish/${intentId}`;

/** The intent that a second half's key names, or null for another key. */
export function firstHalfOf(idemKey: string): string | null {
  return /^finish\/(.+)$/.exec(idemKey)?.[1] ?? null;
}

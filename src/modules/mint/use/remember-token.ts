import type { CreateTokenParams } from '../../../engine/intents/kinds/create-token/params.ts';
import type { Attempt, Intent, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import { encodeRevokeReminder } from '../../../engine/intents/rules/notice-payload.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import type { CreatedToken } from '../rules/created-token.ts';
import { type ReadCreation, readCreation } from '../rules/read-creation.ts';
import { liveAuthorities } from './quote-revoke-authority.ts';

type Deps = { readonly clock: Clock; readonly ids: Ids; readonly treasury: Wallet };

/** When a creator who kept powers is asked whether they still want them. */
const REMIND_AFTER_MS = 24 * 3_600_000;
type Landed = {
  readonly intent: Intent;
  readonly attempt: Attempt;
  readonly receipt: LandedReceipt | null;
};

/**
 * Writes a created token down, inside the commit that makes its intent final. Writes down the reminder of the kept powers too, which the
 * sweeper finds when its day has come. Returns the content of the landed bytes.
 */
export async function rememberToken(
  { clock, ids, treasury }: Deps,
  stores: Pick<Stores, 'createdTokens' | 'wallets' | 'notices'>,
  params: Pick<CreateTokenParams, 'spec' | 'way' | 'uri' | 'metadataHash' | 'prepared'>,
  { intent, attempt, receipt }: Landed,
): Promise<ReadCreation> {
  const prepared = params.prepared?.mint ?? null;
  const creation = readCreation(attempt.signedTransaction, treasury.address, prepared);
  const wallet = await stores.wallets.find(intent.walletId);
  if (intent.userId === null || wallet === null) return creation;
  const at = receipt?.landedAt ?? clock.now();
  const { signature } = attempt;
  const { spec, way } = params;
  // An authority that was never kept was given up in the creating transaction.
  const revocations: CreatedToken['revocations'] = {
    ...(spec.mintAuthority ? {} : { mint: { signature, at } }),
    ...(spec.freezeAuthority ? {} : { freeze: { signature, at } }),
    ...(spec.updateAuthority || way === 'none' ? {} : { update: { signature, at } }),
  };
  const token: CreatedToken = {
    mint: creation.mint,
    userId: intent.userId,
    walletId: intent.walletId,
    creator: wallet.address,
    intentId: intent.id,
    signature,
    spec,
    way,
    uri: params.uri,
    metadataHash: params.metadataHash,
    createdAt: at,
    revocations,
  };
  const isNew = await stores.createdTokens.insert(token);
  if (isNew && liveAuthorities(token).length > 0) {
    await stores.notices.add([
      {
        id: ids.ulid(),
        userId: token.userId,
        intentId: null,
        kind: 'revoke-reminder',
        payload: encodeRevokeReminder({ mint: token.mint }),
        createdAt: clock.now() + REMIND_AFTER_MS,
        deliveredAt: null,
        attempts: 0,
      },
    ]);
  }
  return creation;
}

import type { Attempt, Intent, LandedReceipt } from '../../core/intents/intent.ts';
import type { CreateTokenParams, RevokeAuthorityParams } from '../../core/intents/params.ts';
import type { CreatedToken } from '../../core/mint/created-token.ts';
import { type ReadCreation, readCreation } from '../../core/mint/read-creation.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';

type Deps = { readonly clock: Clock; readonly treasury: Wallet };
type Landed = {
  readonly intent: Intent;
  readonly attempt: Attempt;
  readonly receipt: LandedReceipt | null;
};

/** Writes a created token down, inside the commit that makes its intent final. Returns what the landed bytes say. */
export async function rememberToken(
  { clock, treasury }: Deps,
  stores: Pick<Stores, 'createdTokens' | 'wallets'>,
  params: CreateTokenParams,
  { intent, attempt, receipt }: Landed,
): Promise<ReadCreation> {
  const creation = readCreation(attempt.signedTransaction, treasury.address);
  const wallet = await stores.wallets.find(intent.walletId);
  if (intent.userId === null || wallet === null) return creation;
  const at = receipt?.landedAt ?? clock.now();
  const { signature } = attempt;
  const { spec, way } = params;
  // What was never kept was given up in the creating transaction.
  const revocations: CreatedToken['revocations'] = {
    ...(spec.mintAuthority ? {} : { mint: { signature, at } }),
    ...(spec.freezeAuthority ? {} : { freeze: { signature, at } }),
    ...(spec.updateAuthority || way === 'none' ? {} : { update: { signature, at } }),
  };
  await stores.createdTokens.insert({
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
  });
  return creation;
}

/** Writes down that an authority is gone, inside the commit that makes its intent final. */
export async function rememberRevocation(
  { clock }: Pick<Deps, 'clock'>,
  stores: Pick<Stores, 'createdTokens'>,
  params: RevokeAuthorityParams,
  { attempt, receipt }: Landed,
): Promise<void> {
  const { signature } = attempt;
  await stores.createdTokens.markRevoked(params.mint, params.authority, {
    signature,
    at: receipt?.landedAt ?? clock.now(),
  });
}

import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import type { RevokeAuthorityParams } from '../../../engine/intents/kinds/revoke-authority/params.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { CreatedToken } from '../rules/created-token.ts';
import { REVOCABLE_AUTHORITIES, type RevocableAuthority } from '../rules/instructions/revoke-authority.ts';
import { tokenProgramOf } from '../rules/mint-size.ts';

export type RevocationQuote = {
  readonly token: CreatedToken;
  /** At most. */
  readonly networkFeeLamports: bigint;
  /** The input of `confirmRevokeAuthority`, with the wallet that holds the authority. */
  readonly params: RevokeAuthorityParams;
  readonly walletId: string;
};

/**
 * The plan of giving up one authority of a token that this person made here. Throws TOKEN_NOT_FOUND for anybody else's, exactly as for one
 * that is not known, and AUTHORITY_GONE when it has no holder any more. Throws FROZEN_FOR_EVER for the freeze authority while the mint lets
 * new accounts start frozen, and CHAIN_UNREACHABLE while that cannot be seen.
 */
export async function quoteRevokeAuthority(
  deps: {
    readonly db: Pick<Stores, 'createdTokens'>;
    readonly chain: Pick<Chain, 'token'>;
    readonly programs: Programs;
  },
  request: {
    readonly userId: string;
    readonly mint: Address;
    readonly authority: RevocableAuthority;
    readonly tier: PriorityTier;
  },
): Promise<RevocationQuote> {
  const { mint, authority, tier } = request;
  const token = await deps.db.createdTokens.find(mint);
  if (token === null || token.userId !== request.userId) {
    throw new AppError('TOKEN_NOT_FOUND', { address: mint });
  }
  if (!liveAuthorities(token).includes(authority)) throw new AppError('AUTHORITY_GONE', { mint, authority });
  if (authority === 'freeze' && (await isBornFrozen(deps, token)))
    throw new AppError('FROZEN_FOR_EVER', { mint });
  return {
    token,
    networkFeeLamports: networkFeeCap(tier),
    walletId: token.walletId,
    params: {
      kind: 'revoke-authority',
      mint,
      tokenProgram: tokenProgramOf(token.spec),
      authority,
      record: token.way === 'metaplex' ? deps.programs.metadataRecordAddress(mint) : null,
      tier,
    },
  };
}

/** As the mint says now; as it was made, where the chain does not know it yet. */
async function isBornFrozen(
  { chain }: { readonly chain: Pick<Chain, 'token'> },
  { mint, spec }: CreatedToken,
): Promise<boolean> {
  const seen = await chain.token(mint);
  return seen?.extensions.defaultFrozen ?? spec.extensions.defaultAccountState === 'frozen';
}

/** The authorities that the creator still holds, in the order in which they are best given up. */
export function liveAuthorities(token: CreatedToken): readonly RevocableAuthority[] {
  const { spec, revocations } = token;
  const kept = {
    freeze: spec.freezeAuthority,
    mint: spec.mintAuthority,
    update: spec.updateAuthority && token.way !== 'none',
  };
  return REVOCABLE_AUTHORITIES.filter((authority) => kept[authority] && revocations[authority] === undefined);
}

import type { Address } from '../../core/address/address.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { CreatedToken } from '../../core/mint/created-token.ts';
import {
  REVOCABLE_AUTHORITIES,
  type RevocableAuthority,
} from '../../core/mint/instructions/revoke-authority.ts';
import { tokenProgramOf } from '../../core/mint/mint-size.ts';
import type { Programs } from '../../core/ports/programs.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { PriorityTier } from '../../core/users/settings.ts';
import type { RevokeAuthorityParams } from '../../intents/revoke-authority/params.ts';
import { networkFeeCap } from '../fees/network-fee.ts';

export type RevocationQuote = {
  readonly token: CreatedToken;
  /** At most. */
  readonly networkFeeLamports: bigint;
  /** What `confirmRevokeAuthority` takes, with the wallet that holds the authority. */
  readonly params: RevokeAuthorityParams;
  readonly walletId: string;
};

/**
 * What it takes to give up one authority of a token that this person made here. Throws TOKEN_NOT_FOUND for anybody else's,
 * exactly as for one that is not known, AUTHORITY_GONE when nobody holds it any more.
 */
export async function quoteRevokeAuthority(
  deps: { readonly db: Pick<Stores, 'createdTokens'>; readonly programs: Programs },
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

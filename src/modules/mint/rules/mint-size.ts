import {
  type Address,
  associatedAccountBytes,
  type MetadataWay,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import type { Token } from '../../tokens/rules/token.ts';
import type { TokenSpec } from './token-spec.ts';

/** Bytes of the account that receives the supply. */
export function holdingBytes(spec: TokenSpec, creator: Address): number {
  return associatedAccountBytes(tokenOf(spec, { mint: creator, creator }, 'none'));
}

export function tokenProgramOf(spec: Pick<TokenSpec, 'program'>): Address {
  return spec.program === 'token' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
}

/** The token as the chain will show it once it is there, so that a plan is judged by the rules for existing tokens. */
export function tokenOf(
  spec: TokenSpec,
  parties: { readonly mint: Address; readonly creator: Address },
  way: MetadataWay,
): Token {
  const { extensions } = spec;
  const { transferFee } = extensions;
  const rate = transferFee === null ? null : { bps: transferFee.bps, maximum: transferFee.maximum };
  return {
    mint: parties.mint,
    tokenProgram: tokenProgramOf(spec),
    decimals: spec.decimals,
    supply: spec.supply,
    symbol: spec.symbol,
    name: spec.name,
    mintAuthority: spec.mintAuthority ? parties.creator : null,
    freezeAuthority: spec.freezeAuthority ? parties.creator : null,
    ...(way === 'none' ? {} : { updateAuthority: spec.updateAuthority ? parties.creator : null }),
    extensions: {
      transferFee:
        transferFee === null || rate === null
          ? null
          : { authority: transferFee.configAuthority, older: rate, newer: rate, newerEpoch: 0n },
      permanentDelegate: extensions.permanentDelegate,
      defaultFrozen: extensions.defaultAccountState === 'frozen',
      nonTransferable: extensions.nonTransferable,
      transferHook: null,
      mintCloseAuthority: extensions.mintCloseAuthority,
      pausable: false,
      interestBearing: extensions.interest !== null,
      confidentialTransfer: false,
    },
  };
}

import { type Address, NO_TOKEN_POWERS, TOKEN_PROGRAM, type TokenExtensions } from '@tradepost/solana';
import { address } from '../../../src/core/address/address.ts';
import type { Token } from '../../../src/modules/tokens/rules/token.ts';

export const MINT: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const SOMEBODY: Address = address('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU');

/** A token that nobody can do anything to. */
export function buildToken(
  overrides: Partial<Omit<Token, 'extensions'>> & { readonly extensions?: Partial<TokenExtensions> } = {},
): Token {
  return {
    mint: MINT,
    tokenProgram: TOKEN_PROGRAM,
    decimals: 6,
    supply: 1_000_000n,
    symbol: 'PUP',
    name: 'Puppy',
    mintAuthority: null,
    freezeAuthority: null,
    ...overrides,
    extensions: { ...NO_TOKEN_POWERS, ...overrides.extensions },
  };
}

import { type Address, isAddress, readTokenAccount } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import { displayName } from '../rules/display-name.ts';
import type { Token } from '../rules/token.ts';
import { type SearchTokensDeps, searchTokens } from './search-tokens.ts';

/** Longer input is no ticker, and no link that anybody pastes. */
const MAX_TEXT = 500;
const ECHO_LENGTH = 64;

/**
 * The token that a pasted text means: a mint address, alone or inside a link or sentence, or the ticker of exactly one
 * token traded here. Throws TOKEN_ACCOUNT_NOT_MINT with the mint when the address is an account that holds tokens, and
 * TOKEN_NOT_FOUND for everything else, an ambiguous ticker included (`searchTokens` lists those).
 */
export async function lookUpToken(
  deps: SearchTokensDeps & { readonly chain: Pick<Chain, 'token' | 'accounts'> },
  text: string,
): Promise<Token> {
  const given = text.slice(0, MAX_TEXT).trim();
  const candidates = addressesIn(given);
  for (const candidate of candidates) {
    const token = await deps.chain.token(candidate);
    if (token !== null) return token;
  }
  const [first] = candidates;
  if (first !== undefined) throw await notAMint(deps.chain, first);
  const exact = (await searchTokens(deps, given)).filter((token) => sameTicker(token, given));
  const [only, ...others] = exact;
  if (only === undefined || others.length > 0) {
    throw new AppError('TOKEN_NOT_FOUND', { address: given.slice(0, ECHO_LENGTH) });
  }
  return only;
}

/** At most three, so that a pasted wall of addresses costs no more than a few look-ups. */
function addressesIn(text: string): readonly Address[] {
  const words: readonly string[] = text.match(/[1-9A-HJ-NP-Za-km-z]{32,}/g) ?? [];
  return [...new Set(words.filter(isAddress))].slice(0, 3);
}

async function notAMint(chain: Pick<Chain, 'accounts'>, address: Address): Promise<AppError> {
  const [account] = (await chain.accounts([address])).accounts;
  const held = account === null || account === undefined ? null : readTokenAccount(account);
  return held === null
    ? new AppError('TOKEN_NOT_FOUND', { address })
    : new AppError('TOKEN_ACCOUNT_NOT_MINT', { address, mint: held.mint });
}

function sameTicker(token: Token, given: string): boolean {
  const ticker = displayName(token.symbol)?.toLowerCase();
  return ticker !== undefined && ticker === displayName(given.replace(/^\$/, ''))?.toLowerCase();
}

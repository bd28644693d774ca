import { type Address, readTokenAccount, WSOL_MINT } from '@tradepost/solana';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import { assertNotPaused, refusedByHook } from '../../tokens/rules/may-move.ts';
import type { Token } from '../../tokens/rules/token.ts';

/** The token to be traded against SOL. Throws SAME_TOKEN for SOL itself, TOKEN_NOT_FOUND for an address that is no mint. */
export async function loadToken(chain: Pick<Chain, 'token'>, mint: Address): Promise<Token> {
  if (mint === WSOL_MINT) throw new AppError('SAME_TOKEN', {});
  const token = await chain.token(mint);
  if (token === null) throw new AppError('TOKEN_NOT_FOUND', { address: mint });
  return token;
}

/** As `loadToken`, for a token to trade now. Throws TOKEN_NOT_TRANSFERABLE while its issuer has paused it. */
export async function loadTradable(chain: Pick<Chain, 'token'>, mint: Address): Promise<Token> {
  const token = await loadToken(chain, mint);
  assertNotPaused(token);
  return token;
}

/** Where nothing trades a token with a hook, the hook is why: no pool here takes one. Every other error stays. */
export function orHook(error: unknown, { mint, extensions }: Token): unknown {
  return extensions.transferHook !== null && hasCode(error, 'NO_ROUTE') ? refusedByHook(mint) : error;
}

/** The mint's facts, of a token to trade now: throws as `loadTradable`. TOKEN_ACCOUNT_NOT_MINT names the mint of a token account; TOKEN_NOT_FOUND for everything else. */
export async function loadSwapToken(chain: Pick<Chain, 'token' | 'accounts'>, mint: Address): Promise<Token> {
  const token = await chain.token(mint);
  if (token !== null) {
    assertNotPaused(token);
    return token;
  }
  const [account] = (await chain.accounts([mint])).accounts;
  const held = account === null || account === undefined ? null : readTokenAccount(account);
  throw held === null
    ? new AppError('TOKEN_NOT_FOUND', { address: mint })
    : new AppError('TOKEN_ACCOUNT_NOT_MINT', { address: mint, mint: held.mint });
}

import type { Address } from '../../core/address/address.ts';
import { WSOL_MINT } from '../../core/address/programs.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Token } from '../../core/tokens/token.ts';
import { readTokenAccount } from '../../core/tokens/token-account.ts';

/** The token to be traded against SOL. Throws SAME_TOKEN for SOL itself, TOKEN_NOT_FOUND for what is no mint. */
export async function loadToken(chain: Pick<Chain, 'token'>, mint: Address): Promise<Token> {
  if (mint === WSOL_MINT) throw new AppError('SAME_TOKEN', {});
  const token = await chain.token(mint);
  if (token === null) throw new AppError('TOKEN_NOT_FOUND', { address: mint });
  return token;
}

/** The mint's facts. TOKEN_ACCOUNT_NOT_MINT names the mint of a token account; TOKEN_NOT_FOUND for everything else. */
export async function loadSwapToken(chain: Pick<Chain, 'token' | 'accounts'>, mint: Address): Promise<Token> {
  const token = await chain.token(mint);
  if (token !== null) return token;
  const [account] = (await chain.accounts([mint])).accounts;
  const held = account === null || account === undefined ? null : readTokenAccount(account);
  throw held === null
    ? new AppError('TOKEN_NOT_FOUND', { address: mint })
    : new AppError('TOKEN_ACCOUNT_NOT_MINT', { address: mint, mint: held.mint });
}

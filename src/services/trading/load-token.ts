import type { Address } from '../../core/address/address.ts';
import { WSOL_MINT } from '../../core/address/programs.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Token } from '../../core/tokens/token.ts';

/** The token to be traded against SOL. Throws SAME_TOKEN for SOL itself, TOKEN_NOT_FOUND for what is no mint. */
export async function loadToken(chain: Pick<Chain, 'token'>, mint: Address): Promise<Token> {
  if (mint === WSOL_MINT) throw new AppError('SAME_TOKEN', {});
  const token = await chain.token(mint);
  if (token === null) throw new AppError('TOKEN_NOT_FOUND', { address: mint });
  return token;
}

import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Token } from './token.ts';

/** Throws TOKEN_NOT_TRANSFERABLE while its issuer has paused all transfers: no trade and no withdrawal of it can land. */
export function assertNotPaused({ mint, extensions }: Pick<Token, 'mint' | 'extensions'>): void {
  if (extensions.paused === true) throw new AppError('TOKEN_NOT_TRANSFERABLE', { mint, reason: 'paused' });
}

/** As `assertNotPaused`, and for a token that may never move. */
export function assertMovable(token: Pick<Token, 'mint' | 'extensions'>): void {
  assertNotPaused(token);
  if (token.extensions.nonTransferable) throw new AppError('TOKEN_NOT_TRANSFERABLE', { mint: token.mint });
}

/** A hook wants accounts of its own in each transfer, which neither our transfers nor our venues' swaps name. */
export function refusedByHook(mint: Address): AppError<'TOKEN_NOT_TRANSFERABLE'> {
  return new AppError('TOKEN_NOT_TRANSFERABLE', { mint, reason: 'hook' });
}

/** The refusal of a token whose issuer froze the wallet's account: nothing comes in or leaves. */
export function refusedAsFrozen(mint: Address): AppError<'TOKEN_NOT_TRANSFERABLE'> {
  return new AppError('TOKEN_NOT_TRANSFERABLE', { mint, reason: 'frozen' });
}

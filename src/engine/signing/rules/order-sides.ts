import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { ExchangeFold, ExchangeTerms } from './judge-exchange.ts';
import { deny } from './policy-rule.ts';

/** Whether this token is wrapped SOL on a side of an order that treats it as a token. */
export function isTokenSide(
  { solAsToken = false, mintIn, mintOut }: Pick<ExchangeTerms, 'solAsToken' | 'mintIn' | 'mintOut'>,
  mint: Address,
): boolean {
  return solAsToken && mint === WSOL_MINT && (mintIn === WSOL_MINT || mintOut === WSOL_MINT);
}

/** Refuses units of the bought token that count as gained and arrive anywhere but in the agreed place. */
export function assertArrives(
  { terms }: Pick<ExchangeFold, 'terms'>,
  account: Address | 'lamports',
  mint: Address,
): void {
  if (mint !== terms.mintOut) return;
  if (terms.destination && account !== terms.destination.account) deny('swap-destination');
  if (account === 'lamports' && isTokenSide(terms, mint)) deny('swap-wrapped');
}

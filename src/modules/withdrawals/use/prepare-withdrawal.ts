import { type PrepareWithdrawalDeps, prepareSolWithdrawal } from './prepare-sol-withdrawal.ts';
import { prepareTokenWithdrawal } from './prepare-token-withdrawal.ts';
import type { WithdrawalQuote, WithdrawalRequest } from './withdrawal-quote.ts';

/** The quote of a withdrawal of native SOL, or of the token whose mint is given; nothing is stored. */
export function prepareWithdrawal(
  deps: PrepareWithdrawalDeps,
  request: WithdrawalRequest & {
    readonly asset: { readonly kind: 'sol' } | { readonly kind: 'token'; readonly mint: string };
  },
): Promise<WithdrawalQuote> {
  const { asset } = request;
  return asset.kind === 'sol'
    ? prepareSolWithdrawal(deps, request)
    : prepareTokenWithdrawal(deps, { ...request, mint: asset.mint });
}

import { type BuyParams, middlesOfTerms, type SellParams } from '../../intents/params.ts';
import type { Address } from '../address/address.ts';
import { WSOL_MINT } from '../address/programs.ts';
import type { WalletAction } from './decode-instruction.ts';
import { assertWorth, type ExchangeTerms, judgeExchange } from './judge-exchange.ts';
import type { PolicyContext } from './policy.ts';
import { deny } from './policy-rule.ts';

/**
 * A trade: the fee to the treasury at most as agreed, and an exchange that brings the confirmed minimum, over the tokens that
 * the confirmed terms name and no others, for at most what the person gives up. Throws POLICY_DENIED with the rule.
 */
export function checkTrade(
  { actions, signers }: { readonly actions: readonly WalletAction[]; readonly signers: readonly Address[] },
  params: BuyParams | SellParams,
  context: PolicyContext,
): void {
  const terms: ExchangeTerms = {
    ...context,
    aggregatorPrograms: context.aggregatorPrograms ?? [],
    routerProgram: context.routerProgram === true,
    mintIn: params.kind === 'buy' ? WSOL_MINT : params.mint,
    mintOut: params.kind === 'buy' ? params.mint : WSOL_MINT,
    middles: middlesOfTerms(params.terms),
    lamportsTo: context.treasury,
    tokensTo: null,
  };
  const exchange = judgeExchange(actions, terms);
  if (exchange.isAlone && signers.length !== 1) deny('signers');
  const fee = exchange.lamportsPaid;
  if (fee > params.terms.platformFeeLamports) deny('sol-amount');
  assertWorth(
    exchange,
    terms,
    params.kind === 'buy'
      ? { least: params.terms.minOut, spendable: params.lamportsIn - fee }
      : { least: params.terms.minOut + fee, spendable: params.amountIn },
  );
}

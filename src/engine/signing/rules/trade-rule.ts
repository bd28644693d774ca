import { WSOL_MINT } from '@tradepost/solana';
import type { AgreedTrade } from '../../intents/kinds/kind.ts';
import { intermediatesOfTerms } from '../../intents/rules/terms.ts';
import { assertWorth, type ExchangeTerms, judgeExchange } from './judge-exchange.ts';
import type { OwnPart, PolicyContext } from './kind-policy.ts';
import { deny } from './policy-rule.ts';

/**
 * A trade: the fee to the treasury at most as agreed, and an exchange that brings the confirmed minimum for at most the person's amount. It
 * passes only through tokens that the confirmed terms name. Throws POLICY_DENIED with the rule.
 */
export function checkTrade(
  { actions, signers }: Pick<OwnPart, 'actions' | 'signers'>,
  { side, mint, amountIn, terms: agreed }: AgreedTrade,
  context: PolicyContext,
): void {
  const terms: ExchangeTerms = {
    ...context,
    aggregatorPrograms: context.aggregatorPrograms ?? [],
    routerProgram: context.routerProgram === true,
    mintIn: side === 'buy' ? WSOL_MINT : mint,
    mintOut: side === 'buy' ? mint : WSOL_MINT,
    intermediates: intermediatesOfTerms(agreed),
    lamportsTo: context.treasury,
    closesSold: side === 'sell',
    tokensTo: null,
  };
  const exchange = judgeExchange(actions, terms);
  if (exchange.isAlone && signers.length !== 1) deny('signers');
  const fee = exchange.lamportsPaid;
  if (fee > agreed.platformFeeLamports) deny('sol-amount');
  assertWorth(
    exchange,
    terms,
    side === 'buy'
      ? { least: agreed.minOut, spendable: amountIn - fee }
      : { least: agreed.minOut + fee, spendable: amountIn },
  );
}

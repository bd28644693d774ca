import { TOKEN_ACCOUNT_BYTES } from '@tradepost/solana';
import { accountsToKnow, heldAccounts } from '../../../engine/signing/rules/held-accounts.ts';
import { assertSwapPolicy } from '../../../engine/signing/rules/swap-policy.ts';
import type { CompiledMessage } from '../../../platform/ports/chain.ts';
import type { Trader } from './assemble-trade.ts';
import type { PricedTrade } from './price-route.ts';
import { NORMAL_PRIORITY, type SwapRequest } from './swap-terms.ts';
import type { SwapDeps } from './trading-deps.ts';

/**
 * The last check of the bytes, for instructions from any source, before a venue co-signs or a caller sees them. Throws POLICY_DENIED,
 * CHAIN_UNREACHABLE.
 */
export async function withholdUnlessClean(
  {
    chain,
    programs,
    venuePrograms,
    aggregatorQuotes,
    routerProgram,
    tips,
    log,
  }: Pick<
    SwapDeps,
    'chain' | 'programs' | 'venuePrograms' | 'aggregatorQuotes' | 'routerProgram' | 'tips' | 'log'
  >,
  message: CompiledMessage,
  {
    request,
    priced,
    trader: { feeAccount, accountOut, outputOwner },
  }: {
    readonly request: SwapRequest;
    readonly priced: PricedTrade;
    readonly trader: Pick<Trader, 'feeAccount' | 'accountOut' | 'outputOwner'>;
  },
): Promise<void> {
  const { user, mintIn, mintOut, amount, feePayer = null, priority = NORMAL_PRIORITY } = request;
  const { aggregator, intermediates, legs } = priced.route;
  const toKnow = accountsToKnow(message.bytes, user, priced.lookupTables);
  const [{ accounts }, tokenAccountRent] = await Promise.all([
    toKnow.length === 0 ? { accounts: [] } : chain.accounts(toKnow),
    chain.rentExemption(TOKEN_ACCOUNT_BYTES),
  ]);
  try {
    assertSwapPolicy(message.bytes, {
      user,
      feePayer,
      destination: outputOwner === undefined ? null : { account: accountOut, owner: outputOwner },
      ...optionsOf(request),
      mintIn,
      mintOut,
      amount,
      intermediates,
      minOut: priced.minOut,
      priority,
      ...(tips === undefined ? {} : { tips }),
      referrer: feeAccount === null ? null : { account: feeAccount, ...priced.fee },
      lookupTables: priced.lookupTables,
      programs: aggregator === undefined ? venuePrograms : (aggregatorQuotes?.programs ?? []),
      routerProgram: routerProgram === true,
      byAggregator: aggregator !== undefined,
      associated: (...parts) => programs.associatedTokenAddress(...parts),
      held: heldAccounts(user, toKnow, accounts),
      tokenAccountRent,
    });
  } catch (err) {
    const venues = [...new Set(legs.map(({ pool }) => pool.venue))];
    log.error({ err, venues, mintIn, mintOut }, 'a swap transaction was withheld');
    throw err;
  }
}

const optionsOf = ({ solAsToken = false, closesSold = false, tip }: SwapRequest) => ({
  solAsToken,
  closesSold,
  tip: tip ?? null,
});

import { type Address, type Instruction, minBigint, transferFee } from '@tradepost/solana';
import { overtaken } from '../../../core/errors/overtaken.ts';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';
import { decodeUnresolved } from '../../../engine/signing/rules/decode-message.ts';
import type { CompiledMessage } from '../../../platform/ports/chain.ts';
import { EVERY_WAY, isNarrow } from '../rules/route-filter.ts';
import type { PartyProblem } from '../rules/swap-parties.ts';
import type { SwapGroup, TradePlan } from './assemble-trade.ts';
import { betterOf, orSeparate, type Settled } from './better-swap.ts';
import { ownRoute, passOverAggregator, routeOfAggregator } from './choose-way.ts';
import { coSignRoute } from './co-sign.ts';
import { withAmount } from './exact-out.ts';
import { measureSwap } from './measure-swap.ts';
import { narrowed, programsOf, toldOfFilter } from './narrow-deps.ts';
import { ownPlan } from './own-plan.ts';
import type { PricedTrade } from './price-route.ts';
import type { SwapQuote } from './quote-swap.ts';
import type { ReferrerProblem } from './referrer-account.ts';
import { loadSwapState, PartyRefused, ReferrerRefused, type SwapState } from './swap-state.ts';
import type { SwapRequest } from './swap-terms.ts';
import { type SwapWarning, swapWarnings } from './swap-warnings.ts';
import { retoldInFull } from './too-few-lamports.ts';
import type { SwapDeps } from './trading-deps.ts';
import { toldOfVersion } from './version-1.ts';
import { withholdUnlessClean } from './withhold-unless-clean.ts';

/** A transaction for the trader to sign and submit, or why the referrer keeps it from being built. */
export type SwapResult =
  | { readonly kind: 'built'; readonly swap: BuiltSwap }
  | { readonly kind: 'referrer'; readonly problem: ReferrerProblem }
  /** Or why another party that the caller named does. */
  | { readonly kind: 'party'; readonly problem: PartyProblem };

export type BuiltSwap = SwapQuote & {
  readonly requester: Address;
  /** Wire bytes: the signatures of `signers` are all zeros, those of co-signing venues are in place. */
  readonly transaction: Uint8Array;
  /** Those who still must sign: the fee payer first, where that is another one, and the trader. */
  readonly signers: readonly Address[];
  readonly lastValidBlockHeight: bigint;
  readonly blockhash: string;
  /** Every instruction of the transaction in its order, with the group that it is of. */
  readonly parts: readonly { readonly group: SwapGroup; readonly instruction: Instruction }[];
  /** Tables that the transaction takes accounts from. */
  readonly lookupTables: readonly LookupTable[];
  readonly fees: {
    /** Signatures and priority, as the message encodes them. */
    readonly networkLamports: bigint;
    /** Rent of accounts that the swap opens for the trader and that stay open. */
    readonly newAccountRentLamports: bigint;
    /** Rent that comes back from the account that the swap empties and closes; 0 where it closes none. */
    readonly returnedRentLamports: bigint;
    /** The units that reach the referrer, net of those that the token withholds. */
    readonly referrerUnits: bigint;
    /** The amount sent to the referrer. */
    readonly referrerSent: bigint;
    readonly referrerMint: Address | null;
    /** The tip that its last instruction pays; 0 where there is none. */
    readonly tipLamports: bigint;
  };
};

const UNSIGNED = new Uint8Array(64);

/**
 * Prices, assembles and simulates a swap that the trader alone signs, venues that co-sign apart. Nothing is sent or stored. The result of
 * the simulation is compared with the quote first. When another trade was faster the swap is routed once more on the pools as they are
 * then; PRICE_MOVED when that one comes too late as well. A pool whose own instruction fails is left out and the swap is routed around it.
 * Throws as `quoteSwap`, and RECIPIENT_IS_PROGRAM when the trader's address is no wallet, INSUFFICIENT_LAMPORTS, INSUFFICIENT_TOKENS,
 * TOKEN_NOT_TRANSFERABLE, RENT_REMAINDER, SIMULATION_FAILED. Bytes that the policy for unsigned swaps refuses are logged and never handed
 * out: POLICY_DENIED.
 */
export async function buildSwap(all: SwapDeps, request: SwapRequest): Promise<SwapResult> {
  const { filter = EVERY_WAY } = request;
  const few = narrowed(all, filter);
  const deps = isNarrow(filter) ? { ...few, venuePrograms: programsOf(few.venues, all.venuePrograms) } : all;
  try {
    const state = await loadSwapState(deps, await withAmount(deps, request, request.referrer?.feeBps));
    // Side by side: when one of the two fails, the other still counts.
    return betterOf(...(await Promise.allSettled([ownSwap(deps, state), rivalSwap(deps, state)])));
  } catch (error) {
    if (error instanceof ReferrerRefused) return { kind: 'referrer', problem: error.problem };
    if (error instanceof PartyRefused) return { kind: 'party', problem: error.problem };
    throw overtaken(error) ?? toldOfFilter(await toldOfVersion(deps, request, error), filter);
  }
}

/** Our own route, or the first behind it that its simulation and the policy let through. */
async function ownSwap(deps: SwapDeps, state: SwapState): Promise<Settled> {
  for (let plan = await ownPlan(deps, state); ; ) {
    try {
      const settled = await settleSwap(deps, state, plan);
      return await orSeparate(plan, settled, (other) => settleSwap(deps, state, other));
    } catch (error) {
      plan = await plan.instead(error);
    }
  }
}

/** The aggregators' best that promises more than our own route; null when none does, or it failed on the way. */
async function rivalSwap(deps: SwapDeps, state: SwapState): Promise<Settled | null> {
  const { terms, offers, means, found, trader, request } = state;
  if (offers.length === 0) return null;
  const own = await ownRoute(deps, terms, found, means);
  const { tokenIn, tokenOut } = trader;
  const trade = { user: request.user, tokenIn, tokenOut, pools: found.pools };
  const priced = await routeOfAggregator(deps, terms, offers, own, trade);
  if (priced === null) return null;
  const settled = state.plan(priced).then((plan) => settleSwap(deps, state, plan));
  return settled.catch((error: unknown) => passOverAggregator(deps, priced, error));
}

/** One way to carry the swap out, simulated, judged and ready to be signed. */
async function settleSwap(deps: SwapDeps, state: SwapState, plan: TradePlan): Promise<Settled> {
  const { request, trader, known, blockhash } = state;
  const { priced, newAccountRentLamports, closedLamports } = plan;
  const payer = request.feePayer ?? request.user;
  const measuring = measureSwap(deps, { plan, trader, payer, blockhash, known });
  const measuredSwap = await measuring.catch((error: unknown) => {
    throw retoldInFull(error, plan.needs);
  });
  const { message, budget, networkLamports, simulatedOut, gained } = measuredSwap;
  await withholdUnlessClean(deps, message, { request, priced, trader });
  const { priceImpactBps, slot } = priced.route;
  const { slippageBps, referrer, user } = request;
  const differs: readonly SwapWarning[] =
    simulatedOut === null || simulatedOut === priced.amountOut
      ? []
      : [{ code: 'SIMULATION_DIFFERS', simulatedAmount: simulatedOut }];
  return {
    kind: 'built',
    gained,
    simulatedOut,
    swap: {
      request,
      requester: user,
      priced,
      unasked: state.found.unasked,
      warnings: [...swapWarnings({ priceImpactBps, slippageBps, safety: state.safety }), ...differs],
      quoteId: trader.seed,
      slot: minBigint(slot, state.slot),
      expiresAt: deps.clock.now() + blockhash.livesMs,
      transaction: await unsigned(deps, message, [payer, user], priced.route),
      signers: payer === user ? [user] : [payer, user],
      lastValidBlockHeight: blockhash.lastValidBlockHeight,
      blockhash: blockhash.blockhash,
      parts: partsOf(plan, budget),
      lookupTables: decodeUnresolved(message.bytes).lookedUp.size === 0 ? [] : (plan.lookupTables ?? []),
      fees: {
        networkLamports,
        newAccountRentLamports,
        returnedRentLamports: closedLamports,
        referrerUnits: priced.fee.units - withheld(state, priced),
        referrerSent: priced.fee.units,
        referrerMint: referrer === null ? null : state.feeToken.mint,
        tipLamports: request.tip?.lamports ?? 0n,
      },
    },
  };
}

function partsOf({ instructions, groups }: TradePlan, budget: readonly Instruction[]): BuiltSwap['parts'] {
  return [
    ...budget.map((instruction) => ({ group: 'computeBudget' as const, instruction })),
    ...instructions.map((instruction, index) => ({ group: groups[index] ?? 'swap', instruction })),
  ];
}

/** The part that the token of the referrer's fee keeps of its transfer. */
function withheld({ feeToken, epoch }: SwapState, { fee }: PricedTrade): bigint {
  return transferFee(feeToken.extensions.transferFee, fee.units, epoch);
}

/** The wire form with every co-signature in place and zeros where the trader and the fee payer sign. */
async function unsigned(
  deps: SwapDeps,
  message: CompiledMessage,
  own: readonly Address[],
  route: Parameters<typeof coSignRoute>[1],
): Promise<Uint8Array> {
  const others = message.signers.filter((signer) => !own.includes(signer));
  const coSign = others.length === 0 ? null : coSignRoute(deps.venues, route);
  const signatures = new Map(coSign === null ? [] : await coSign(message.bytes, others));
  for (const signer of own) signatures.set(signer, UNSIGNED);
  return deps.compiler.assemble(message, signatures);
}

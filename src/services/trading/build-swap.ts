import type { Address } from '../../core/address/address.ts';
import { SYSTEM_PROGRAM, WSOL_MINT } from '../../core/address/programs.ts';
import { bps } from '../../core/amounts/bps.ts';
import { minBigint } from '../../core/amounts/rounding.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Blockhash, ChainAccount, CompiledMessage } from '../../core/ports/chain.ts';
import { associatedAccountBytes, TOKEN_ACCOUNT_BYTES } from '../../core/tokens/account-size.ts';
import { type SafetyWarning, tokenSafety, withExit } from '../../core/tokens/safety.ts';
import type { Token } from '../../core/tokens/token.ts';
import { unitsHeld } from '../../core/tokens/token-account.ts';
import type { Offer } from '../aggregators/rivals.ts';
import { planTrade, type TradePlan, type Trader } from './assemble-trade.ts';
import { betterOf, orSeparate, type Settled } from './better-swap.ts';
import { dropRival, loadOffers, ownRoute, rivalRoute } from './choose-way.ts';
import { coSignRoute, overtaken } from './co-sign.ts';
import { findSellable, type Sellable } from './find-sellable.ts';
import { loadFreshPools } from './fresh-pools.ts';
import type { FoundPools } from './load-pools.ts';
import { loadSwapToken } from './load-token.ts';
import { measureSwap } from './measure-swap.ts';
import { loadMiddleAccounts, passesSol, rentNeeded } from './middle-accounts.ts';
import { ownPlan, type Trading } from './own-plan.ts';
import type { PricedTrade } from './price-route.ts';
import type { SwapQuote } from './quote-swap.ts';
import { type ReferrerProblem, referrerAccount, referrerProblem } from './referrer-account.ts';
import { referredTerms, type SwapRequest } from './swap-terms.ts';
import { type SwapWarning, swapWarnings } from './swap-warnings.ts';
import type { SwapDeps } from './trading-deps.ts';
import { withholdUnlessClean } from './withhold-unless-clean.ts';

/** A transaction for the trader to sign and submit, or why the referrer keeps it from being built. */
export type SwapResult =
  | { readonly kind: 'built'; readonly swap: BuiltSwap }
  | { readonly kind: 'referrer'; readonly problem: ReferrerProblem };

export type BuiltSwap = SwapQuote & {
  readonly requester: Address;
  /** Wire bytes: the trader's signature is all zeros, those of co-signing venues are in place. */
  readonly transaction: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly fees: {
    /** Signatures and priority, as the message encodes them. */
    readonly networkLamports: bigint;
    /** Rent of accounts that the swap opens for the trader and that stay open. */
    readonly newAccountRentLamports: bigint;
    readonly referrerUnits: bigint;
    readonly referrerMint: Address | null;
  };
};

/** A blockhash lives for 150 blocks of about 400 ms; the height in the answer is exact, this time is not. */
const BLOCKHASH_LIFE_MS = 60_000;
const UNSIGNED = new Uint8Array(64);

/**
 * Prices, assembles and simulates a swap that the trader alone signs, venues that co-sign apart. Nothing is sent or stored.
 * What the simulation shows is compared with the quote first. When another trade was faster the swap is routed once more on the
 * pools as they are then; PRICE_MOVED when that one comes too late as well. A pool whose own instruction fails is left out and
 * the swap is routed around it. Throws as `quoteSwap`, and RECIPIENT_IS_PROGRAM when the trader's address is no wallet,
 * INSUFFICIENT_LAMPORTS, INSUFFICIENT_TOKENS, TOKEN_NOT_TRANSFERABLE, RENT_REMAINDER, SIMULATION_FAILED. Bytes that the policy
 * for unsigned swaps refuses are logged and never handed out: POLICY_DENIED.
 */
export async function buildSwap(deps: SwapDeps, request: SwapRequest): Promise<SwapResult> {
  const desk = await loadDesk(deps, request);
  try {
    // Side by side: whichever of the two fails, the other stands.
    return betterOf(...(await Promise.allSettled([ownSwap(deps, desk), rivalSwap(deps, desk)])));
  } catch (error) {
    if (error instanceof ReferrerRefused) return { kind: 'referrer', problem: error.problem };
    throw overtaken(error) ?? error;
  }
}

/** Our own route, or the first behind it that its simulation and the policy let through. */
async function ownSwap(deps: SwapDeps, desk: Desk): Promise<Settled> {
  for (let plan = await ownPlan(deps, desk); ; ) {
    try {
      const settled = await settleSwap(deps, desk, plan);
      return await orSeparate(plan, settled, (other) => settleSwap(deps, desk, other));
    } catch (error) {
      plan = await plan.instead(error);
    }
  }
}

/** The aggregators' best that promises more than our own route; null when none does, or it failed on the way. */
async function rivalSwap(deps: SwapDeps, desk: Desk): Promise<Settled | null> {
  const { terms, offers, means, found, trader, request } = desk;
  if (offers.length === 0) return null;
  const own = await ownRoute(deps, terms, found, means);
  const { tokenIn, tokenOut } = trader;
  const trade = { user: request.user, tokenIn, tokenOut, pools: found.pools };
  const priced = await rivalRoute(deps, terms, offers, own, trade);
  if (priced === null) return null;
  const settled = desk.plan(priced).then((plan) => settleSwap(deps, desk, plan));
  return settled.catch((error: unknown) => dropRival(deps, priced, error));
}

/** Nothing can be built for a referrer who cannot be paid. */
class ReferrerRefused extends Error {
  readonly problem: ReferrerProblem;

  constructor(problem: ReferrerProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** Everything of the chain that a swap rests on, read once per round. */
type Desk = Trading & {
  readonly request: SwapRequest;
  readonly offers: readonly Offer[];
  readonly found: FoundPools;
  readonly trader: Trader;
  readonly lamports: bigint;
  readonly feeToken: Token;
  readonly tokenIn: Token;
  readonly blockhash: Blockhash;
  readonly slot: bigint;
  readonly known: ReadonlyMap<Address, ChainAccount | null>;
  readonly safety: readonly SafetyWarning[];
};

async function loadDesk(deps: SwapDeps, request: SwapRequest): Promise<Desk> {
  const { chain, programs } = deps;
  const { user, mintIn, mintOut, referrer } = request;
  const terms = referredTerms(request, referrer?.feeBps ?? bps(0));
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const [tokenIn, tokenOut] = await Promise.all([
    loadSwapToken(chain, mintIn),
    loadSwapToken(chain, mintOut),
  ]);
  const accountIn = programs.associatedTokenAddress(user, mintIn, tokenIn.tokenProgram);
  const accountOut = programs.associatedTokenAddress(user, mintOut, tokenOut.tokenProgram);
  const feeToken = mintIn === WSOL_MINT ? tokenIn : tokenOut;
  const feeAccount = referrer === null ? null : referrerAccount(programs, referrer.wallet, feeToken);
  const read = [user, accountIn, accountOut, referrer?.wallet ?? user, feeAccount ?? user] as const;
  const { others, fresh, ...found } = await loadFreshPools(
    deps,
    { mintIn, mintOut },
    Promise.all([
      chain.accounts(read),
      chain.latestBlockhash(),
      chain.epoch(),
      chain.rentExemption(TOKEN_ACCOUNT_BYTES),
      chain.rentExemption(associatedAccountBytes(tokenOut)),
      loadOffers(deps, terms),
      deps.exitCheck?.(mintOut, user),
    ]),
  );
  const [state, blockhash, epoch, wrappedRentLamports, accountRent, { offers, means }, exit] = others;
  const known = new Map(read.map((one, index) => [one, state.accounts[index] ?? null]));
  const itself = known.get(user) ?? null;
  if (itself !== null && (itself.owner !== SYSTEM_PROGRAM || itself.data.length > 0)) {
    throw new AppError('RECIPIENT_IS_PROGRAM', { address: user });
  }
  const held = known.get(accountOut) ?? null;
  const trader: Trader = {
    wallet: user,
    tokenIn,
    tokenOut,
    accountIn,
    accountOut,
    heldIn: 0n,
    heldOut: unitsHeld(held),
    outputRentLamports: mintOut !== WSOL_MINT && held === null ? accountRent : 0n,
    wrappedRentLamports,
    feeAccount,
    seed: deps.ids.ulid(),
  };
  const { warnings: safety } = withExit(tokenSafety(tokenOut, { epoch, wellKnown: deps.wellKnown }), exit);
  const { lamports = 0n } = itself ?? {};
  const onChain = { trader, lamports, feeToken, tokenIn, blockhash, slot: state.slot, known, safety };
  const asked = { request, terms, offers, means, found, pools: fresh };
  return {
    ...onChain,
    ...asked,
    plan: (priced) => planSwap(deps, { ...onChain, request, terms }, priced),
    onProgramRefused: ({ route }, err) => {
      const venues = [...new Set(route.legs.map(({ pool }) => pool.venue))];
      deps.log.error({ err, venues, mintIn, mintOut }, 'a route by the router program was refused');
    },
  };
}

/** A priced route for the trader; throws what keeps the trader or the referrer from it before anything is simulated. */
async function planSwap(
  deps: SwapDeps,
  desk: Pick<Desk, 'request' | 'terms' | 'trader' | 'known' | 'feeToken' | 'tokenIn' | 'lamports'>,
  priced: PricedTrade,
): Promise<TradePlan> {
  const { request, terms } = desk;
  const problem = cannotBePaid(desk, priced);
  if (problem !== null) throw new ReferrerRefused(problem);
  const middles = await loadMiddleAccounts(deps, request.user, priced.route);
  const wrappedRent = passesSol(priced.route) ? desk.trader.wrappedRentLamports : 0n;
  const rents = desk.trader.outputRentLamports + rentNeeded(middles) + wrappedRent;
  const { account: accountIn, units: heldIn } = await spendable(deps, desk, rents);
  const trader = { ...desk.trader, accountIn, heldIn };
  return planTrade(deps, { ...trader, priced, middles }, { ...terms, tier: 'normal' });
}

/** One way to carry the swap out, simulated, judged and ready to be signed. */
async function settleSwap(deps: SwapDeps, desk: Desk, plan: TradePlan): Promise<Settled> {
  const { request, trader, known, blockhash } = desk;
  const { priced, newAccountRentLamports } = plan;
  const measuredSwap = await measureSwap(deps, { plan, trader, blockhash, known });
  const { message, networkLamports, simulatedOut, gained } = measuredSwap;
  await withholdUnlessClean(deps, message, { request, priced, feeAccount: trader.feeAccount });
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
      unasked: desk.found.unasked,
      warnings: [...swapWarnings({ priceImpactBps, slippageBps, safety: desk.safety }), ...differs],
      quoteId: trader.seed,
      slot: minBigint(slot, desk.slot),
      expiresAt: deps.clock.now() + BLOCKHASH_LIFE_MS,
      transaction: await unsigned(deps, message, user, priced.route),
      lastValidBlockHeight: blockhash.lastValidBlockHeight,
      fees: {
        networkLamports,
        newAccountRentLamports,
        referrerUnits: priced.fee.units,
        referrerMint: referrer === null ? null : desk.feeToken.mint,
      },
    },
  };
}

function cannotBePaid(
  { request: { referrer }, trader, known, feeToken }: Pick<Desk, 'request' | 'trader' | 'known' | 'feeToken'>,
  priced: PricedTrade,
): ReferrerProblem | null {
  if (referrer === null || trader.feeAccount === null) return null;
  return referrerProblem({
    wallet: referrer.wallet,
    walletState: known.get(referrer.wallet) ?? null,
    token: feeToken,
    account: trader.feeAccount,
    accountState: known.get(trader.feeAccount) ?? null,
    units: priced.fee.units,
  });
}

/** The account to sell from, and what is in it where it is no SOL. Throws INSUFFICIENT_TOKENS or INSUFFICIENT_LAMPORTS before anything is simulated. */
async function spendable(
  deps: SwapDeps,
  {
    request,
    tokenIn,
    trader,
    known,
    lamports: available,
  }: Pick<Desk, 'request' | 'tokenIn' | 'trader' | 'known' | 'lamports'>,
  fees: bigint,
): Promise<Sellable> {
  const { user, amount, mintIn } = request;
  const spent = mintIn === WSOL_MINT ? amount : 0n;
  const needed = spent + fees;
  if (available < needed)
    throw new AppError('INSUFFICIENT_LAMPORTS', { needed, available, amount: spent, fees });
  if (mintIn === WSOL_MINT) return { account: trader.accountIn, units: 0n };
  return findSellable(deps, {
    wallet: user,
    token: tokenIn,
    associated: trader.accountIn,
    associatedState: known.get(trader.accountIn) ?? null,
    wanted: amount,
  });
}

/** The wire form with every co-signature in place and zeros where the trader signs. */
async function unsigned(
  deps: SwapDeps,
  message: CompiledMessage,
  user: Address,
  route: Parameters<typeof coSignRoute>[1],
): Promise<Uint8Array> {
  const others = message.signers.filter((signer) => signer !== user);
  const coSign = others.length === 0 ? null : coSignRoute(deps.venues, route);
  const signatures = new Map(coSign === null ? [] : await coSign(message.bytes, others));
  signatures.set(user, UNSIGNED);
  return deps.compiler.assemble(message, signatures);
}

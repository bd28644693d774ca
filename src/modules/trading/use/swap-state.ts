import {
  type Address,
  associatedAccountBytes,
  type ChainAccount,
  isFrozen,
  TOKEN_ACCOUNT_BYTES,
  unitsHeld,
  WSOL_MINT,
} from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import { withTip } from '../../../engine/transactions/use/tip-plan.ts';
import type { Blockhash } from '../../../platform/ports/chain.ts';
import type { FoundPools } from '../../market/use/load-pools.ts';
import { closableOnceEmpty, feeMintOf } from '../../tokens/rules/closable-account.ts';
import { refusedAsFrozen } from '../../tokens/rules/may-move.ts';
import { type SafetyWarning, tokenSafety, withExit } from '../../tokens/rules/safety.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { leastLamports, neededParts, type SwapFunds } from '../rules/needed-lamports.ts';
import type { Route } from '../rules/route.ts';
import { EVERY_WAY } from '../rules/route-filter.ts';
import { destinationProblem, feePayerProblem, isPlain, type PartyProblem } from '../rules/swap-parties.ts';
import type { Offer } from './aggregator-quotes.ts';
import { planTrade, type TradePlan, type Trader, wrapsSol } from './assemble-trade.ts';
import { loadOffers } from './choose-way.ts';
import { coSignRoute } from './co-sign.ts';
import { findSellable, type Sellable } from './find-sellable.ts';
import { loadFreshPools } from './fresh-pools.ts';
import { loadIntermediateAccounts, rentKept, rentNeeded } from './intermediate-accounts.ts';
import { loadSwapToken } from './load-token.ts';
import type { Trading } from './own-plan.ts';
import type { PricedTrade } from './price-route.ts';
import { type ReferrerProblem, referrerAccount, referrerProblem } from './referrer-account.ts';
import { isNative, NORMAL_PRIORITY, referredTerms, type SwapRequest } from './swap-terms.ts';
import { tooFewLamports } from './too-few-lamports.ts';
import type { SwapDeps } from './trading-deps.ts';

/** Nothing can be built for a referrer who cannot be paid. */
export class ReferrerRefused extends Error {
  readonly problem: ReferrerProblem;

  constructor(problem: ReferrerProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** Nothing can be built for the receiver or the fee payer that the caller named. */
export class PartyRefused extends Error {
  readonly problem: PartyProblem;

  constructor(problem: PartyProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** The basis of a swap for another's signature: the request, the market and the trader as the chain shows them. */
export type SwapState = Trading & {
  readonly request: SwapRequest;
  readonly offers: readonly Offer[];
  readonly found: FoundPools;
  readonly trader: Trader;
  readonly lamports: bigint;
  /** The least that a wallet which keeps anything must keep. */
  readonly walletMinimum: bigint;
  readonly feeToken: Token;
  readonly tokenIn: Token;
  readonly blockhash: Blockhash;
  readonly epoch: bigint;
  readonly slot: bigint;
  readonly known: ReadonlyMap<Address, ChainAccount | null>;
  readonly safety: readonly SafetyWarning[];
};

/** Everything at once, because the slowest answer decides. Throws the errors of `buildSwap` about the trader. */
export async function loadSwapState(deps: SwapDeps, request: SwapRequest): Promise<SwapState> {
  const { chain } = deps;
  const { user, mintIn, mintOut, referrer, filter = EVERY_WAY } = request;
  const terms = referredTerms(request, referrer?.feeBps ?? bps(0));
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const at = await located(deps, request);
  const { feeToken, read } = at;
  const { tokenIn, tokenOut, accountOut } = at.trader;
  const { others, fresh, ...found } = await loadFreshPools(
    deps,
    { mintIn, mintOut, intermediates: filter.directOnly ? [] : null },
    Promise.all([
      chain.accounts(read),
      request.livesBlocks === undefined ? chain.latestBlockhash() : chain.agedBlockhash(request.livesBlocks),
      chain.epoch(),
      chain.rentExemption(TOKEN_ACCOUNT_BYTES),
      chain.rentExemption(associatedAccountBytes(tokenOut)),
      chain.rentExemption(0),
      loadOffers(deps, terms),
      deps.exitCheck?.(mintOut, user),
    ]),
  );
  const [{ accounts, slot }, blockhash, epoch, wrappedRentLamports, accountRent, walletMinimum, told, exit] =
    others;
  const { offers, means } = told;
  const known = new Map(read.map((one, index) => [one, accounts[index] ?? null]));
  const itself = known.get(user) ?? null;
  assertPlainWallet(user, itself);
  const held = known.get(accountOut) ?? null;
  assertReachable(request, { token: tokenOut, account: accountOut, known });
  if (!isNative(mintOut, request) && isFrozen(held)) throw refusedAsFrozen(mintOut);
  const opensOutput = !isNative(mintOut, request) && held === null;
  const trader: Trader = {
    ...at.trader,
    heldIn: 0n,
    heldOut: unitsHeld(held),
    outputRentLamports: opensOutput ? accountRent : 0n,
    wrappedRentLamports,
    seed: deps.ids.ulid(),
  };
  const { warnings: safety } = withExit(tokenSafety(tokenOut, { epoch, wellKnown: deps.wellKnown }), exit);
  const lamports = itself?.lamports ?? 0n;
  const needed = { request, terms, trader, lamports, walletMinimum, feeToken, tokenIn, known };
  return {
    ...needed,
    offers,
    means,
    found,
    blockhash,
    epoch,
    slot,
    safety,
    pools: fresh,
    plan: (priced) => planSwap(deps, needed, priced),
    onProgramRefused: ({ route }, err) => noteRefused(deps, route, err),
  };
}

/** Throws PartyRefused where the output cannot be brought to the destination that the caller named. */
function assertReachable(
  { destination }: SwapRequest,
  {
    token,
    account,
    known,
  }: { readonly token: Token; readonly account: Address; readonly known: SwapState['known'] },
): void {
  if (destination === undefined) return;
  const { kind, address } = destination;
  const owner = kind === 'account' ? null : { address, state: known.get(address) ?? null };
  const problem = destinationProblem({ token, account, state: known.get(account) ?? null, owner });
  if (problem !== null) throw new PartyRefused(problem);
}

function ownerOfOutput({ destination }: SwapRequest): Pick<Trader, 'outputOwner'> {
  if (destination === undefined) return {};
  return { outputOwner: destination.kind === 'wallet' ? destination.address : null };
}

function noteRefused({ log }: Pick<SwapDeps, 'log'>, route: Route, err: unknown): void {
  const { mintIn, mintOut, legs } = route;
  const venues = [...new Set(legs.map(({ pool }) => pool.venue))];
  log.error({ err, venues, mintIn, mintOut }, 'a route by the router program was refused');
}

/** The tokens, and where the trader and the referrer have them. */
async function located({ chain, programs }: Pick<SwapDeps, 'chain' | 'programs'>, request: SwapRequest) {
  const { user, mintIn, mintOut, referrer, destination, feePayer } = request;
  const [tokenIn, tokenOut] = await Promise.all([
    loadSwapToken(chain, mintIn),
    loadSwapToken(chain, mintOut),
  ]);
  const accountIn = programs.associatedTokenAddress(user, mintIn, tokenIn.tokenProgram);
  const accountOut =
    destination?.kind === 'account'
      ? destination.address
      : programs.associatedTokenAddress(destination?.address ?? user, mintOut, tokenOut.tokenProgram);
  const feeToken = isNative(mintIn, request) ? tokenIn : tokenOut;
  const feeAccount =
    referrer === null
      ? null
      : referrerAccount(programs, referrer.wallet, feeToken, isNative(feeToken.mint, request));
  const read = [
    user,
    accountIn,
    accountOut,
    referrer?.wallet ?? user,
    feeAccount ?? user,
    destination?.address ?? user,
    feePayer ?? user,
  ] as const;
  const trader = {
    wallet: user,
    tokenIn,
    tokenOut,
    accountIn,
    accountOut,
    feeAccount,
    solAsToken: request.solAsToken === true,
    ...ownerOfOutput(request),
  };
  return { trader, feeToken, read };
}

function assertPlainWallet(address: Address, state: ChainAccount | null): void {
  if (isPlain(state)) return;
  throw new AppError('RECIPIENT_IS_PROGRAM', { address });
}

/** A priced route for the trader; throws the obstacles of the trader or the referrer before anything is simulated. */
async function planSwap(
  deps: SwapDeps,
  state: Pick<
    SwapState,
    'request' | 'terms' | 'trader' | 'known' | 'feeToken' | 'tokenIn' | 'lamports' | 'walletMinimum'
  >,
  priced: PricedTrade,
): Promise<TradePlan> {
  const { request, terms } = state;
  const problem = cannotBePaid(state, priced);
  if (problem !== null) throw new ReferrerRefused(problem);
  const intermediates = await loadIntermediateAccounts(deps, request.user, priced.route);
  const wrappedRent = wrapsSol(priced.route, state.trader) ? state.trader.wrappedRentLamports : 0n;
  const kept = rentKept(intermediates);
  const funds: SwapFunds = {
    amount: isNative(request.mintIn, request) ? request.amount : 0n,
    tip: request.tip?.lamports ?? 0n,
    keptRent: state.trader.outputRentLamports + kept,
    passingRent: wrappedRent + rentNeeded(intermediates) - kept,
    walletMinimum: state.walletMinimum,
  };
  const { feePayer } = request;
  const signatures =
    (coSignRoute(deps.venues, priced.route) === null ? 1 : 2) + (feePayer === undefined ? 0 : 1);
  const { tier, capLamports } = request.priority ?? NORMAL_PRIORITY;
  const fee = networkFeeCap(tier, signatures, capLamports);
  const unpaid =
    feePayer === undefined
      ? null
      : feePayerProblem(feePayer, state.known.get(feePayer) ?? null, { fee, minimum: state.walletMinimum });
  if (unpaid !== null) throw new PartyRefused(unpaid);
  const ownSignatures = feePayer === undefined ? signatures : 0;
  const needs = neededParts(funds, feePayer === undefined ? fee : 0n);
  if (state.lamports < leastLamports(funds, ownSignatures)) throw tooFewLamports(needs, state.lamports);
  const { account: accountIn, units: heldIn } = await spendable(deps, state);
  const trader = {
    ...state.trader,
    accountIn,
    heldIn,
    ...closing(state, { account: accountIn, units: heldIn }),
  };
  const plan = withTipGroup(
    deps,
    request,
    planTrade(deps, { ...trader, priced, intermediates }, { ...terms, tier }),
  );
  return { ...plan, needs, ...(capLamports === null ? {} : { priorityAtMost: capLamports }) };
}

/** The plan with the tip that was asked for as its last instruction, in a group of its own. */
function withTipGroup(
  { programs }: Pick<SwapDeps, 'programs'>,
  { user, tip }: SwapRequest,
  plan: TradePlan,
): TradePlan {
  if (tip === undefined) return plan;
  const { instructions, expect } = withTip(plan, { programs, wallet: user, tip, n: 1 });
  return { ...plan, instructions, expect, groups: [...plan.groups, 'tip'] };
}

function cannotBePaid(
  {
    request: { referrer },
    trader,
    known,
    feeToken,
    walletMinimum,
  }: Pick<SwapState, 'request' | 'trader' | 'known' | 'feeToken' | 'walletMinimum'>,
  priced: PricedTrade,
): ReferrerProblem | null {
  if (referrer === null || trader.feeAccount === null) return null;
  return referrerProblem({
    isNative: trader.feeAccount === referrer.wallet,
    wallet: referrer.wallet,
    walletState: known.get(referrer.wallet) ?? null,
    token: feeToken,
    account: trader.feeAccount,
    accountState: known.get(trader.feeAccount) ?? null,
    units: priced.fee.units,
    minimum: walletMinimum,
  });
}

/** How the account of the token sold is closed, where that was asked for and this swap empties it; only the one whose state was read. */
function closing(
  { request, trader, known }: Pick<SwapState, 'request' | 'trader' | 'known'>,
  sold: Sellable,
): Pick<Trader, 'closedLamports' | 'harvestsFirst'> {
  const state = known.get(sold.account) ?? null;
  if (request.closesSold !== true || request.mintIn === WSOL_MINT || state === null) return {};
  if (sold.account !== trader.accountIn || sold.units !== request.amount) return {};
  if (!closableOnceEmpty(state, request.user)) return {};
  return { closedLamports: state.lamports, harvestsFirst: feeMintOf(state) !== null };
}

/** The account to sell from, and its units where it is no SOL. Throws INSUFFICIENT_TOKENS. */
async function spendable(
  deps: SwapDeps,
  { request, tokenIn, trader, known }: Pick<SwapState, 'request' | 'tokenIn' | 'trader' | 'known'>,
): Promise<Sellable> {
  const { user, amount, mintIn } = request;
  if (isNative(mintIn, { solAsToken: trader.solAsToken === true }))
    return { account: trader.accountIn, units: 0n };
  return findSellable(deps, {
    wallet: user,
    token: tokenIn,
    associated: trader.accountIn,
    associatedState: known.get(trader.accountIn) ?? null,
    wanted: amount,
  });
}

import type { Address } from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import { hasCode, isAppError } from '../../../core/errors/app-error.ts';
import type { ErrorCode } from '../../../core/errors/codes.ts';
import { ageAt, windowStart } from '../../../core/time/age.ts';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import { feesUpTo, withLegs } from '../../../engine/intents/kinds/rules.ts';
import { createIntent } from '../../../engine/transactions/use/create-intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { LeaderTrade } from '../../follows/rules/leader-trade.ts';
import { CAP_WINDOW_MS } from '../../guard/rules/cap.ts';
import { judgeTrade, spotOutOf, type TradePause } from '../../guard/rules/judge-trade.ts';
import { passPlacing } from '../../guard/rules/pass-free.ts';
import type { Passed } from '../../guard/rules/passed.ts';
import { countSpending, spentNow } from '../../guard/use/guard-spending.ts';
import type { OrderGroup } from '../../orders/rules/order.ts';
import { legsDraft } from '../../orders/use/bracket.ts';
import { newGroup } from '../../orders/use/draft.ts';
import { executablePrice } from '../../orders/use/executable-price.ts';
import { exitDrafts } from '../../orders/use/exit-drafts.ts';
import { draftsOf, judgeCount, viewLegs } from '../../orders/use/place-orders.ts';
import { hasExits } from '../../settings/rules/exit-set.ts';
import type { User } from '../../settings/rules/user.ts';
import type { Exit } from '../../tokens/rules/safety.ts';
import { confirmable, type TradeQuote, tradeParams } from '../../trading/use/trade-quote.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { COPY_LIMITS, type Copy, type CopyPause } from '../rules/copy.ts';
import { exitGrants, grantsOf } from '../rules/copy-grants.ts';
import { type CopyTrade, copyKey, legOf } from '../rules/copy-trade.ts';
import {
  copySize,
  isAskedAgain,
  judgeMarket,
  judgeSeen,
  type MarketFacts,
  type SeenFacts,
  type Skip,
  skip,
} from '../rules/judge-copy.ts';
import type { CopyDeps } from './copy-deps.ts';
import { pauseLocked } from './pause-copy.ts';

/** How long the sales beside a purchase stay open. */
const EXITS_MS = 7 * 86_400_000;
const SOL = 1_000_000_000n;
const MICROS = 1_000_000n;

/** The trade is not copied; `pauses` says why the copy rests from now on, null where it goes on. */
class SkippedError extends Error {
  readonly why: Skip;
  readonly pauses: CopyPause | null;
  constructor(why: Skip, pauses: CopyPause | null = why.reason === 'total-cap' ? 'budget' : null) {
    super(pauses ?? why.reason);
    this.why = why;
    this.pauses = pauses;
  }
}

const paused = (reason: CopyPause): SkippedError => new SkippedError(skip('paused'), reason);

/** Another process decided, or the copy was changed: it is asked again in the next round, where nothing is decided yet. */
class LostRaceError extends Error {}

/**
 * Decides on a leader's purchase for one copy: skips it with the first reason, or buys. The decision, the intent and the exits are ONE
 * commit, under the person's guard and the copy's lock; the leader's transaction is the key, so a repeat changes nothing. False where
 * nothing was decided yet, and the next round asks again: so it is where a rehearsal or a price had no answer, until the trade is old. Throws
 * CHAIN_UNREACHABLE and the like, with nothing decided.
 */
export async function copyBuy(deps: CopyDeps, copy: Copy, trade: LeaderTrade): Promise<boolean> {
  try {
    return await decide(deps, copy, trade);
  } catch (error) {
    if (error instanceof LostRaceError) return false;
    const skipped = error instanceof SkippedError ? error : skippedBy(error);
    if (skipped === null) throw error;
    if (hasCode(error, 'POLICY_DENIED'))
      return writeSkip(deps, copy, trade, (await seenSince(deps, copy, trade)) ?? skipped);
    return writeSkip(deps, copy, trade, skipped);
  }
}

/** The refusals of the gate, the signer and the market; null for a fault, which decides nothing. */
function skippedBy(error: unknown): SkippedError | null {
  if (hasCode(error, 'ACCOUNT_FROZEN')) return paused('panic');
  if (hasCode(error, 'POLICY_DENIED') || hasCode(error, 'ROW_FORGED')) return paused('mandate');
  const why = refusedFor(error);
  return why === null ? null : new SkippedError(why);
}

/**
 * The signer counts all purchases of the copy, those too that were confirmed while this one was quoted. Where they leave it no room now, it is
 * skipped for that, and the mandate is as it was. Null where they do.
 */
async function seenSince(deps: CopyDeps, { id }: Copy, trade: LeaderTrade): Promise<SkippedError | null> {
  const copy = await deps.db.copies.find(id);
  if (copy === null) return null;
  const leaderLamports = await worthOf(deps, trade);
  const why = judgeSeen(await seenFacts(deps, deps.db, { copy, trade, leaderLamports }));
  return why === null ? null : new SkippedError(why);
}

/** The reason of a refusal of the market; null for anything else. */
export function refusedFor(error: unknown): Skip | null {
  const why = isAppError(error) ? REFUSED[error.code] : undefined;
  return why === undefined ? null : skip(why);
}

const REFUSED: Partial<Record<ErrorCode, Skip['reason']>> = {
  INSUFFICIENT_LAMPORTS: 'funds',
  NO_ROUTE: 'no-route',
  ROUTE_TOO_LARGE: 'no-route',
  AMOUNT_ABOVE_DEPTH: 'no-route',
  INSUFFICIENT_LIQUIDITY: 'no-route',
  PRICE_IMPACT_TOO_HIGH: 'depth',
  TOKEN_NOT_TRANSFERABLE: 'block',
  TOKEN_NOT_FOUND: 'no-route',
  SAME_TOKEN: 'base',
  ORDER_REFUSED: 'exits',
};

/** Writes the skip down, and pauses the copy where it says so. False where another process was faster. */
async function writeSkip(
  deps: Pick<CopyDeps, 'db' | 'clock' | 'ids'>,
  copy: Copy,
  trade: LeaderTrade,
  { why, pauses }: SkippedError,
): Promise<boolean> {
  return deps.db.transact(async (stores) => {
    await stores.guards.lock(copy.userId);
    const fresh = await stores.copies.lock(copy.id);
    if (fresh === null || !(await stores.copies.decide(rowOf(deps, copy, trade, { skip: why }))))
      return false;
    if (pauses !== null) await pauseLocked(deps, stores, fresh, pauses);
    return true;
  });
}

/** The row of a decision on a leader's trade. */
export function rowOf(
  { clock }: Pick<CopyDeps, 'clock'>,
  copy: Copy,
  trade: LeaderTrade,
  more: Partial<CopyTrade>,
): CopyTrade {
  const { signature, mint, side } = trade;
  return {
    copyId: copy.id,
    signature,
    leg: legOf(trade),
    userId: copy.userId,
    leader: copy.leader,
    mint,
    side,
    status: 'SKIPPED',
    skip: null,
    intentId: null,
    amount: 0n,
    moved: 0n,
    burnt: 0n,
    tries: 0,
    dueAt: null,
    seenAt: clock.now(),
    ...more,
  };
}

async function decide(deps: CopyDeps, copy: Copy, trade: LeaderTrade): Promise<boolean> {
  const leaderLamports = await worthOf(deps, trade);
  const [user, wallet, seen] = await Promise.all([
    deps.db.users.find(copy.userId),
    deps.db.wallets.find(copy.walletId),
    seenFacts(deps, deps.db, { copy, trade, leaderLamports }),
  ]);
  if (user === null || wallet === null || wallet.deletedAt !== null) throw paused('mandate');
  const early = judgeSeen(seen);
  if (early !== null) throw new SkippedError(early);
  const lamports = copySize(copy.rules, leaderLamports ?? 0n);
  const { mint } = trade;
  const asking = askMarket(deps, { copy, mint, wallet, lamports });
  // The refusal of the quote comes first; the rest is not awaited then.
  asking.catch(() => undefined);
  const quote = await deps.quote({
    side: 'buy',
    wallet: wallet.address,
    mint,
    amount: { lamports },
    slippageBps: bps(user.settings.slippageBuyBps),
    tier: user.settings.tier,
  });
  const market = await asking;
  const { doubts } = market;
  const facts = marketFacts(market, { copy, trade, quote, leaderLamports });
  const late = judgeMarket(copy.rules, facts);
  if (late !== null && isAskedAgain(late, ageAt(trade.at, deps.clock.now()))) return false;
  if (late !== null) throw new SkippedError(late);
  return commit(deps, { copy, trade, user, quote, leaderLamports, doubts });
}

/** In lamports; null where it was not paid in money, or where the price of SOL is not known. */
export async function worthOf(
  { trade: { hubs }, solPrice }: Pick<CopyDeps, 'trade' | 'solPrice'>,
  { paid }: Pick<LeaderTrade, 'paid'>,
): Promise<bigint | null> {
  if (paid === null) return null;
  if (paid.mint === hubs[0]) return paid.units;
  const micros = await solPrice();
  return micros === null || micros === 0n ? null : (paid.units * SOL) / micros;
}

type Seen = {
  readonly copy: Copy;
  readonly trade: LeaderTrade;
  readonly leaderLamports: bigint | null;
};

/** Asked twice: before the market is, and again under the locks. */
async function seenFacts(
  deps: CopyDeps,
  stores: Pick<Stores, 'copies' | 'positions' | 'createdTokens'>,
  { copy, trade, leaderLamports }: Seen,
): Promise<SeenFacts> {
  const { mint } = trade;
  const [own, spent, positions, made, isCopied] = await Promise.all([
    stores.copies.trades(copy.id, mint),
    stores.copies.spent(copy.id, windowStart(COPY_LIMITS.dayMs, deps.clock)),
    stores.positions.list([copy.walletId]),
    stores.createdTokens.find(mint),
    stores.copies.isPurchase(trade.signature),
  ]);
  return {
    rules: copy.rules,
    ageMs: ageAt(trade.at, deps.clock.now()),
    isPaused: copy.status !== 'ON',
    isBase: deps.trade.hubs.includes(mint),
    isLeaderMade: made?.creator === copy.leader,
    isCopied,
    isHidden: positions.some((one) => one.mint === mint && one.hiddenByPerson === true),
    boughtBefore: own.some(({ status }) => status === 'BUYING' || status === 'BOUGHT'),
    leaderLamports,
    spentToday: spent.today,
    spentInAll: spent.inAll,
  };
}

type Doubts = Awaited<ReturnType<CopyDeps['doubtToken']>>;

/** A purchase as it would be made. */
type AsBought = Pick<TradeQuote, 'token' | 'safety'> & {
  readonly terms: Pick<TradeQuote['terms'], 'amountIn' | 'quotedOut'>;
};

/** The market of a token, as asked for one purchase. */
type Market = {
  readonly doubts: Doubts;
  readonly exit: Exit | undefined;
  /** Lamports of both sides of its pools; null where nothing trades it. */
  readonly depthLamports: bigint | null;
  readonly microUsdPerSol: bigint | null;
  readonly crowdLamports: bigint;
};

/** Asks for the market of a purchase of so many lamports: beside its quote, for it needs nothing of that. Throws CHAIN_UNREACHABLE and the like. */
export async function askMarket(
  deps: CopyDeps,
  {
    copy,
    mint,
    wallet,
    lamports,
  }: {
    readonly copy: Pick<Copy, 'leader'>;
    readonly mint: Address;
    readonly wallet: Pick<Wallet, 'address'>;
    readonly lamports: bigint;
  },
): Promise<Market> {
  const [doubts, exit, price, microUsdPerSol, crowdLamports] = await Promise.all([
    deps.doubtToken(mint, wallet.address),
    deps.trade.exitCheck?.(mint, wallet.address),
    executablePrice(deps.trade, { side: 'buy', mint, amount: lamports, wallet: wallet.address }),
    deps.solPrice(),
    deps.db.copies.crowd(copy.leader, mint),
  ]);
  return { doubts, exit, depthLamports: price?.depthLamports ?? null, microUsdPerSol, crowdLamports };
}

/** The facts of the token and its market for one purchase of a copy, real or on paper. */
export function marketFacts(
  { doubts, exit, depthLamports, microUsdPerSol: micros, crowdLamports }: Market,
  {
    copy,
    trade,
    quote,
    leaderLamports,
  }: Omit<Seen, 'copy'> & { readonly copy: Pick<Copy, 'leader'>; readonly quote: AsBought },
): MarketFacts {
  return {
    level: isMadeBy(quote, copy) ? 'BLOCK' : quote.safety.level,
    warnings: quote.safety.warnings,
    isYoung: doubts.includes('young'),
    isMadeHere: doubts.includes('home-made'),
    liquidityUsd: depthLamports === null || micros === null ? null : (depthLamports * micros) / SOL / MICROS,
    depthLamports,
    crowdLamports,
    ours: { lamports: quote.terms.amountIn, units: quote.terms.quotedOut },
    theirs: { lamports: leaderLamports ?? 0n, units: trade.units },
    roundTripBps: roundTripOf(exit),
  };
}

/** The leader could make more of it, or freeze it, at any time. */
function isMadeBy({ token }: Pick<TradeQuote, 'token'>, { leader }: Pick<Copy, 'leader'>): boolean {
  return token.mintAuthority === leader || token.freezeAuthority === leader;
}

function roundTripOf(exit: Exit | undefined): bigint | null {
  if (exit?.kind === 'cannot-buy' || exit?.kind === 'cannot-sell') return 0n;
  if (exit?.kind !== 'sold' || exit.spentLamports <= 0n) return null;
  return (exit.returnedLamports * 10_000n) / exit.spentLamports;
}

type Buying = Seen & { readonly user: User; readonly quote: TradeQuote; readonly doubts: Doubts };

async function commit(deps: CopyDeps, buying: Buying): Promise<boolean> {
  const { copy, trade, quote } = buying;
  const { userId, walletId } = copy;
  const idemKey = copyKey({ copyId: copy.id, signature: trade.signature, leg: legOf(trade) });
  const exits = await exitsOf(deps, buying, idemKey);
  const plain = tradeParams(confirmable(quote));
  const params = exits === null ? plain : withLegs(plain);
  const id = deps.ids.ulid();
  const request = { id, userId, walletId, idemKey, params };
  // Before the transaction: no lock is held while the signer answers.
  const { confirmation, certificates } = await deps.vault.confirmCopy({
    request,
    orders: exits?.orders ?? [],
  });
  let passed: Passed<'order-place'> | null = null;
  const { created } = await createIntent(deps, {
    ...request,
    confirmed: { id, confirmation },
    judge: async (stores, intentId) => {
      passed = await judgeLocked(deps, stores, { ...buying, params, intentId });
      return { notBefore: null };
    },
    beside: async (stores, intentId) => {
      const row = rowOf(deps, copy, trade, { status: 'BUYING', intentId, amount: quote.terms.amountIn });
      if (!(await stores.copies.decide(row))) throw new LostRaceError();
      if (exits === null || passed === null) return;
      const open = await stores.orders.countOpen(userId, trade.mint);
      if (judgeCount(open, exits.orders.length) !== null) throw new SkippedError(skip('exits'));
      const orders = exits.orders.map((order, n) => ({ ...order, certificate: certificates[n] ?? null }));
      const group = { ...exits, orders, parentIntentId: intentId };
      if ((await stores.orders.insert(passed, group)) === null) throw new LostRaceError();
    },
  });
  if (created) deps.ordersChanged();
  return created;
}

/** Switches first, then the person, then the copy: as every other commit takes these locks. The purchase is counted here. */
async function judgeLocked(
  deps: CopyDeps,
  stores: Stores,
  buying: Buying & { readonly params: IntentParams; readonly intentId: string },
): Promise<Passed<'order-place'>> {
  const { copy, quote, doubts, params, intentId } = buying;
  const { userId } = copy;
  const { amountIn, minOut } = quote.terms;
  const on = await stores.flags.hold();
  if (on.has('quarantined')) throw paused('restored');
  if (on.has('signing-paused') || on.has('trading-paused')) throw new SkippedError(skip('paused'));
  const guard = await stores.guards.lock(userId);
  const fresh = await stores.copies.lock(copy.id);
  if (fresh?.version !== copy.version) throw new LostRaceError();
  const over = judgeSeen(await seenFacts(deps, stores, { ...buying, copy: fresh }));
  if (over !== null) throw new SkippedError(over);
  const verdict = judgeTrade({
    side: 'buy',
    units: amountIn,
    minOut,
    leastOut: minOut,
    spotOut: spotOutOf(quote.terms),
    medianOut: null,
    doubts,
    fees: feesUpTo(params),
    floorFees: null,
    guard,
    grants: grantsOf(fresh),
    spent: await spentNow(stores, userId, deps.clock),
    rules: deps.guardRules,
    source: 'copy',
    now: deps.clock,
  });
  if (verdict.kind === 'pause') throw pausedBy(verdict.reason);
  if (verdict.kind !== 'pass') throw new RangeError('copies: no person is there to be asked');
  const unasked = await stores.orders.spentSince(userId, windowStart(CAP_WINDOW_MS, deps.clock));
  if (unasked + amountIn > deps.autoSpendCapLamports) throw paused('cap');
  const counted = { intentId, userId, countsAt: deps.clock.now(), fees: feesUpTo(params) };
  await countSpending(stores, counted, verdict.count);
  return passPlacing(verdict, userId);
}

function pausedBy(reason: TradePause): Error {
  if (reason === 'locked') return paused('mandate');
  return reason === 'cap' ? paused('cap') : new SkippedError(skip('round-trip'));
}

/** The sales that go with the purchase, as they would be written; null where none do. Throws `SkippedError` where one is refused. */
async function exitsOf(
  deps: CopyDeps,
  { copy, trade, user, quote }: Buying,
  key: string,
): Promise<OrderGroup | null> {
  const { amountIn, quotedOut } = quote.terms;
  const { exits } = copy.rules;
  if (!hasExits(exits) || quotedOut <= 0n) return null;
  const { userId, walletId } = copy;
  const { mint } = trade;
  const price = { got: amountIn, given: quotedOut };
  const legs = { drafts: exitDrafts(exits, price), expiresAt: deps.clock.now() + EXITS_MS };
  const sales = { slippageBps: user.settings.slippageSellBps, tier: user.settings.tier, accepted: [] };
  const draft = legsDraft({ userId, walletId, placeKey: key, mint, ...sales }, legs, '');
  const { refusal, looks } = await viewLegs(deps, draft, { units: quotedOut, price });
  if (refusal !== null) throw new SkippedError(skip('exits'));
  const made = { now: deps.clock.now(), depthLamports: null, id: () => deps.ids.ulid() };
  const group = newGroup({ ...draft, drafts: draftsOf(looks) }, made);
  const orders = group.orders.map((order) => ({
    ...order,
    terms: {
      ...order.terms,
      grants: exitGrants(copy, order),
    },
  }));
  return { ...group, orders };
}

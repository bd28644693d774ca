import type { Address } from '@tradepost/solana';
import { AppError, isAppError } from '../../../core/errors/app-error.ts';
import { ageAt, windowStart } from '../../../core/time/age.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import type { LeaderTrade } from '../../follows/rules/leader-trade.ts';
import { ownFollow } from '../../follows/use/follow-wallet.ts';
import { loadTradable } from '../../trading/use/load-token.ts';
import { safetyNow } from '../../trading/use/token-safety.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { COPY_LIMITS, type CopyRules, misfitOf } from '../rules/copy.ts';
import { unitsToSell } from '../rules/copy-sale.ts';
import { legOf } from '../rules/copy-trade.ts';
import { copySize, isAskedAgain, judgeMarket, judgeSeen, type Skip, skip } from '../rules/judge-copy.ts';
import {
  type PaperCopy,
  type PaperResult,
  type PaperTrade,
  paperRests,
  paperResult,
} from '../rules/paper-copy.ts';
import { boughtFor, type FillFacts, REPLAY, soldFor } from '../rules/replay.ts';
import { askMarket, marketFacts, refusedFor, worthOf } from './copy-buy.ts';
import { copyDelayMs } from './copy-delay.ts';
import { heldBy } from './copy-sell.ts';
import { copyOf } from './switch-copy.ts';
import { type CopyViewDeps, marketOf, tradesOf } from './view-copy.ts';

type Asked = { readonly userId: string; readonly followId: string };

/** Decisions in one look. */
const AT_ONCE = 100;

/**
 * Begins a copy without money with these rules, or begins it anew: its earlier decisions are forgotten. It trades nothing and is never
 * counted among positions. Throws COPY_REFUSED, also while a real copy of the wallet is on, FOLLOW_NOT_FOUND, WALLET_NOT_FOUND.
 */
export async function beginPaper(
  deps: Pick<CopyViewDeps, 'db' | 'clock' | 'autoSpendCapLamports' | 'copiesChanged'>,
  input: Asked & { readonly walletId: string; readonly rules: CopyRules },
): Promise<PaperCopy> {
  const { userId, walletId, rules } = input;
  const misfit = misfitOf(rules, deps.autoSpendCapLamports);
  if (misfit !== null) throw new AppError('COPY_REFUSED', { kind: misfit });
  const follow = await ownFollow(deps, input);
  const wallet = await ownWallet(deps.db.wallets, { userId, walletId });
  const { leader } = follow;
  const since = deps.clock.now();
  const copy: PaperCopy = { userId, leader, followId: follow.id, walletId: wallet.id, rules, since };
  await deps.db.transact(async (stores) => {
    await stores.guards.lock(userId);
    if ((await copyOf({ db: stores }, input)) !== null) throw new AppError('BUTTON_STALE', {});
    const others = (await stores.paperCopies.listByUser(userId)).filter((one) => one.leader !== leader);
    if (others.length >= COPY_LIMITS.perPerson) throw new AppError('COPY_REFUSED', { kind: 'too-many' });
    await stores.paperCopies.begin(copy);
  });
  deps.copiesChanged();
  return copy;
}

/** Ends a person's paper copy of a followed wallet, with its decisions. False where there is none. Throws FOLLOW_NOT_FOUND. */
export async function endPaper(deps: Pick<CopyViewDeps, 'db'>, asked: Asked): Promise<boolean> {
  const { leader } = await ownFollow(deps, asked);
  return deps.db.paperCopies.end({ userId: asked.userId, leader });
}

export type PaperOnScreen = {
  readonly copy: PaperCopy;
  readonly result: PaperResult;
  /** The last decisions, newest first. */
  readonly latest: readonly PaperTrade[];
};

/** A person's paper copy of a wallet, with its result by the prices of now; null where there is none. Changes nothing. */
export async function viewPaper(
  deps: CopyViewDeps,
  { userId, leader }: Pick<PaperCopy, 'userId' | 'leader'>,
): Promise<PaperOnScreen | null> {
  const copy = await deps.db.paperCopies.find({ userId, leader });
  if (copy === null) return null;
  const trades = await deps.db.paperCopies.trades(copy);
  const at = deps.clock.now();
  const open = [...paperRests(trades)].filter(([, { units }]) => units > 0n);
  const worth = await Promise.all(
    open.map(async ([mint, { units }]) => {
      const { facts } = await fillFacts(deps, copy, mint);
      return [mint, soldFor(facts, { mint, units, at })] as const;
    }),
  );
  return { copy, result: paperResult(trades, new Map(worth)), latest: trades.toReversed() };
}

/**
 * Decides on the leaders' trades that are old enough for a price after a copy's delay, each once: the row's key is the leader's
 * transaction, so a process that dies decides again or not at all. True where some copy is on paper. Throws DATABASE_UNREACHABLE.
 */
export async function decidePapers(deps: CopyViewDeps): Promise<boolean> {
  if (!(await deps.db.paperCopies.isAny())) return false;
  const delayMs = await copyDelayMs(deps);
  for (const { copy, trade } of await deps.db.paperCopies.undecided(deps.clock.now() - delayMs, AT_ONCE)) {
    try {
      const row = await (trade.side === 'buy' ? buy(deps, copy, trade) : sell(deps, copy, trade));
      if (row !== null) await deps.db.paperCopies.decide(row);
    } catch (err) {
      if (!isAppError(err)) deps.log.warn({ err }, 'a trade could not be copied on paper');
    }
  }
  return true;
}

function rowOf(
  { clock }: Pick<CopyViewDeps, 'clock'>,
  { userId, leader }: PaperCopy,
  trade: LeaderTrade,
  more: { readonly skip: Skip } | Pick<PaperTrade, 'lamports' | 'network' | 'units'>,
): PaperTrade {
  const { signature, mint, side } = trade;
  const nothing = { skip: null, lamports: 0n, network: 0n, units: 0n };
  return {
    userId,
    leader,
    signature,
    leg: legOf(trade),
    mint,
    side,
    ...nothing,
    ...more,
    seenAt: clock.now(),
  };
}

/** The decision on a purchase; null where the next round asks again. The same rules as of a real copy; only money is not asked for. */
async function buy(deps: CopyViewDeps, copy: PaperCopy, trade: LeaderTrade): Promise<PaperTrade | null> {
  const { rules, leader, walletId } = copy;
  const { mint } = trade;
  const [own, wallet, positions, made, isCopied, leaderLamports] = await Promise.all([
    deps.db.paperCopies.trades(copy),
    deps.db.wallets.find(walletId),
    deps.db.positions.list([walletId]),
    deps.db.createdTokens.find(mint),
    deps.db.copies.isPurchase(trade.signature),
    worthOf(deps, trade),
  ]);
  const bought = own.filter((one) => one.side === 'buy' && one.skip === null);
  const since = windowStart(COPY_LIMITS.dayMs, deps.clock);
  const spent = (rows: readonly PaperTrade[]): bigint =>
    rows.reduce((sum, { lamports }) => sum + lamports, 0n);
  const early = judgeSeen({
    rules,
    ageMs: ageAt(trade.at, deps.clock.now()),
    isPaused: wallet === null || wallet.deletedAt !== null,
    isBase: deps.trade.hubs.includes(mint),
    isLeaderMade: made?.creator === leader,
    isCopied,
    isHidden: positions.some((one) => one.mint === mint && one.hiddenByPerson === true),
    boughtBefore: bought.some((one) => one.mint === mint),
    leaderLamports,
    spentToday: spent(bought.filter(({ seenAt }) => seenAt > since)),
    spentInAll: spent(bought),
  });
  if (early !== null || wallet === null) return rowOf(deps, copy, trade, { skip: early ?? skip('paused') });
  const lamports = copySize(rules, leaderLamports ?? 0n);
  const { facts, network, at } = await fillFacts(deps, copy, mint, trade);
  const units = boughtFor(facts, { mint, lamports, at });
  if (units <= 0n) return rowOf(deps, copy, trade, { skip: skip('no-route') });
  try {
    const [token, safety] = await Promise.all([
      loadTradable(deps.trade.chain, mint),
      safetyNow(deps.trade, { mint, wallet: wallet.address }),
    ]);
    const quote = { token, safety, terms: { amountIn: lamports, quotedOut: units } };
    const market = await askMarket(deps, { copy, mint, wallet, lamports });
    const late = judgeMarket(rules, marketFacts(market, { copy, trade, quote, leaderLamports }));
    if (late === null) return rowOf(deps, copy, trade, { lamports, network, units });
    return isAskedAgain(late, ageAt(trade.at, deps.clock.now()))
      ? null
      : rowOf(deps, copy, trade, { skip: late });
  } catch (error) {
    const why = refusedFor(error);
    if (why === null) throw error;
    return rowOf(deps, copy, trade, { skip: why });
  }
}

/** The same part of the rest on paper as the leader sold of theirs; null where the node has the transaction not yet. */
async function sell(deps: CopyViewDeps, copy: PaperCopy, trade: LeaderTrade): Promise<PaperTrade | null> {
  const heldBefore = await heldBy(deps, trade);
  if (heldBefore === 'unserved') return null;
  const { mint } = trade;
  const rest = paperRests(await deps.db.paperCopies.trades(copy)).get(mint)?.units ?? 0n;
  const units = unitsToSell({ sold: trade.units, heldBefore }, rest);
  if (units === 0n) return rowOf(deps, copy, trade, { skip: skip('not-held') });
  const { facts, at } = await fillFacts(deps, copy, mint, trade);
  return rowOf(deps, copy, trade, { lamports: soldFor(facts, { mint, units, at }), network: 0n, units });
}

/** The replay's own prices and pools of one token, and the moment at which a copy of the trade would land. */
async function fillFacts(
  deps: CopyViewDeps,
  { userId, leader }: PaperCopy,
  mint: Address,
  trade: Pick<LeaderTrade, 'at'> = { at: deps.clock.now() },
): Promise<{ readonly facts: FillFacts; readonly network: bigint; readonly at: number }> {
  const to = deps.clock.now();
  const from = to - REPLAY.spanMs;
  const [user, trades, delayMs] = await Promise.all([
    deps.db.users.find(userId),
    tradesOf(deps, leader, from),
    copyDelayMs(deps),
  ]);
  const { prices, side } = await marketOf(deps, mint, { follow: { leader }, trades, from, to });
  const network = networkFeeCap(user?.settings.tier ?? 'normal');
  return {
    network,
    at: trade.at + delayMs,
    facts: {
      tape: new Map([[mint, prices]]),
      depth: new Map(side === null ? [] : [[mint, side]]),
      feeBps: BigInt(deps.tradeFeeBps()),
      networkLamports: network,
    },
  };
}

import { minBigint } from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import { hasCode, isAppError } from '../../../core/errors/app-error.ts';
import { hasAged } from '../../../core/time/age.ts';
import { feesUpTo } from '../../../engine/intents/kinds/rules.ts';
import { createIntent } from '../../../engine/transactions/use/create-intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { LeaderTrade } from '../../follows/rules/leader-trade.ts';
import { grantsHold } from '../../guard/rules/grants.ts';
import { judgeTrade, spotOutOf } from '../../guard/rules/judge-trade.ts';
import { assertPriority, FLOOR_FEES, orAtFloor } from '../../guard/use/at-floor.ts';
import { countSpending, spentNow } from '../../guard/use/guard-spending.ts';
import { PLACEMENT } from '../../orders/rules/placement.ts';
import { confirmable, type TradeQuote, tradeParams } from '../../trading/use/trade-quote.ts';
import type { Copy } from '../rules/copy.ts';
import { grantsOf } from '../rules/copy-grants.ts';
import { restAfter, saleSlippageBps, unitsToSell } from '../rules/copy-sale.ts';
import { type CopyTrade, copyKey } from '../rules/copy-trade.ts';
import { skip } from '../rules/judge-copy.ts';
import { rowOf } from './copy-buy.ts';
import type { CopyDeps } from './copy-deps.ts';
import { type CopyRest, restOf } from './copy-rest.ts';
import { shareExits } from './share-exits.ts';
import { tellStuck } from './tell-stuck.ts';

/** Until then a leader's transaction that no endpoint serves is asked for again; after it, all is sold. */
const SERVED_MS = 60_000;

/**
 * Decides on a leader's sale for one copy, at any age: the same part of the copy's rest is owed, or nothing where it has none. One commit
 * under the copy's lock. While a purchase of the token is on its way nothing is decided: then this is false, and the next round asks again.
 * A purchase under review may take a person hours. So it holds up no sale of the units that arrived otherwise; its own stay.
 */
export async function oweSale(deps: CopyDeps, copy: Copy, trade: LeaderTrade): Promise<boolean> {
  const heldBefore = await heldBy(deps, trade);
  if (heldBefore === 'unserved') return false;
  return deps.db.transact(async (stores) => {
    await stores.guards.lock(copy.userId);
    const fresh = await stores.copies.lock(copy.id);
    if (fresh === null || fresh.status === 'ENDED') return false;
    const rest = await restOf(stores, copy.id, trade.mint);
    if (await waitsFor(stores, rest)) return false;
    const amount = unitsToSell({ sold: trade.units, heldBefore }, rest.units);
    const owed: Partial<CopyTrade> =
      amount === 0n ? { skip: skip('not-held') } : { status: 'OWED', amount, dueAt: deps.clock.now() };
    return stores.copies.decide(rowOf(deps, fresh, trade, owed));
  });
}

/** Whether the sale waits: for each purchase on its way, and for one under review where nothing else arrived. */
async function waitsFor({ intents }: Pick<Stores, 'intents'>, { units, buying }: CopyRest): Promise<boolean> {
  if (units === 0n) return buying.length > 0;
  const found = await Promise.all(buying.map((id) => intents.find(id)));
  return found.some((intent) => intent?.status !== 'NEEDS_REVIEW');
}

/** The leader's units of the token before the sale, over all of their accounts; null where that is not known any more. */
export async function heldBy(
  deps: Pick<CopyDeps, 'landed' | 'clock'>,
  trade: LeaderTrade,
): Promise<bigint | null | 'unserved'> {
  const landed = await deps.landed(trade.signature);
  if (landed === null) return hasAged(trade.at, SERVED_MS, deps.clock) ? null : 'unserved';
  const own = landed.tokenBalances.filter(({ owner, mint }) => owner === trade.leader && mint === trade.mint);
  return own.length === 0 ? null : own.reduce((sum, { before }) => sum + before, 0n);
}

class LostRaceError extends Error {}
class StoppedError extends Error {}

/**
 * Tries an owed sale once: the intent and the row's new state are ONE commit, and the try's number is in the key. Without effect it is owed
 * on, with more room for the price each time and a longer rest; after three tries the person hears of it. Throws CHAIN_UNREACHABLE and the
 * like, with nothing changed.
 */
export async function sellOwed(deps: CopyDeps, owed: CopyTrade): Promise<void> {
  try {
    await sell(deps, owed);
  } catch (error) {
    if (error instanceof LostRaceError) return;
    if (error instanceof StoppedError) return rest(deps, owed, 'stopped');
    if (!isAppError(error)) throw error;
    if (hasCode(error, 'INSUFFICIENT_TOKENS') && error.details.available === 0n) return end(deps, owed);
    if (hasCode(error, 'AMOUNT_DUST')) return end(deps, owed);
    if (error.code === 'CHAIN_UNREACHABLE' || error.code === 'SIGNER_UNAVAILABLE') throw error;
    return rest(deps, owed, hasCode(error, 'ACCOUNT_FROZEN') ? 'stopped' : 'tried');
  }
}

async function sell(deps: CopyDeps, owed: CopyTrade): Promise<void> {
  const copy = await deps.db.copies.find(owed.copyId);
  if (copy === null || copy.status === 'ENDED') return end(deps, owed);
  const [user, wallet, left] = await Promise.all([
    deps.db.users.find(copy.userId),
    deps.db.wallets.find(copy.walletId),
    restOf(deps.db, copy.id, owed.mint, owed),
  ]);
  if (user === null || wallet === null || wallet.deletedAt !== null) return end(deps, owed);
  if (!(await areConfirmed(deps, left.early))) return rest(deps, owed, 'stopped');
  const held = await deps.market.sellable(wallet.address, owed.mint);
  const units = minBigint(minBigint(owed.amount, left.units), held.units);
  if (units <= 0n) return end(deps, owed);
  const slippageBps = bps(saleSlippageBps(user.settings.slippageSellBps, owed.tries));
  const { tier } = user.settings;
  const request = { side: 'sell', wallet: wallet.address, mint: owed.mint, amount: { units } } as const;
  const quote = await deps.quote({ ...request, slippageBps, tier });
  if (quote.terms.quotedOut < PLACEMENT.minimumLamports) return end(deps, owed);
  await commit(deps, { copy, owed, units, quote });
}

/**
 * Whether a node shows each of these purchases in a block, without an error. Their units count since the confirmation. A fork may have died
 * since, and the sale would then take the person's own units of the token. A purchase under review holds up no sale.
 */
async function areConfirmed({ db, chain }: CopyDeps, intentIds: readonly string[]): Promise<boolean> {
  const signatures: string[] = [];
  for (const id of intentIds) {
    if ((await db.intents.find(id))?.status === 'NEEDS_REVIEW') continue;
    const attempts = await db.intents.attempts(id);
    const voted = attempts.find(({ status }) => status === 'CONFIRMED' || status === 'FINALIZED');
    if (voted === undefined) return false;
    signatures.push(voted.signature);
  }
  if (signatures.length === 0) return true;
  const statuses = await chain.statuses(signatures);
  return statuses.every((status) => status !== null && status.level !== 'processed' && status.err === null);
}

type Selling = {
  readonly copy: Copy;
  readonly owed: CopyTrade;
  readonly units: bigint;
  readonly quote: TradeQuote;
};

async function commit(deps: CopyDeps, { copy, owed, units, quote }: Selling): Promise<void> {
  const { userId, walletId } = copy;
  const idemKey = copyKey(owed, owed.tries);
  const { minOut } = quote.terms;
  await orAtFloor(tradeParams(confirmable(quote)), async (params) => {
    const id = deps.ids.ulid();
    const request = { id, userId, walletId, idemKey, params };
    const { confirmation } = await deps.vault.confirmCopy({ request, orders: [] });
    return createIntent(deps, {
      ...request,
      confirmed: { id, confirmation },
      judge: async (stores, intentId) => {
        const on = await stores.flags.hold();
        if (on.has('signing-paused') || on.has('trading-paused') || on.has('quarantined'))
          throw new StoppedError();
        const guard = await stores.guards.lock(userId);
        const fresh = await stores.copies.lock(copy.id);
        const row = await stores.copies.findTrade(owed);
        if (fresh === null || row?.status !== 'OWED' || row.tries !== owed.tries) throw new LostRaceError();
        const grants = grantsOf(fresh);
        const verdict = judgeTrade({
          side: 'sell',
          units,
          minOut,
          // It follows the leader at any price of the hour.
          leastOut: null,
          spotOut: spotOutOf(quote.terms),
          medianOut: null,
          doubts: [],
          fees: feesUpTo(params),
          floorFees: FLOOR_FEES,
          guard,
          grants: grantsHold(grants, guard, deps.clock) ? grants : null,
          spent: await spentNow(stores, userId, deps.clock),
          rules: deps.guardRules,
          source: 'copy',
          now: deps.clock,
        });
        if (verdict.kind !== 'pass') throw new StoppedError();
        assertPriority(verdict, params);
        const counted = { intentId, userId, countsAt: deps.clock.now(), fees: feesUpTo(params) };
        await countSpending(stores, counted, verdict.count);
        return { notBefore: null };
      },
      beside: async (stores, intentId) => {
        await stores.copies.saveTrade({ ...owed, status: 'SELLING', intentId, amount: units, dueAt: null });
        await shareExits(stores, owed);
      },
    });
  });
}

/** Nothing of it is there any more: exits or the person sold it, or the rest is worth no transaction. */
function end(deps: CopyDeps, owed: CopyTrade): Promise<void> {
  return change(deps, owed, () => ({ status: 'SOLD', moved: 0n, dueAt: null }));
}

/** Owed on: `stopped` waits until it may go on, and counts as no try. */
async function rest(deps: CopyDeps, owed: CopyTrade, why: 'tried' | 'stopped'): Promise<void> {
  const tries = owed.tries + (why === 'tried' ? 1 : 0);
  await change(deps, owed, async (stores) => {
    if (why === 'tried') await tellStuck(deps, stores, { ...owed, tries });
    return { tries, dueAt: deps.clock.now() + restAfter(Math.max(1, tries)) };
  });
}

async function change(
  deps: Pick<CopyDeps, 'db'>,
  owed: CopyTrade,
  to: (stores: Stores) => Partial<CopyTrade> | Promise<Partial<CopyTrade>>,
): Promise<void> {
  await deps.db.transact(async (stores) => {
    await stores.guards.lock(owed.userId);
    await stores.copies.lock(owed.copyId);
    const row = await stores.copies.findTrade(owed);
    if (row?.status === 'OWED' && row.tries === owed.tries)
      await stores.copies.saveTrade({ ...row, ...(await to(stores)) });
  });
}

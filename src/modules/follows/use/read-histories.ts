import type { Address } from '@tradepost/solana';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { ChainHistory } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { landedTrades } from '../rules/landed-trade.ts';
import { HISTORY, type LeaderHistory } from '../rules/leader-history.ts';
import type { LeaderTrade } from '../rules/leader-trade.ts';
import { readFunder } from './read-funders.ts';

/** Where nothing is to be read. */
const REST_MS = 15_000;
/** Signatures of one round; each may cost a read. */
const PAGE = 10;
/** Calls to a node within a second, over all wallets. */
const CALLS_PER_SECOND = 5;

export type HistoryDeps = {
  readonly db: Pick<Database, 'follows' | 'transact'>;
  readonly chain: Pick<Chain, 'landed'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly clock: Clock;
  /** SOL first, then dollars with six decimals. */
  readonly money: readonly [sol: Address, ...dollars: readonly Address[]];
  /** Whether this process is the one that reads. */
  readonly isFirst: () => boolean;
  readonly log: Pick<Logger, 'warn'>;
};

export type HistoryWatch = {
  /** One round: the funder or a page of one wallet. Milliseconds until the next, so that calls keep to their budget; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  stop(): Promise<void>;
};

/**
 * Reads the trades of followed wallets of the seven days before they were followed first, newest first: at most 1,000 signatures and 300
 * transactions of one wallet, 5 calls a second in all. The trades of a page and the place are one commit, so a process that dies goes on
 * with the next page, and no trade is there twice. No person gets a message of them, and no copy decides on them: they are older than any.
 * Under the same budget it searches for the funder of each wallet, one wallet a round and before any page.
 */
export function createHistoryWatch(deps: HistoryDeps): HistoryWatch {
  return {
    round: async () => {
      if (!deps.isFirst()) return REST_MS;
      try {
        const now = deps.clock.now();
        await deps.db.follows.beginHistories(now);
        await deps.db.follows.beginFunders();
        // The few calls for a funder come first: a signal names it, and reading a past takes minutes.
        const search = await deps.db.follows.openFunder(now);
        const open = search === null ? await deps.db.follows.openHistory() : null;
        if (search === null && open === null) return REST_MS;
        const calls =
          search === null ? (open === null ? 0 : await readPage(deps, open)) : await readFunder(deps, search);
        return Math.ceil((calls * 1_000) / CALLS_PER_SECOND);
      } catch (err) {
        if (!isAppError(err)) deps.log.warn({ err }, 'the past of a followed wallet could not be read');
        return REST_MS;
      }
    },
    onAdd: () => undefined,
    stop: async () => undefined,
  };
}

/** Reads one page and keeps it. Returns the calls that it took. */
async function readPage(deps: HistoryDeps, open: LeaderHistory): Promise<number> {
  const { leader, until } = open;
  const from = until - HISTORY.spanMs;
  const page = await deps.history.signatures(leader, {
    before: open.beforeSignature,
    limit: Math.min(PAGE, HISTORY.signatures - open.signatures),
  });
  let after: LeaderHistory = open;
  let calls = 1;
  const trades: LeaderTrade[] = [];
  for (const { signature, err, at } of page) {
    if (at !== null && at < from) {
      after = { ...after, ended: 'whole', reached: from };
      break;
    }
    const isRead = err === null && at !== null && at <= until;
    if (isRead && after.reads >= HISTORY.reads) {
      after = { ...after, ended: 'reads' };
      break;
    }
    if (isRead) {
      calls += 1;
      const landed = await deps.chain.landed(signature);
      if (landed === null) {
        after = { ...after, ended: 'pruned' };
        break;
      }
      trades.push(...landedTrades(landed, leader, { money: deps.money, at, newer: after.signatures }));
    }
    after = {
      ...after,
      beforeSignature: signature,
      signatures: after.signatures + 1,
      reads: after.reads + (isRead ? 1 : 0),
      reached: at === null ? after.reached : Math.min(after.reached, at),
    };
  }
  if (after.ended === null && page.length === 0) after = { ...after, ended: 'whole', reached: from };
  if (after.ended === null && after.signatures >= HISTORY.signatures)
    after = { ...after, ended: 'signatures' };
  await deps.db.transact(async (stores) => {
    if (await stores.follows.moveHistory(open, after)) await stores.follows.record(trades);
  });
  return calls;
}

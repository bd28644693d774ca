import { isAppError } from '../../../core/errors/app-error.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { ChainHistory, HistoryEntry } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { afterNoAnswer, FUNDER, fundingIn, type LeaderFunder } from '../rules/leader-funder.ts';

export type FunderDeps = {
  readonly db: Pick<Database, 'follows'>;
  readonly chain: Pick<Chain, 'landed'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
};

/** How a search ended; null where the node had no answer, or the wallet no SOL yet. */
type Found = Pick<LeaderFunder, 'funder' | 'ended'> | null;

/**
 * Searches once for the sender of a wallet's first SOL: at most 5 pages of final signatures, then its oldest transactions, 10 at most. What it
 * found is kept, also where that is "unknown". A node that refuses, or that lists a transaction and does not serve it, says nothing about the
 * wallet: it is asked again later. Returns the calls that it took. Throws where the store cannot be written.
 */
export async function readFunder(deps: FunderDeps, search: LeaderFunder): Promise<number> {
  let calls = 0;
  const node: Pick<FunderDeps, 'chain' | 'history'> = {
    history: {
      signatures: (address, page) => {
        calls += 1;
        return deps.history.signatures(address, page);
      },
    },
    chain: {
      landed: (signature) => {
        calls += 1;
        return deps.chain.landed(signature);
      },
    },
  };
  const found = await searchIn(node, search).catch((err: unknown): Found => {
    if (!isAppError(err)) deps.log.warn({ err }, 'the funder of a followed wallet could not be read');
    return null;
  });
  await deps.db.follows.moveFunder(
    search,
    found === null ? afterNoAnswer(search, deps.clock.now()) : { ...search, ...found },
  );
  return calls;
}

async function searchIn(
  node: Pick<FunderDeps, 'chain' | 'history'>,
  { leader }: Pick<LeaderFunder, 'leader'>,
): Promise<Found> {
  const oldest = await oldestOf(node, leader);
  if (oldest === null) return { funder: null, ended: 'long' };
  const done = oldest.filter(({ err }) => err === null);
  for (const { signature } of done.slice(0, FUNDER.reads)) {
    const landed = await node.chain.landed(signature);
    if (landed === null) return null;
    const funding = fundingIn(landed, leader);
    if (funding.kind === 'found') return { funder: funding.funder, ended: 'found' };
    if (funding.kind !== 'none') return { funder: null, ended: funding.kind };
  }
  return done.length > FUNDER.reads ? { funder: null, ended: 'unclear' } : null;
}

/** The oldest signatures of a wallet, the oldest first; null where it has more than the pages hold. */
async function oldestOf(
  { history }: Pick<FunderDeps, 'history'>,
  leader: LeaderFunder['leader'],
): Promise<readonly HistoryEntry[] | null> {
  let newer: readonly HistoryEntry[] = [];
  for (let page = 0; page < FUNDER.pages; page += 1) {
    const entries = await history.signatures(leader, {
      before: newer.at(-1)?.signature ?? null,
      limit: FUNDER.page,
    });
    // The last page may be short or empty: the oldest ones are then in the page before it, too.
    if (entries.length < FUNDER.page) return [...newer, ...entries].toReversed();
    newer = entries;
  }
  return null;
}

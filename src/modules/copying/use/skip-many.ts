import { ageAt, windowStart } from '../../../core/time/age.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { LeaderTrade } from '../../follows/rules/leader-trade.ts';
import { COPY_LIMITS, type Copy } from '../rules/copy.ts';
import type { OpenTrade } from '../rules/copy-sale.ts';
import { type CopyTrade, legOf } from '../rules/copy-trade.ts';
import { judgeSeen, type SeenFacts, type Skip, skip } from '../rules/judge-copy.ts';
import type { CopyMintSpent } from '../store-port.ts';
import { rowOf, worthOf } from './copy-buy.ts';
import type { CopyDeps } from './copy-deps.ts';

type Facts = {
  readonly spent: ReadonlyMap<string, readonly CopyMintSpent[]>;
  readonly copied: ReadonlySet<string>;
  readonly makers: ReadonlyMap<string, string>;
  readonly hidden: ReadonlySet<string>;
};

/**
 * Skips those of many leaders' trades that need no market for it, in one commit of a few statements, and returns the rest: each of that
 * is decided on by itself. A skip that pauses its copy is among the rest, and so are the trades of a copy that another transaction has
 * locked. Throws DATABASE_UNREACHABLE, with nothing decided.
 */
export async function skipMany(deps: CopyDeps, open: readonly OpenTrade[]): Promise<readonly OpenTrade[]> {
  const worths = await worthsOf(deps, open);
  const skipped = await deps.db.transact(async (stores) => {
    const locked = await stores.copies.lockFree([...new Set(open.map(({ copyId }) => copyId))]);
    const copies = new Map(locked.flatMap((copy) => (copy.status === 'ENDED' ? [] : [[copy.id, copy]])));
    const own = open.flatMap(({ copyId, trade }) => {
      const copy = copies.get(copyId);
      return copy === undefined ? [] : [{ copy, trade }];
    });
    const facts = await factsOf(deps, stores, own);
    const rows = own.flatMap(({ copy, trade }): readonly CopyTrade[] => {
      const why = whyNot(deps, { copy, trade, facts, leaderLamports: worths.get(keyOf(trade)) ?? null });
      return why === null ? [] : [rowOf(deps, copy, trade, { skip: why })];
    });
    await stores.copies.decideAll(rows);
    return new Set(rows.map(({ copyId, signature, leg }) => [copyId, signature, leg].join(' ')));
  });
  return open.filter(({ copyId, trade }) => !skipped.has([copyId, keyOf(trade)].join(' ')));
}

const keyOf = (trade: LeaderTrade): string => [trade.signature, legOf(trade)].join(' ');

async function worthsOf(
  deps: CopyDeps,
  open: readonly OpenTrade[],
): Promise<ReadonlyMap<string, bigint | null>> {
  const trades = new Map(open.map(({ trade }) => [keyOf(trade), trade]));
  return new Map(
    await Promise.all([...trades].map(async ([key, trade]) => [key, await worthOf(deps, trade)] as const)),
  );
}

type Own = { readonly copy: Copy; readonly trade: LeaderTrade };

async function factsOf(
  deps: Pick<CopyDeps, 'clock'>,
  stores: Pick<Stores, 'copies' | 'positions' | 'createdTokens'>,
  own: readonly Own[],
): Promise<Facts> {
  const distinct = <T>(of: (one: Own) => T): T[] => [...new Set(own.map(of))];
  const since = windowStart(COPY_LIMITS.dayMs, deps.clock);
  const spent = await stores.copies.spentByMint(
    distinct(({ copy }) => copy.id),
    since,
  );
  const copied = await stores.copies.purchasesAmong(distinct(({ trade }) => trade.signature));
  const made = await stores.createdTokens.findAll(distinct(({ trade }) => trade.mint));
  const positions = await stores.positions.list(distinct(({ copy }) => copy.walletId));
  const bySpent = new Map<string, CopyMintSpent[]>();
  for (const one of spent) bySpent.set(one.copyId, [...(bySpent.get(one.copyId) ?? []), one]);
  return {
    spent: bySpent,
    copied,
    makers: new Map(made.map(({ mint, creator }) => [mint, creator])),
    hidden: new Set(
      positions.flatMap(({ walletId, mint, hiddenByPerson }) =>
        hiddenByPerson === true ? [`${walletId} ${mint}`] : [],
      ),
    ),
  };
}

/** The skip that needs no market; null where there is none, or where it would pause the copy. */
function whyNot(
  { clock, trade: { hubs } }: Pick<CopyDeps, 'clock' | 'trade'>,
  {
    copy,
    trade,
    facts,
    leaderLamports,
  }: Own & { readonly facts: Facts; readonly leaderLamports: bigint | null },
): Skip | null {
  const own = facts.spent.get(copy.id) ?? [];
  const boughtBefore = own.some(({ mint }) => mint === trade.mint);
  // A purchase that is neither here nor undecided will not come: the copy is locked.
  if (trade.side === 'sell') return boughtBefore ? null : skip('not-held');
  const seen: SeenFacts = {
    rules: copy.rules,
    ageMs: ageAt(trade.at, clock.now()),
    isPaused: copy.status !== 'ON',
    isBase: hubs.includes(trade.mint),
    isLeaderMade: facts.makers.get(trade.mint) === copy.leader,
    isCopied: facts.copied.has(trade.signature),
    isHidden: facts.hidden.has(`${copy.walletId} ${trade.mint}`),
    boughtBefore,
    leaderLamports,
    spentToday: own.reduce((sum, { today }) => sum + today, 0n),
    spentInAll: own.reduce((sum, { inAll }) => sum + inAll, 0n),
  };
  const why = judgeSeen(seen);
  return why?.reason === 'total-cap' ? null : why;
}

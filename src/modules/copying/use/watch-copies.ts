import { isAppError } from '../../../core/errors/app-error.ts';
import type { LeaderTrade } from '../../follows/rules/leader-trade.ts';
import { decidableOf } from '../rules/copy-sale.ts';
import { copyBuy } from './copy-buy.ts';
import type { CopyDeps } from './copy-deps.ts';
import { oweSale, sellOwed } from './copy-sell.ts';
import { skipMany } from './skip-many.ts';

/** Without any copy, and with some: trades are heard of at once where this process reads the tape. */
const REST_MS = 15_000;
const ROUND_MS = 1_000;
/** Trades in one look, and how many of them at once. */
const AT_ONCE = 500;
const SIDE_BY_SIDE = 16;
const LOOKS = 20;

export type CopyWatch = {
  /** One round: decides on leaders' trades, and tries the owed sales. Milliseconds until the next; never throws. */
  round(): Promise<number>;
  /** News of leaders' trades, or of copies: the next round is now. */
  wake(): void;
  onAdd(poke: () => void): void;
  stop(): Promise<void>;
};

/**
 * Copies leaders' trades, each once. Trades that were recorded and that no row decides on are the queue: where a process dies between
 * seeing and deciding, the next round of any process finds the trade again. Followers of one leader come in a new random order each time.
 */
export function createCopyWatch(
  deps: CopyDeps,
  /** Decides for copies without money; true where there are some. Absent: none are kept here. */
  papers: () => Promise<boolean> = async () => false,
  /** More trades than that are looked at together first. Few are faster one by one: there is nothing to share. */
  few = SIDE_BY_SIDE,
): CopyWatch {
  let poke = (): void => undefined;
  return {
    round: async () => {
      // Before the switch is asked: paper trades nothing.
      const isPaper = (await guarded(deps, papers)) ?? false;
      const restMs = isPaper ? ROUND_MS : REST_MS;
      if (!deps.isOn || !(await deps.db.copies.isAny().catch(() => false))) return restMs;
      try {
        for (let look = 0; look < LOOKS && (await decideAll(deps, few)); look += 1);
        const owed = await deps.db.copies.owed(deps.clock.now(), AT_ONCE);
        await sideBySide(owed, (row) => guarded(deps, () => sellOwed(deps, row)));
      } catch (err) {
        if (!isAppError(err)) deps.log.warn({ err }, 'trades of copied wallets could not be read');
      }
      return ROUND_MS;
    },
    wake: () => poke(),
    onAdd: (listener) => {
      poke = listener;
    },
    stop: async () => undefined,
  };
}

/** True where there may be more at once. */
async function decideAll(deps: CopyDeps, few: number): Promise<boolean> {
  const open = await deps.db.copies.undecided(AT_ONCE);
  if (open.length === 0) return false;
  const ready = decidableOf(open, deps.clock.now());
  const left = ready.length > few ? await guarded(deps, () => skipMany(deps, ready)) : ready;
  let decided = ready.length - (left ?? ready).length;
  await sideBySide(shuffled(left ?? ready, deps.dice), async ({ copyId, trade }) => {
    if (await guarded(deps, () => one(deps, copyId, trade))) decided += 1;
  });
  return decided > 0 && open.length === AT_ONCE;
}

async function one(deps: CopyDeps, copyId: string, trade: LeaderTrade): Promise<boolean> {
  const copy = await deps.db.copies.find(copyId);
  if (copy === null || copy.status === 'ENDED') return false;
  return trade.side === 'buy' ? copyBuy(deps, copy, trade) : oweSale(deps, copy, trade);
}

/** One that fails keeps no other from its turn. */
async function guarded<T>({ log }: Pick<CopyDeps, 'log'>, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (err) {
    if (!isAppError(err)) log.warn({ err }, 'a copied trade could not be decided on');
    return undefined;
  }
}

async function sideBySide<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const waiting = [...all];
  const walk = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, waiting.length) }, walk));
}

/** Sales of a moment come before purchases: one that follows a purchase of its token is none of these yet. */
function shuffled<T extends { readonly trade: LeaderTrade }>(
  all: readonly T[],
  dice: CopyDeps['dice'],
): readonly T[] {
  return all
    .map((item) => ({ item, at: item.trade.at, sale: item.trade.side === 'sell' ? 0 : 1, by: dice() }))
    .toSorted((a, b) => a.at - b.at || a.sale - b.sale || a.by - b.by)
    .map(({ item }) => item);
}

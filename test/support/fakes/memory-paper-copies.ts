import { legOf } from '../../../src/modules/copying/rules/copy-trade.ts';
import type { PaperCopy, PaperTrade } from '../../../src/modules/copying/rules/paper-copy.ts';
import type { PaperCopyStore } from '../../../src/modules/copying/store/paper-store-port.ts';
import type { MemoryAccess, MemoryView } from './memory-state.ts';

type Key = Pick<PaperCopy, 'userId' | 'leader'>;
const keyOf = ({ userId, leader }: Key): string => `${userId} ${leader}`;
const tradeKey = (row: Key & Pick<PaperTrade, 'signature' | 'leg'>): string =>
  `${keyOf(row)} ${row.signature} ${row.leg}`;
const less = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Paper copies in memory. */
export function memoryPaperCopyStore({ read, write }: MemoryAccess): PaperCopyStore {
  const remove = (view: MemoryView, key: Key): boolean => {
    for (const row of view.paperTrades.rows())
      if (keyOf(row) === keyOf(key)) view.paperTrades.delete(tradeKey(row));
    const isThere = view.paperCopies.get(keyOf(key)) !== undefined;
    if (isThere) view.paperCopies.delete(keyOf(key));
    return isThere;
  };
  return {
    begin: (copy) =>
      write((view) => {
        remove(view, copy);
        view.paperCopies.set(keyOf(copy), copy);
      }),
    find: (key) => read((view) => view.paperCopies.get(keyOf(key)) ?? null),
    listByUser: (userId) =>
      read((view) =>
        view.paperCopies
          .rows()
          .filter((copy) => copy.userId === userId)
          .sort((one, other) => less(one.leader, other.leader)),
      ),
    end: (key) => write((view) => remove(view, key)),
    isAny: () => read((view) => view.paperCopies.rows().length > 0),
    undecided: (atMost, limit) =>
      read((view) =>
        view.paperCopies
          .rows()
          .flatMap((copy) =>
            view.leaderTrades
              .rows()
              .filter(
                (trade) =>
                  trade.leader === copy.leader &&
                  !trade.takenBack &&
                  trade.at >= copy.since &&
                  trade.at <= atMost &&
                  view.paperTrades.get(
                    tradeKey({ ...copy, signature: trade.signature, leg: legOf(trade) }),
                  ) === undefined,
              )
              .map((trade) => ({ copy, trade })),
          )
          .sort(
            (one, other) =>
              one.trade.at - other.trade.at ||
              Number(one.trade.tradeId - other.trade.tradeId) ||
              less(other.trade.side, one.trade.side) ||
              less(one.trade.signature, other.trade.signature) ||
              less(one.trade.mint, other.trade.mint) ||
              less(one.copy.userId, other.copy.userId),
          )
          .slice(0, limit),
      ),
    decide: (row) =>
      write((view) => {
        if (view.paperCopies.get(keyOf(row)) === undefined) return false;
        if (view.paperTrades.get(tradeKey(row)) !== undefined) return false;
        view.paperTrades.set(tradeKey(row), row);
        return true;
      }),
    trades: (key) =>
      read((view) =>
        view.paperTrades
          .rows()
          .filter((row) => keyOf(row) === keyOf(key))
          .sort((one, other) => one.seenAt - other.seenAt || less(tradeKey(one), tradeKey(other))),
      ),
  };
}

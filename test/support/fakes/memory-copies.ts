import { slotOfTrade } from '@tradepost/tape';
import type { Copy } from '../../../src/modules/copying/rules/copy.ts';
import { type CopyTrade, legOf } from '../../../src/modules/copying/rules/copy-trade.ts';
import type { CopyStore } from '../../../src/modules/copying/store-port.ts';
import type { LeaderTrade } from '../../../src/modules/follows/rules/leader-trade.ts';
import { byId, type MemoryAccess, type MemoryView, requireRow } from './memory-state.ts';

type Key = Pick<CopyTrade, 'copyId' | 'signature' | 'leg'>;
const keyOf = ({ copyId, signature, leg }: Key): string => [copyId, signature, leg].join(' ');
const inOrder = (one: CopyTrade, other: CopyTrade): number =>
  one.seenAt - other.seenAt || (keyOf(one) < keyOf(other) ? -1 : 1);
const isSpent = ({ status }: CopyTrade): boolean => status === 'BUYING' || status === 'BOUGHT';
const sumOf = (rows: readonly CopyTrade[], what: 'amount' | 'moved' | 'burnt'): bigint =>
  rows.reduce((sum, row) => sum + row[what], 0n);

export function memoryCopyStore({ read, write }: MemoryAccess): CopyStore {
  const decided = (which: (row: CopyTrade) => boolean) =>
    read((view) => view.copyTrades.rows().filter(which).sort(inOrder));
  const pauseAll: CopyStore['pauseAll'] = (_passed, userId, reason) =>
    write((view) => {
      const on = view.copies
        .rows()
        .filter((copy) => copy.status === 'ON' && (userId === null || copy.userId === userId));
      for (const copy of on)
        view.copies.set(copy.id, { ...copy, status: 'PAUSED', reason, version: copy.version + 1 });
      return on.length;
    });
  return {
    insert: (_passed, copy) =>
      write((view) => {
        const isThere = view.copies
          .rows()
          .some(
            ({ userId, leader, status }) =>
              userId === copy.userId && leader === copy.leader && status !== 'ENDED',
          );
        if (isThere) return false;
        requireRow(view.users, 'users', copy.userId);
        requireRow(view.wallets, 'wallets', copy.walletId);
        view.copies.set(copy.id, copy);
        return true;
      }),
    find: (id) => read((view) => view.copies.get(id) ?? null),
    lock: (id) => read((view) => view.copies.get(id) ?? null),
    lockFree: (ids) => read((view) => view.copies.rows().filter(({ id }) => ids.includes(id))),
    listByUser: (userId) =>
      read((view) =>
        view.copies
          .rows()
          .filter((copy) => copy.userId === userId && copy.status !== 'ENDED')
          .sort(byId),
      ),
    save: (_passed, copy) =>
      write((view) => {
        const known = view.copies.get(copy.id);
        if (known?.version !== copy.version || known.status === 'ENDED') return false;
        view.copies.set(copy.id, { ...copy, version: copy.version + 1 });
        return true;
      }),
    pauseAll,
    page: (after, limit) =>
      read((view) =>
        view.copies
          .rows()
          .filter(({ id }) => id > after)
          .sort(byId)
          .slice(0, limit),
      ),
    isAny: () => read((view) => view.copies.rows().some(({ status }) => status !== 'ENDED')),
    undecided: (limit) => read((view) => undecided(view).slice(0, limit)),
    decide: (row) =>
      write((view) => {
        if (view.copyTrades.get(keyOf(row)) !== undefined) return false;
        requireRow(view.copies, 'copies', row.copyId);
        assertNewIntent(view, row);
        view.copyTrades.set(keyOf(row), row);
        return true;
      }),
    decideAll: (rows) =>
      write((view) => {
        for (const row of rows) {
          if (view.copyTrades.get(keyOf(row)) !== undefined || view.copies.get(row.copyId) === undefined)
            continue;
          assertNewIntent(view, row);
          view.copyTrades.set(keyOf(row), row);
        }
      }),
    saveTrade: (row) =>
      write((view) => {
        const known = view.copyTrades.get(keyOf(row));
        if (known === undefined) return;
        assertNewIntent(view, row);
        const { status, intentId, amount, moved, burnt, tries, dueAt } = row;
        view.copyTrades.set(keyOf(row), { ...known, status, intentId, amount, moved, burnt, tries, dueAt });
      }),
    byIntent: async (intentId) => (await decided((row) => row.intentId === intentId))[0] ?? null,
    isPurchase: (signature) => read((view) => isPurchase(view, signature)),
    purchasesAmong: (signatures) =>
      read((view) => new Set(signatures.filter((one) => isPurchase(view, one)))),
    findTrade: (key) => read((view) => view.copyTrades.get(keyOf(key)) ?? null),
    trades: (copyId, mint) =>
      decided(
        (row) => row.copyId === copyId && (mint === null || row.mint === mint) && row.status !== 'SKIPPED',
      ),
    latest: async (copyId, limit) =>
      [...(await decided((row) => row.copyId === copyId))]
        .sort((one, other) => other.seenAt - one.seenAt || (keyOf(one) < keyOf(other) ? -1 : 1))
        .slice(0, limit),
    owed: async (dueAtMost, limit) =>
      [...(await decided(({ status, dueAt }) => status === 'OWED' && dueAt !== null && dueAt <= dueAtMost))]
        .sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0))
        .slice(0, limit),
    spent: async (copyId, since) => {
      const rows = await decided((row) => row.copyId === copyId && isSpent(row));
      return {
        today: sumOf(
          rows.filter(({ seenAt }) => seenAt > since),
          'amount',
        ),
        inAll: sumOf(rows, 'amount'),
      };
    },
    spentByMint: async (copyIds, since) => {
      const rows = await decided((row) => copyIds.includes(row.copyId) && isSpent(row));
      const groups = new Map<string, CopyTrade[]>();
      for (const row of rows) {
        const key = `${row.copyId} ${row.mint}`;
        groups.set(key, [...(groups.get(key) ?? []), row]);
      }
      return [...groups.values()].flatMap((own) =>
        own.slice(0, 1).map(({ copyId, mint }) => ({
          copyId,
          mint,
          today: sumOf(
            own.filter(({ seenAt }) => seenAt > since),
            'amount',
          ),
          inAll: sumOf(own, 'amount'),
        })),
      );
    },
    crowd: async (leader, mint) => {
      const rows = await decided((row) => row.leader === leader && row.mint === mint);
      const copies = new Set(rows.map(({ copyId }) => copyId));
      return [...copies].reduce((sum, id) => {
        const own = rows.filter(({ copyId }) => copyId === id);
        const [paid, bought] = [sumOf(own.filter(isSpent), 'amount'), sumOf(own.filter(isSpent), 'moved')];
        const sold = sumOf(
          own.filter(({ status }) => status === 'SOLD'),
          'moved',
        );
        const left = bought > sold ? bought - sold : 0n;
        return sum + (bought === 0n ? paid : (paid * left) / bought);
      }, 0n);
    },
    slotsBehind: (limit) => read((view) => slotsBehind(view).slice(0, limit)),
    failures: async (copyId, since) => {
      const rows = await decided((row) => row.copyId === copyId && row.burnt > 0n && row.seenAt > since);
      return { count: rows.length, burnt: sumOf(rows, 'burnt') };
    },
  };
}

function isPurchase(view: MemoryView, signature: string): boolean {
  const intentId = view.attempts.rows().find((one) => one.signature === signature)?.intentId;
  return view.copyTrades
    .rows()
    .some((one) => one.side === 'buy' && one.intentId !== null && one.intentId === intentId);
}

function slotsBehind(view: MemoryView): readonly number[] {
  const trades = view.leaderTrades.rows().filter(({ tradeId, takenBack }) => tradeId > 0n && !takenBack);
  return view.copyTrades
    .rows()
    .filter(({ side }) => side === 'buy')
    .sort((one, other) => -inOrder(one, other))
    .flatMap(({ leader, signature, mint, side, intentId }) => {
      const trade = trades.find(
        (one) =>
          one.leader === leader && one.signature === signature && one.mint === mint && one.side === side,
      );
      const landed = view.attempts
        .rows()
        .find(
          (one) => one.intentId === intentId && (one.status === 'CONFIRMED' || one.status === 'FINALIZED'),
        )?.landedSlot;
      return trade === undefined || landed == null ? [] : [Number(landed - slotOfTrade(trade.tradeId))];
    });
}

function undecided(view: MemoryView): readonly { readonly copyId: string; readonly trade: LeaderTrade }[] {
  const trades = view.leaderTrades.rows().filter(({ takenBack }) => !takenBack);
  return view.copies
    .rows()
    .filter(({ status }) => status !== 'ENDED')
    .flatMap((copy: Copy) =>
      trades
        .filter(({ leader, at }) => leader === copy.leader && at >= copy.since)
        .filter(
          (trade) =>
            view.copyTrades.get(keyOf({ copyId: copy.id, signature: trade.signature, leg: legOf(trade) })) ===
            undefined,
        )
        .map((trade) => ({ copyId: copy.id, trade })),
    )
    .sort(
      (one, other) =>
        one.trade.at - other.trade.at ||
        Number(one.trade.tradeId - other.trade.tradeId) ||
        other.trade.side.localeCompare(one.trade.side) ||
        (orderOf(one) < orderOf(other) ? -1 : 1),
    );
}

const orderOf = ({ copyId, trade }: { readonly copyId: string; readonly trade: LeaderTrade }): string =>
  [trade.signature, trade.mint, copyId].join(' ');

/** As the unique index. */
function assertNewIntent(view: MemoryView, row: CopyTrade): void {
  if (row.intentId === null) return;
  const other = view.copyTrades.rows().find(({ intentId }) => intentId === row.intentId);
  if (other !== undefined && keyOf(other) !== keyOf(row))
    throw new Error('copy_trades: an intent is of one trade');
}

import { EARN_REASONS, type LedgerTransfer } from '../../../src/engine/ledger/rules/entry.ts';
import { assertWholeDays } from '../../../src/modules/points/rules/utc.ts';
import type { PointLine, PointStore } from '../../../src/modules/points/store/point-store-port.ts';
import type { ShopStore } from '../../../src/modules/points/store/shop-store-port.ts';
import { postTransfers } from './memory-books.ts';
import { insertRow, type MemoryAccess, type MemoryView, requireRow } from './memory-state.ts';

export function memoryPointStore({ read, write }: MemoryAccess): PointStore {
  return {
    find: (telegramId, userId) =>
      read((view) => ({
        miner: view.miners.get(`${telegramId}`) ?? null,
        points: view.balances.get(`points/${userId}`) ?? 0n,
      })),
    saveTap: (miner, expected, transfer) =>
      write((view) => {
        const known = view.miners.get(`${miner.telegramId}`);
        if ((known?.version ?? 0) !== expected) return false;
        if (
          known !== undefined &&
          (miner.day < known.day || miner.energyAt < known.energyAt || miner.version <= known.version)
        )
          throw new Error(`point_miners: ${miner.telegramId} would go back in time`);
        requireRow(view.users, 'users', miner.userId);
        view.miners.set(`${miner.telegramId}`, { ...miner });
        if (transfer !== null) postTransfers(view, [transfer]);
        return true;
      }),
    facts: (userId, { from, until }) =>
      read((view) => {
        assertWholeDays({ from, until });
        const mine = booked(view, userId).filter(({ at }) => at >= from && at < until);
        const of = (reason: string) => mine.filter((line) => line.reason === reason);
        const sum = (lines: readonly PointLine[]) =>
          lines.reduce((total, { points }) => total + Number(points), 0);
        return {
          trades: of('points-trade').length,
          'trade-points': sum(of('points-trade')),
          mined: sum(of('points-mine')),
          pin: view.guards.get(userId)?.pinHash == null ? 0 : 1,
          invitees: new Set(
            view.rewards
              .rows()
              .filter(
                ({ inviterId, intentId, createdAt }) =>
                  inviterId === userId &&
                  ['buy', 'sell'].includes(view.intents.get(intentId ?? '')?.kind ?? '') &&
                  createdAt >= from &&
                  createdAt < until,
              )
              .map(({ inviteeId }) => inviteeId),
          ).size,
          tokens: view.intents
            .rows()
            .filter(
              (intent) =>
                intent.userId === userId &&
                (intent.kind as string) === 'create-token' &&
                intent.status === 'SUCCEEDED' &&
                intent.updatedAt >= from &&
                intent.updatedAt < until,
            ).length,
        };
      }),
    posted: (keys) => read((view) => new Set(keys.filter((key) => view.transfers.get(key) !== undefined))),
    history: (userId, { offset, limit }) =>
      read((view) => {
        const lines = new Map<string, PointLine & { readonly id: string }>();
        for (const line of booked(view, userId)) {
          const key = line.reason === 'points-mine' ? `mine/${line.ref}` : line.id;
          const known = lines.get(key);
          lines.set(key, {
            ...line,
            points: line.points + (known?.points ?? 0n),
            at: Math.max(line.at, known?.at ?? 0),
          });
        }
        return [...lines.values()]
          .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          .slice(offset, offset + limit)
          .map(({ reason, ref, at, points }) => ({ reason, ref, at, points }));
      }),
    board: ({ from, until }, limit, userId) =>
      read((view) => {
        assertWholeDays({ from, until });
        const sums = new Map<string, bigint>();
        for (const transfer of view.transfers.rows()) {
          if (transfer.createdAt < from || transfer.createdAt >= until) continue;
          if (!(EARN_REASONS as readonly string[]).includes(transfer.reason)) continue;
          for (const { account, amount } of transfer.entries) {
            if (account.kind === 'points') sums.set(account.owner, (sums.get(account.owner) ?? 0n) + amount);
          }
        }
        return [...sums]
          .sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
          .map(([id, points], index) => ({
            userId: id,
            name: view.boardNames.get(id) ?? null,
            place: index + 1,
            points,
          }))
          .filter((row) => row.place <= limit || row.userId === userId);
      }),
    boardName: (userId) => read((view) => view.boardNames.get(userId) ?? null),
    setBoardName: (userId, name) =>
      write((view) => {
        requireRow(view.users, 'users', userId);
        view.boardNames.set(userId, name);
      }),
  };
}

export function memoryShopStore({ read, write }: MemoryAccess): ShopStore {
  return {
    findByKey: (idemKey) =>
      read((view) => view.redemptions.rows().find((row) => row.idemKey === idemKey) ?? null),
    insert: (redemption) =>
      write((view) => {
        requireRow(view.users, 'users', redemption.userId);
        if (view.redemptions.rows().some(({ idemKey }) => idemKey === redemption.idemKey))
          throw new Error(`point_redemptions: duplicate key ${redemption.idemKey}`);
        insertRow(view.redemptions, 'point_redemptions', redemption.id, structuredClone(redemption));
      }),
    listByUser: (userId) =>
      read((view) =>
        view.redemptions
          .rows()
          .filter((row) => row.userId === userId)
          .sort((a, b) => (a.id < b.id ? 1 : -1)),
      ),
    stock: (names) =>
      read(
        (view) =>
          new Map(
            names.flatMap((name) => {
              const remaining = view.stocks.get(name);
              return remaining === undefined ? [] : [[name, remaining] as const];
            }),
          ),
      ),
    take: (name, amount) =>
      write((view) => {
        const remaining = view.stocks.get(name);
        if (remaining === undefined) return null;
        if (remaining < amount) return false;
        view.stocks.set(name, remaining - amount);
        return true;
      }),
    setStock: (name, remaining) =>
      write((view) => {
        if (remaining < 0n) throw new Error('point_stocks: remaining >= 0');
        view.stocks.set(name, remaining);
      }),
  };
}

function booked(view: MemoryView, userId: string): readonly (PointLine & { readonly id: string })[] {
  return view.transfers.rows().flatMap((transfer: LedgerTransfer) =>
    transfer.entries
      .filter(({ account }) => account.kind === 'points' && account.owner === userId)
      .map(({ amount }) => ({
        id: transfer.id,
        reason: transfer.reason,
        ref: transfer.ref,
        at: transfer.createdAt,
        points: amount,
      })),
  );
}

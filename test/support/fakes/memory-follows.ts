import { slotOfTrade } from '@tradepost/tape';
import { hasCome } from '../../../src/core/time/span.ts';
import type { Follow } from '../../../src/modules/follows/rules/follow.ts';
import { FUNDER } from '../../../src/modules/follows/rules/leader-funder.ts';
import type { LeaderTrade } from '../../../src/modules/follows/rules/leader-trade.ts';
import { SIGNAL_LIMITS } from '../../../src/modules/follows/rules/signal.ts';
import type { FollowStore } from '../../../src/modules/follows/store-port.ts';
import { byId, type MemoryAccess, requireRow } from './memory-state.ts';

const keyOf = ({ leader, signature, mint, side }: LeaderTrade): string =>
  [leader, signature, mint, side].join(' ');
const PLACE = '1';

function newestFirst(one: LeaderTrade, other: LeaderTrade): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.tradeId !== other.tradeId) return one.tradeId < other.tradeId ? 1 : -1;
  const [here, there] = [one, other].map(({ signature, side, mint }) => `${signature} ${side} ${mint}`);
  return (here ?? '') < (there ?? '') ? -1 : 1;
}

function oldestFirst(one: LeaderTrade, other: LeaderTrade): number {
  if (one.at !== other.at) return one.at - other.at;
  if (one.tradeId !== other.tradeId) return one.tradeId < other.tradeId ? -1 : 1;
  const [here, there] = [one, other].map(({ signature, side, mint }) => `${signature} ${side} ${mint}`);
  return (here ?? '') < (there ?? '') ? -1 : 1;
}

export function memoryFollowStore({ read, write }: MemoryAccess): FollowStore {
  const those = (which: (follow: Follow) => boolean) =>
    read((view) => view.follows.rows().filter(which).sort(byId));
  const edit = (id: string, change: Partial<Follow>) =>
    write((view) => {
      const row = view.follows.get(id);
      if (row !== undefined) view.follows.set(id, { ...row, ...change });
    });
  return {
    insert: (follow) =>
      write((view) => {
        const { userId, leader } = follow;
        if (view.follows.rows().some((row) => row.userId === userId && row.leader === leader)) return false;
        requireRow(view.users, 'users', userId);
        view.follows.set(follow.id, follow);
        return true;
      }),
    find: (id) => read((view) => view.follows.get(id) ?? null),
    listByUser: (userId) => those((follow) => follow.userId === userId),
    change: ({ id, label, minLamports, notices }) => edit(id, { label, minLamports, notices }),
    count: async (follows) => {
      for (const { id, hourAt, hourTold, hourHeld } of follows)
        await edit(id, { hourAt, hourTold, hourHeld });
    },
    remove: (id) =>
      write((view) => {
        view.follows.delete(id);
      }),
    leaders: async () => [...new Set((await those(() => true)).map(({ leader }) => leader))].sort(),
    ofPeople: (userIds) => those(({ userId }) => userIds.includes(userId)),
    followersOf: (leaders) => those(({ leader }) => leaders.includes(leader)),
    dueDigests: (hourAtMost) =>
      those(({ hourAt, hourHeld }) => hourHeld > 0 && hourAt !== null && hourAt <= hourAtMost),
    record: (trades) =>
      write((view) =>
        trades.flatMap((trade) => {
          const known = view.leaderTrades.get(keyOf(trade));
          const hasMoved =
            known !== undefined &&
            trade.tradeId > 0n &&
            slotOfTrade(trade.tradeId) !== slotOfTrade(known.tradeId);
          if (known?.takenBack === false && !hasMoved) return [];
          const stands: LeaderTrade = { ...trade, takenBack: false };
          view.leaderTrades.set(keyOf(trade), stands);
          const how = known === undefined ? 'new' : known.takenBack ? 'back' : 'moved';
          return [{ trade: stands, how }];
        }),
      ),
    takeBack: (tradeIds) =>
      write((view) => {
        const rows = view.leaderTrades
          .rows()
          .filter(({ tradeId, takenBack }) => !takenBack && tradeIds.includes(tradeId))
          .map((row) => ({ ...row, takenBack: true }));
        for (const row of rows) view.leaderTrades.set(keyOf(row), row);
        return rows;
      }),
    trades: (leader, since, limit) =>
      read((view) =>
        view.leaderTrades
          .rows()
          .filter((row) => row.leader === leader && row.at >= since)
          .sort(newestFirst)
          .slice(0, limit),
      ),
    purchases: (leaders, mints, { since, until }) =>
      read((view) => {
        const bought = view.leaderTrades
          .rows()
          .filter(({ side, at }) => side === 'buy' && at >= since && at <= (until ?? at))
          .sort(oldestFirst);
        return leaders
          .flatMap((leader) =>
            mints.flatMap((mint) =>
              bought
                .filter((trade) => trade.leader === leader && trade.mint === mint)
                .slice(-SIGNAL_LIMITS.purchases),
            ),
          )
          .sort(oldestFirst);
      }),
    place: () => read((view) => view.followPlaces.get(PLACE) ?? null),
    startAt: (place) =>
      write((view) => {
        if (view.followPlaces.get(PLACE) === undefined) view.followPlaces.set(PLACE, place);
      }),
    movePlace: (from, to) =>
      write((view) => {
        if (view.followPlaces.get(PLACE) !== from) return false;
        view.followPlaces.set(PLACE, to);
        return true;
      }),
    history: (leader) => read((view) => view.leaderHistories.get(leader) ?? null),
    beginHistories: (at) =>
      write((view) => {
        const followed = new Set(view.follows.rows().map(({ leader }) => leader));
        for (const { leader } of view.leaderHistories.rows())
          if (!followed.has(leader)) view.leaderHistories.delete(leader);
        const fresh = { until: at, beforeSignature: null, reached: at, signatures: 0, reads: 0, ended: null };
        for (const leader of followed)
          if (view.leaderHistories.get(leader) === undefined)
            view.leaderHistories.set(leader, { leader, ...fresh });
      }),
    openHistory: () =>
      read(
        (view) =>
          view.leaderHistories
            .rows()
            .filter(({ ended }) => ended === null)
            .sort((one, other) => one.reads - other.reads || (one.leader < other.leader ? -1 : 1))[0] ?? null,
      ),
    moveHistory: (before, after) =>
      write((view) => {
        const now = view.leaderHistories.get(before.leader);
        if (
          now?.ended !== null ||
          now.beforeSignature !== before.beforeSignature ||
          now.reads !== before.reads
        )
          return false;
        view.leaderHistories.set(before.leader, { ...after, leader: now.leader, until: now.until });
        return true;
      }),
    beginFunders: () =>
      write((view) => {
        const followed = new Set(view.follows.rows().map(({ leader }) => leader));
        for (const { leader } of view.leaderFunders.rows())
          if (!followed.has(leader)) view.leaderFunders.delete(leader);
        for (const leader of followed)
          if (view.leaderFunders.get(leader) === undefined)
            view.leaderFunders.set(leader, { leader, funder: null, ended: null, tries: 0, retryAt: null });
      }),
    openFunder: (now) =>
      read(
        (view) =>
          view.leaderFunders
            .rows()
            .filter(
              ({ ended, retryAt }) =>
                ended === null && (retryAt === null || hasCome(retryAt, now, FUNDER.longestRetryMs)),
            )
            .sort((one, other) => one.tries - other.tries || (one.leader < other.leader ? -1 : 1))[0] ?? null,
      ),
    moveFunder: (before, after) =>
      write((view) => {
        const now = view.leaderFunders.get(before.leader);
        if (now?.ended !== null || now.tries !== before.tries) return false;
        view.leaderFunders.set(before.leader, { ...after, leader: now.leader });
        return true;
      }),
    funders: (leaders) =>
      read(
        (view) =>
          new Map(
            leaders.flatMap((leader) => {
              const funder = view.leaderFunders.get(leader)?.funder ?? null;
              return funder === null ? [] : [[leader, funder] as const];
            }),
          ),
      ),
  };
}

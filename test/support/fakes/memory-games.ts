import { createHash } from 'node:crypto';
import { commitmentText } from '../../../src/modules/games/rules/round.ts';
import type { GameStore } from '../../../src/modules/games/store-port.ts';
import { insertRow, type MemoryAccess, requireRow } from './memory-state.ts';

export function memoryGameStore({ read, write }: MemoryAccess): GameStore {
  return {
    find: (id) => read((view) => view.rounds.get(id) ?? null),
    open: (userId, table) =>
      read(
        (view) =>
          view.rounds
            .rows()
            .find((row) => row.userId === userId && row.table === table && row.bet === null) ?? null,
      ),
    insert: (round) =>
      write((view) => {
        requireRow(view.users, 'users', round.userId);
        const taken = view.rounds
          .rows()
          .some((row) => row.userId === round.userId && row.table === round.table && row.bet === null);
        if (!taken) insertRow(view.rounds, 'game_rounds', round.id, { ...round, bet: null, result: null });
        return !taken;
      }),
    start: (id, bet) =>
      write((view) => {
        const round = view.rounds.get(id);
        if (round === undefined || round.bet !== null) return false;
        if (bet.points <= 0n) throw new Error('game_rounds: points must be above 0');
        view.rounds.set(id, { ...round, bet: { ...bet } });
        return true;
      }),
    settle: (id, result) =>
      write((view) => {
        const round = view.rounds.get(id);
        if (round === undefined || round.result !== null) return false;
        if (round.bet === null) throw new Error('game_rounds: a result follows a bet');
        const hash = createHash('sha256').update(commitmentText(round, result.seed)).digest('hex');
        if (hash !== round.commitment || result.payout < 0n)
          throw new Error('game_rounds: not the committed seed');
        view.rounds.set(id, { ...round, result: { ...result } });
        return true;
      }),
    staked: (userId, game, day) =>
      read((view) =>
        view.rounds
          .rows()
          .filter((row) => row.userId === userId && row.game === game && (row.bet?.day ?? -1) >= day)
          .reduce((sum, { bet }) => sum + (bet?.points ?? 0n), 0n),
      ),
    started: (before, limit) =>
      read((view) =>
        view.rounds
          .rows()
          .filter(({ bet, result }) => bet !== null && result === null && bet.at < before)
          .sort((a, b) => (a.bet?.at ?? 0) - (b.bet?.at ?? 0))
          .slice(0, limit)
          .map(({ id }) => id),
      ),
  };
}

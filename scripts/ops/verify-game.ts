import { createHash } from 'node:crypto';
import { roundFaults, sectorOf } from '../../src/modules/games/rules/round.ts';
import { houseEdge, tableOf } from '../../src/modules/games/rules/tables.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** `verify-game <round>`: recomputes a round from its row and the published rules, with no secret. 1 when something is wrong. */
export async function runVerifyGame(io: Io, roundId: string): Promise<number> {
  const { print } = io;
  const { db, close } = await openDatabase(io);
  try {
    const round = await db.games.find(roundId);
    if (round === null) {
      print(`there is no round ${roundId}`);
      return 1;
    }
    const { bet, result } = round;
    const table = tableOf(round.table);
    print(`round ${round.id}  rules ${round.table}  commitment ${round.commitment}`);
    if (bet !== null && result !== null && table !== null) {
      print(`seed ${result.seed}  choice ${bet.choice}  stake ${bet.points}  paid ${result.payout}`);
      const sector = sectorOf(table, result.seed, bet.choice);
      print(
        `sector ${sector} of ${table.payTenths.length} pays ${(table.payTenths[sector] ?? 0) / 10} times; house edge ${houseEdge(table) / 100} %`,
      );
    }
    const faults = roundFaults(round, sha256);
    for (const fault of faults) print(`WRONG: ${fault}`);
    if (faults.length === 0) print('everything follows from the commitment');
    return faults.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

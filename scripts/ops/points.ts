import { SOL_DECIMALS } from '@tradepost/solana';
import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { SEASONS } from '../../src/modules/points/rules/seasons.ts';
import { REBATE_BUDGET, SHOP } from '../../src/modules/points/rules/shop.ts';
import { createPointOperations } from '../../src/modules/points/store/point-operations.ts';
import type { MinerReport, PointOperations } from '../../src/modules/points/store/point-operations-port.ts';
import { closeSeason } from '../../src/modules/points/use/close-season.ts';
import { MACHINE } from '../../src/modules/referrals/store/referral-flags.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError } from './ops-error.ts';
import { oneOf, solAmount, wholeNumber } from './read-values.ts';

const WEEK_MS = 7 * 86_400_000;
const ROWS = 20;

/** Prints signs of one person with many accounts, or of a machine. 1 when there is something to look at. */
export async function showAbuse(io: Io): Promise<number> {
  const { print } = io;
  const { db, close } = await openDatabase(io);
  try {
    const operations = createPointOperations(db.query);
    const [top, machines, shared] = await Promise.all([
      operations.topMiners(systemClock().now() - WEEK_MS, ROWS),
      operations.machineLike(MACHINE.leastPauses, MACHINE.spread, ROWS),
      operations.sharedAddresses(ROWS),
    ]);
    print('Top miners of seven days');
    for (const row of top) print(reportText(row));
    print(
      `Taps like a machine's: pauses that differ by less than ${MACHINE.spread * 100} %, or every fifth tap too fast`,
    );
    for (const row of machines) print(reportText(row));
    print('Withdrawal addresses that several people share');
    for (const { address, telegramIds } of shared) print(`  ${address}  ${telegramIds.join(' ')}`);
    return machines.length + shared.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

export async function setBudget(io: Io, sol: string): Promise<number> {
  const lamports = solAmount('points budget', sol);
  const { db, close } = await openDatabase(io);
  try {
    await db.transact(async (stores) => {
      await stores.shop.setStock(REBATE_BUDGET, lamports);
      await recordAct(stores, 'operator-command', { command: 'points budget', words: [sol] });
    });
    io.print(`${formatUnits(lamports, SOL_DECIMALS)} SOL are left for rebates`);
    return 0;
  } finally {
    await close();
  }
}

export async function setStock(io: Io, word: string, count: string): Promise<number> {
  const item = oneOf(
    'points stock',
    word,
    SHOP.map(({ id }) => id),
  );
  const left = wholeNumber('points stock', count, { min: 0, max: 999_999_999 });
  const { db, close } = await openDatabase(io);
  try {
    await db.transact(async (stores) => {
      await stores.shop.setStock(item, BigInt(left));
      await recordAct(stores, 'operator-command', { command: 'points stock', words: [item, count] });
    });
    io.print(`${left} of ${item} are left`);
    return 0;
  } finally {
    await close();
  }
}

/** Ends the latest season that is over. */
export async function endSeason(io: Io): Promise<number> {
  const clock = systemClock();
  const over = SEASONS.filter(({ until }) => until <= clock.now()).at(-1);
  if (over === undefined)
    throw new OpsError(
      `No season is over yet: the first one ends on ${new Date(SEASONS[0].until).toISOString().slice(0, 10)}.`,
    );
  const { db, close } = await openDatabase(io);
  try {
    const ids = randomIds(() => clock.now());
    const operations = createPointOperations(db.query);
    // Recorded with the commit that begins it: the work of a killed run is in the trail, too.
    const beginSeason: PointOperations['beginSeason'] = (season) =>
      db.transact(async (stores, query) => {
        const begun = await createPointOperations(query).beginSeason(season);
        const act = { command: 'points season-close', words: [String(over.number)] };
        const outcome = begun.closedAt === null ? 'done' : 'unchanged';
        await recordAct(stores, 'operator-command', act, { outcome });
        return begun;
      });
    const { people, expired, already } = await closeSeason(
      { ledger: db.ledger, operations: { ...operations, beginSeason }, clock, ids },
      over,
    );
    io.print(
      `season ${over.number} ${already ? 'was closed before' : 'is closed'}: ${expired} points of ${people} people expired`,
    );
    return 0;
  } finally {
    await close();
  }
}

function reportText(row: MinerReport): string {
  const rhythm =
    row.pauses === 0 ? 'no rhythm' : `${Math.round(row.pauseMs)} ± ${Math.round(row.spreadMs)} ms`;
  return `  ${row.telegramId}  ${row.mined} points  ${row.taps} taps, ${row.fastTaps} too fast  ${rhythm}`;
}

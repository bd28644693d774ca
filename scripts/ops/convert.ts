import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { SOL_DECIMALS } from '../../src/core/amounts/lamports.ts';
import { type ConvertPeriod, phaseOf } from '../../src/modules/convert/rules.ts';
import { advanceConvert } from '../../src/modules/convert/use/advance-convert.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError, UsageError } from './ops-error.ts';
import { moment, solAmount, wholeNumber } from './read-values.ts';

const SHOWN = 20;

/** Writes down a period; its budget and dates stand from then on. */
export async function announcePeriod(
  io: Io,
  words: { readonly sol: string; readonly opens: string; readonly closes: string },
): Promise<number> {
  const clock = systemClock();
  const request = requestOf(words, clock.now());
  const { db, close } = await openDatabase(io);
  try {
    const { sol, opens, closes } = words;
    const period = await db.transact(async (stores) => {
      const announced = await stores.convert.announce({ ...request, announcedAt: clock.now() });
      if (announced === null) throw new OpsError('convert: these dates overlap another period');
      await recordAct(stores, 'operator-command', {
        command: 'convert announce',
        words: [sol, opens, closes],
      });
      return announced;
    });
    io.print(periodText(period, clock.now()));
    return 0;
  } finally {
    await close();
  }
}

export async function listPeriods(io: Io): Promise<number> {
  const clock = systemClock();
  const { db, close } = await openDatabase(io);
  try {
    for (const period of await db.convert.list(SHOWN)) io.print(periodText(period, clock.now()));
    return 0;
  } finally {
    await close();
  }
}

/** Takes the period back and gives the points back; running it again finishes the rest after a kill. */
export async function cancelPeriod(io: Io, word: string): Promise<number> {
  const number = wholeNumber('convert cancel', word, { min: 1, max: 999_999 });
  const { db, close } = await openDatabase(io);
  try {
    const clock = systemClock();
    await db.transact(async (stores) => {
      const before = await stores.convert.find(number);
      await stores.convert.cancel(number);
      const period = await stores.convert.find(number);
      if (period === null) throw new OpsError(`convert: there is no period ${number}`);
      if (period.status !== 'CANCELLED')
        throw new OpsError(`convert: period ${number} is ${period.status} and can no longer be cancelled`);
      const outcome = before?.status === 'CANCELLED' ? 'unchanged' : 'done';
      const act = { command: 'convert cancel', words: [word] };
      await recordAct(stores, 'operator-command', act, { outcome });
    });
    await advanceConvert({ db, clock, ids: randomIds(() => clock.now()) });
    io.print(`period ${number} is cancelled; its points were given back`);
    return 0;
  } finally {
    await close();
  }
}

function requestOf(
  words: { readonly sol: string; readonly opens: string; readonly closes: string },
  now: number,
) {
  const budgetLamports = solAmount('convert announce', words.sol);
  const opensAt = moment('convert announce', words.opens);
  const closesAt = moment('convert announce', words.closes);
  if (closesAt <= opensAt) throw new UsageError('convert announce: a period closes after it opens.');
  if (closesAt <= now) throw new UsageError('convert announce: a period closes in the future.');
  return { budgetLamports, opensAt, closesAt };
}

function periodText(period: ConvertPeriod, now: number): string {
  const { number, budgetLamports, opensAt, closesAt, totalPoints, paidLamports } = period;
  const sol = (lamports: bigint): string => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;
  const end =
    paidLamports === null
      ? ''
      : `, ${totalPoints ?? 0} points, ${sol(paidLamports)} owed, ${sol(budgetLamports - paidLamports)} left over`;
  return `period ${number}: ${phaseOf(period, now)}, ${sol(budgetLamports)}, ${new Date(opensAt).toISOString()} to ${new Date(closesAt).toISOString()}${end}`;
}

import { systemClock } from '../../src/adapters/clock/clock.ts';
import { randomIds } from '../../src/adapters/clock/ids.ts';
import type { PrismaDatabase } from '../../src/adapters/db/prisma-database.ts';
import type { Config } from '../../src/config.ts';
import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { SOL_DECIMALS } from '../../src/core/amounts/lamports.ts';
import { type ConvertPeriod, phaseOf } from '../../src/core/convert/period.ts';
import { advanceConvert } from '../../src/services/convert/advance-convert.ts';
import { openDatabase } from './open.ts';
import { solArgument } from './sol-argument.ts';

class OpsError extends Error {
  override readonly name = 'OpsError';
}

const SHOWN = 20;

/** `convert announce SOL OPENS CLOSES | list | cancel N`. */
export async function runConvert(
  config: Config,
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const [command = '', ...rest] = args;
  if (!['announce', 'list', 'cancel'].includes(command))
    throw new OpsError(`convert takes "announce", "list" or "cancel", not "${command}"`);
  const clock = systemClock();
  const wish = command === 'announce' ? wishOf(rest, clock.now()) : null;
  const number = command === 'cancel' ? numberOf(rest[0]) : null;
  const { db, close } = await openDatabase(config);
  try {
    if (wish !== null) {
      const period = await db.convert.announce({ ...wish, announcedAt: clock.now() });
      if (period === null) throw new OpsError('convert: these dates overlap another period');
      print(periodText(period, clock.now()));
      return 0;
    }
    if (number !== null) return await cancel(db, number, print);
    for (const period of await db.convert.list(SHOWN)) print(periodText(period, clock.now()));
    return 0;
  } finally {
    await close();
  }
}

/** Takes the period back and gives the points back; running it again finishes what a kill left. */
async function cancel(db: PrismaDatabase, number: number, print: (line: string) => void): Promise<number> {
  const clock = systemClock();
  await db.convert.cancel(number);
  const period = await db.convert.find(number);
  if (period === null) throw new OpsError(`convert: there is no period ${number}`);
  if (period.status !== 'CANCELLED')
    throw new OpsError(`convert: period ${number} is ${period.status} and can no longer be cancelled`);
  await advanceConvert({ db, clock, ids: randomIds(() => clock.now()) });
  print(`period ${number} is cancelled; its points were given back`);
  return 0;
}

function wishOf([sol = '', opens = '', closes = '']: readonly string[], now: number) {
  const opensAt = timeOf(opens);
  const closesAt = timeOf(closes);
  if (closesAt <= opensAt) throw new OpsError('convert: a period closes after it opens');
  if (closesAt <= now) throw new OpsError('convert: a period closes in the future');
  return { budgetLamports: solArgument(sol), opensAt, closesAt };
}

/** A day, at its first moment, or a moment; UTC. */
function timeOf(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new OpsError(`convert: expected 2027-01-31 or 2027-01-31T12:00Z, not "${text}"`);
  return time;
}

function numberOf(text: string | undefined): number {
  if (text === undefined || !/^\d{1,6}$/.test(text))
    throw new OpsError(`convert cancel: expected the number of a period, not "${text ?? ''}"`);
  return Number(text);
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

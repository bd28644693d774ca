import { SOL_DECIMALS } from '@tradepost/solana';
import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { type ConvertPeriod, type PeriodSeal, phaseOf } from '../../src/modules/convert/rules.ts';
import { advanceConvert } from '../../src/modules/convert/use/advance-convert.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { Certifier } from '../../src/platform/ports/certificates.ts';
import type { Io } from './command.ts';
import { openRing } from './journal-here.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError, UsageError } from './ops-error.ts';
import { moment, solAmount, wholeNumber } from './read-values.ts';

const SHOWN = 20;

/** Writes down a period, certified with the master key; its budget and dates stand from then on. */
export async function announcePeriod(
  io: Io,
  words: { readonly sol: string; readonly opens: string; readonly closes: string },
): Promise<number> {
  const clock = systemClock();
  const request = requestOf(words, clock.now());
  const { db, close } = await openDatabase(io);
  try {
    const { sol: budget, opens, closes } = words;
    const { certifier } = await openRing(io, db);
    const at = clock.now();
    const seal = sealOf(certifier, request, { at, isCancelled: false });
    const period = await db.transact(async (stores) => {
      const announced = await stores.convert.announce({ ...request, announcedAt: at, seal });
      if (announced === null) throw new OpsError('convert: these dates overlap another period');
      await recordAct(stores, 'operator-command', {
        command: 'convert announce',
        words: [budget, opens, closes],
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
    const { certifier } = await openRing(io, db);
    await db.transact(async (stores) => {
      const before = await stores.convert.find(number);
      if (before !== null)
        await stores.convert.cancel(
          number,
          sealOf(certifier, before, { at: clock.now(), isCancelled: true }),
        );
      const period = await stores.convert.find(number);
      if (period === null) throw new OpsError(`convert: there is no period ${number}`);
      if (period.status !== 'CANCELLED')
        throw new OpsError(`convert: period ${number} is ${period.status} and can no longer be cancelled`);
      const outcome = before?.status === 'CANCELLED' ? 'unchanged' : 'done';
      const act = { command: 'convert cancel', words: [word] };
      await recordAct(stores, 'operator-command', act, { outcome });
    });
    // The role of the database that comes with the master key moves no points: the worker gives them back then.
    const [may] = await db.query<{ readonly refund: boolean }>(
      `SELECT has_table_privilege('convert_outcomes', 'INSERT') AS refund`,
      [],
    );
    if (may?.refund === true) await advanceConvert({ db, clock, ids: randomIds(() => clock.now()) });
    const end = may?.refund === true ? 'its points were given back' : 'the worker gives its points back';
    io.print(`period ${number} is cancelled; ${end}`);
    return 0;
  } finally {
    await close();
  }
}

/** The certificate of a period. Of a cancelled one it says that nothing is paid: the signer writes that down, and earlier ones pay nothing then. */
function sealOf(
  certifier: Pick<Certifier, 'period'>,
  { budgetLamports, opensAt, closesAt }: Pick<ConvertPeriod, 'budgetLamports' | 'opensAt' | 'closesAt'>,
  { at, isCancelled }: { readonly at: number; readonly isCancelled: boolean },
): PeriodSeal {
  const facts = { budgetLamports, opensAt, closesAt, at, uncountedLamports: 0n, isCancelled };
  return { at, uncountedLamports: 0n, certificate: certifier.period(facts) };
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

export const sol = (lamports: bigint): string => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;

/** One line for a person. */
export function periodText(period: ConvertPeriod, now: number): string {
  const { number, budgetLamports, opensAt, closesAt, totalPoints, paidLamports } = period;
  const end =
    paidLamports === null
      ? ''
      : `, ${totalPoints ?? 0} points, ${sol(paidLamports)} owed, ${sol(budgetLamports - paidLamports)} left over`;
  return `period ${number}: ${phaseOf(period, now)}, ${sol(budgetLamports)}, ${new Date(opensAt).toISOString()} to ${new Date(closesAt).toISOString()}${end}`;
}

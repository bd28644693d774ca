import { hasCode } from '../../core/errors/app-error.ts';
import { type BigintColumn, fromTime, toTime } from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import type { ConvertPeriodModel } from '../../platform/db/generated/models.ts';
import type { CertificateCheck } from '../../platform/ports/certificates.ts';
import type { ConvertPeriod, PeriodSeal } from './rules.ts';
import type { ConvertStore } from './store-port.ts';

/** The columns of `PeriodRow`. */
export const PERIOD_COLUMNS = `number, budget_lamports AS "budgetLamports", opens_at AS "opensAt", closes_at AS "closesAt",
  announced_at AS "announcedAt", status, total_points AS "totalPoints", paid_lamports AS "paidLamports",
  certificate, certified_at AS "certifiedAt", uncounted_lamports AS "uncountedLamports"`;

/** A period as the driver gives it, numbers of 64 bits as text. */
export type PeriodRow = Omit<
  ConvertPeriodModel,
  'budgetLamports' | 'totalPoints' | 'paidLamports' | 'uncountedLamports'
> & {
  readonly uncountedLamports: BigintColumn | null;
  readonly budgetLamports: BigintColumn;
  readonly totalPoints: BigintColumn | null;
  readonly paidLamports: BigintColumn | null;
};

type PeriodCheck = Pick<CertificateCheck, 'period'>;

export function createPrismaConvertStore(connection: Connection, certificates: PeriodCheck): ConvertStore {
  return {
    ...periodRows(connection, certificates),
    ...periodStates(connection),
    ...entryRows(connection),
    ...watcherRows(connection),
  };
}

/** The periods. */
function periodRows(
  { prisma, query }: Pick<Connection, 'prisma' | 'query'>,
  certificates: PeriodCheck,
): Pick<ConvertStore, 'announce' | 'find' | 'list' | 'payable' | 'hold'> {
  const certified = (row: PeriodRow): ConvertPeriod => {
    const period = toPeriod(row);
    certificates.period(period);
    return period;
  };
  const certifiedOrNone = (row: PeriodRow): readonly ConvertPeriod[] => {
    try {
      return [certified(row)];
    } catch (error) {
      if (hasCode(error, 'ROW_FORGED')) return [];
      throw error;
    }
  };
  return {
    announce: async ({ budgetLamports, opensAt, closesAt, announcedAt, seal }) => {
      // SQL: not by catching the violation: a statement that failed ends its transaction.
      const [row] = await query<PeriodRow>(
        `INSERT INTO convert_periods (number, budget_lamports, opens_at, closes_at, announced_at, status,
           certificate, certified_at, uncounted_lamports)
         SELECT coalesce(max(number), 0) + 1, $1::bigint, $2::timestamptz, $3::timestamptz, $4::timestamptz, 'ANNOUNCED',
           $5, $6::timestamptz, $7::bigint
         FROM convert_periods
         ON CONFLICT ON CONSTRAINT convert_periods_do_not_overlap DO NOTHING RETURNING ${PERIOD_COLUMNS}`,
        [
          budgetLamports.toString(),
          toTime(opensAt),
          toTime(closesAt),
          toTime(announcedAt),
          ...sealColumns(seal),
        ],
      );
      return row ? toPeriod(row) : null;
    },
    payable: async () => {
      const settled = { status: { in: ['SETTLING' as const, 'SETTLED' as const] } };
      const rows = await prisma().convertPeriod.findMany({ where: settled, orderBy: { number: 'asc' } });
      return rows.flatMap((row) => certifiedOrNone(row).map(({ number }) => number));
    },
    find: async (number) => {
      const row = await prisma().convertPeriod.findUnique({ where: { number } });
      return row && certified(row);
    },
    list: async (limit) =>
      (await prisma().convertPeriod.findMany({ orderBy: { number: 'desc' }, take: limit })).flatMap(
        certifiedOrNone,
      ),
    hold: async (number) => {
      // SQL: shared with others who enter, against who settles.
      const [row] = await query<PeriodRow>(
        `SELECT ${PERIOD_COLUMNS} FROM convert_periods WHERE number = $1::int FOR SHARE`,
        [number],
      );
      return row ? certified(row) : null;
    },
  };
}

/** The changes of state of a period. */
function periodStates({
  prisma,
  query,
}: Pick<Connection, 'prisma' | 'query'>): Pick<ConvertStore, 'begin' | 'cancel' | 'finish'> {
  // SQL: sums and the change of state in one statement, so that nothing is entered between the two.
  const changed = async (sql: string, number: number): Promise<boolean> =>
    (await query(sql, [number])).length > 0;
  return {
    // SQL: the row's lock is taken first: a sum that was read before it would miss entries that commit meanwhile.
    begin: async (number) => {
      await query('SELECT FROM convert_periods WHERE number = $1::int FOR UPDATE', [number]);
      return changed(
        `UPDATE convert_periods SET status = 'SETTLING',
           total_points = (SELECT coalesce(sum(points), 0) FROM convert_entries WHERE period = $1::int)
         WHERE number = $1::int AND status = 'ANNOUNCED' RETURNING 1`,
        number,
      );
    },
    cancel: async (number, { at, uncountedLamports, certificate }) => {
      const { count } = await prisma().convertPeriod.updateMany({
        where: { number, status: 'ANNOUNCED' },
        data: { status: 'CANCELLED', certificate, certifiedAt: new Date(at), uncountedLamports },
      });
      return count > 0;
    },
    finish: (number) =>
      changed(
        `UPDATE convert_periods SET status = 'SETTLED',
           paid_lamports = (SELECT coalesce(sum(lamports), 0) FROM convert_outcomes WHERE period = $1::int)
         WHERE number = $1::int AND status = 'SETTLING' AND NOT EXISTS (SELECT ${waitingOf('$1::int')})
         RETURNING 1`,
        number,
      ),
  };
}

/** The points that people entered, and their outcomes. */
function entryRows({
  prisma,
  query,
}: Pick<Connection, 'prisma' | 'query'>): Pick<
  ConvertStore,
  'entryByKey' | 'insertEntry' | 'entered' | 'waiting' | 'cancelledWaiting' | 'insertOutcome' | 'lastOutcome'
> {
  return {
    entryByKey: async (idemKey) => {
      const row = await prisma().convertEntry.findUnique({ where: { idemKey } });
      return row && { ...row, createdAt: fromTime(row.createdAt) };
    },
    insertEntry: async (entry) => {
      await prisma().convertEntry.create({ data: { ...entry, createdAt: new Date(entry.createdAt) } });
    },
    entered: async (number, userId) => {
      // SQL: two sums over one read of the entries.
      const [row] = await query<{ readonly total: BigintColumn; readonly own: BigintColumn }>(
        `SELECT coalesce(sum(points), 0)::text AS total, coalesce(sum(points) FILTER (WHERE user_id = $2), 0)::text AS own
         FROM convert_entries WHERE period = $1::int`,
        [number, userId],
      );
      return { total: BigInt(row?.total ?? 0), own: BigInt(row?.own ?? 0) };
    },
    waiting: async (number, limit) => {
      // SQL: entries without an outcome, summed by person.
      const rows = await query<{ readonly userId: string; readonly points: BigintColumn }>(
        `SELECT waiting.user_id AS "userId", sum(points)::text AS points
         FROM (SELECT entry.user_id, entry.points ${waitingOf('$1::int')}) AS waiting
         GROUP BY waiting.user_id ORDER BY waiting.user_id LIMIT $2::int`,
        [number, limit],
      );
      return rows.map((row) => ({ ...row, points: BigInt(row.points) }));
    },
    cancelledWaiting: async () => {
      // SQL: the same condition, once for each period.
      const rows = await query<{ readonly number: number }>(
        `SELECT number FROM convert_periods AS cancelled WHERE status = 'CANCELLED'
           AND EXISTS (SELECT ${waitingOf('cancelled.number')})
         ORDER BY number`,
        [],
      );
      return rows.map(({ number }) => number);
    },
    insertOutcome: async (outcome) => {
      const { count } = await prisma().convertOutcome.createMany({
        data: [{ ...outcome, at: new Date(outcome.at) }],
        skipDuplicates: true,
      });
      return count > 0;
    },
    lastOutcome: async (userId) => {
      const row = await prisma().convertOutcome.findFirst({ where: { userId }, orderBy: { period: 'desc' } });
      return row && { ...row, at: fromTime(row.at) };
    },
  };
}

/** The people who want a notice of the next period. */
function watcherRows({
  prisma,
  query,
}: Pick<Connection, 'prisma' | 'query'>): Pick<ConvertStore, 'watch' | 'isWatching' | 'takeWatchers'> {
  return {
    watch: async (userId, at) => {
      await prisma().convertWatcher.createMany({
        data: [{ userId, createdAt: new Date(at) }],
        skipDuplicates: true,
      });
    },
    isWatching: async (userId) => (await prisma().convertWatcher.count({ where: { userId } })) > 0,
    takeWatchers: async (limit) => {
      // SQL: takes rows that no other process has locked.
      const rows = await query<{ readonly userId: string }>(
        `DELETE FROM convert_watchers WHERE user_id IN (
           SELECT user_id FROM convert_watchers ORDER BY user_id LIMIT $1::int FOR UPDATE SKIP LOCKED)
         RETURNING user_id AS "userId"`,
        [limit],
      );
      return rows.map(({ userId }) => userId);
    },
  };
}

/** From where the entries of a period without an outcome come. */
const waitingOf = (
  period: string,
): string => `FROM convert_entries AS entry WHERE entry.period = ${period} AND NOT EXISTS (
  SELECT FROM convert_outcomes AS outcome WHERE outcome.period = entry.period AND outcome.user_id = entry.user_id)`;

function sealColumns(seal: PeriodSeal | null): readonly (string | null)[] {
  return seal === null
    ? [null, null, null]
    : [seal.certificate, toTime(seal.at), seal.uncountedLamports.toString()];
}

export function toPeriod(row: PeriodRow): ConvertPeriod {
  const { totalPoints, paidLamports } = row;
  return {
    number: row.number,
    status: row.status,
    budgetLamports: BigInt(row.budgetLamports),
    opensAt: fromTime(row.opensAt),
    closesAt: fromTime(row.closesAt),
    announcedAt: fromTime(row.announcedAt),
    totalPoints: totalPoints === null ? null : BigInt(totalPoints),
    paidLamports: paidLamports === null ? null : BigInt(paidLamports),
    seal: toSeal(row),
  };
}

function toSeal({ certificate, certifiedAt, uncountedLamports }: PeriodRow): PeriodSeal | null {
  if (certificate === null || certifiedAt === null || uncountedLamports === null) return null;
  return { at: fromTime(certifiedAt), uncountedLamports: BigInt(uncountedLamports), certificate };
}

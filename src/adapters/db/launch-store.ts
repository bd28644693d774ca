import type { Launch } from '../../core/launch/launch.ts';
import type { LaunchStore } from '../../core/ports/launch-store.ts';
import { fromTime, toTime } from './codec.ts';
import type { Connection, Parameter } from './connection.ts';
import { storedAddress } from './stored-address.ts';

const COLUMNS = `mint, user_id AS "userId", intent_id AS "intentId", pad, config, first_buy_lamports::text AS "firstBuyLamports",
  sold_bps AS "soldBps", checked_at AS "checkedAt", graduated_at AS "graduatedAt", created_at AS "createdAt"`;

type Row = {
  readonly mint: string;
  readonly userId: string;
  readonly intentId: string;
  readonly pad: string;
  readonly config: string | null;
  readonly firstBuyLamports: string;
  readonly soldBps: number;
  readonly checkedAt: Date;
  readonly graduatedAt: Date | null;
  readonly createdAt: Date;
};

export function createPrismaLaunchStore({ query }: Pick<Connection, 'query'>): LaunchStore {
  const many = async (rest: string, values: readonly Parameter[]): Promise<readonly Launch[]> =>
    (await query<Row>(`SELECT ${COLUMNS} FROM launches WHERE ${rest}`, values)).map(toLaunch);
  return {
    insert: async (launch) => {
      const rows = await query(
        `INSERT INTO launches (mint, user_id, intent_id, pad, config, first_buy_lamports, sold_bps, checked_at, graduated_at,
           created_at)
         VALUES ($1, $2, $3, $4, $5, $6::bigint, $7::int, $8::timestamptz, $9::timestamptz, $10::timestamptz)
         ON CONFLICT DO NOTHING RETURNING mint`,
        [
          launch.mint,
          launch.userId,
          launch.intentId,
          launch.pad,
          launch.config,
          launch.firstBuyLamports.toString(),
          launch.soldBps,
          toTime(launch.checkedAt),
          launch.graduatedAt === null ? null : toTime(launch.graduatedAt),
          toTime(launch.createdAt),
        ],
      );
      return rows.length > 0;
    },
    find: async (mint) => (await many('mint = $1', [mint]))[0] ?? null,
    onCurve: (limit) => many('graduated_at IS NULL ORDER BY checked_at, mint LIMIT $1::int', [limit]),
    listByUser: (userId, limit) =>
      many('user_id = $1 ORDER BY created_at DESC, mint LIMIT $2::int', [userId, limit]),
    saveProgress: async (mint, { soldBps, at }) => {
      await query(
        'UPDATE launches SET sold_bps = $2::int, checked_at = $3::timestamptz WHERE mint = $1 RETURNING mint',
        [mint, soldBps, toTime(at)],
      );
    },
    graduate: async (mint, at) =>
      (
        await query(
          `UPDATE launches SET graduated_at = $2::timestamptz, checked_at = $2::timestamptz, sold_bps = 10000
           WHERE mint = $1 AND graduated_at IS NULL RETURNING mint`,
          [mint, toTime(at)],
        )
      ).length > 0,
  };
}

function toLaunch(row: Row): Launch {
  return {
    ...row,
    // Written by this store from checked values.
    mint: storedAddress(row.mint),
    config: row.config === null ? null : storedAddress(row.config),
    firstBuyLamports: BigInt(row.firstBuyLamports),
    checkedAt: fromTime(row.checkedAt),
    graduatedAt: row.graduatedAt === null ? null : fromTime(row.graduatedAt),
    createdAt: fromTime(row.createdAt),
  };
}

import type { Redemption } from '../../core/points/shop.ts';
import type { ShopStore } from '../../core/ports/shop-store.ts';
import { type BigintColumn, fromTime, fromTimeOrNull, toTime, toTimeOrNull } from './codec.ts';
import type { Connection } from './connection.ts';
import { EFFECT } from './json/other-json.ts';

const COLUMNS = `id, user_id AS "userId", idem_key AS "idemKey", item, points::text AS points, effect,
  starts_at AS "startsAt", ends_at AS "endsAt", created_at AS "createdAt"`;

type Row = Pick<Redemption, 'id' | 'userId' | 'idemKey' | 'item'> & {
  readonly points: BigintColumn;
  readonly effect: unknown;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly createdAt: Date;
};

export function createPrismaShopStore({ query }: Connection): ShopStore {
  return {
    findByKey: async (idemKey) => {
      const [row] = await query<Row>(`SELECT ${COLUMNS} FROM point_redemptions WHERE idem_key = $1`, [
        idemKey,
      ]);
      return row ? toRedemption(row) : null;
    },
    insert: async (redemption) => {
      await query(
        `INSERT INTO point_redemptions (id, user_id, idem_key, item, points, effect, starts_at, ends_at, created_at)
         VALUES ($1, $2, $3, $4, $5::bigint, $6::jsonb, $7::timestamptz, $8::timestamptz, $9::timestamptz)`,
        [
          redemption.id,
          redemption.userId,
          redemption.idemKey,
          redemption.item,
          redemption.points.toString(),
          EFFECT.encode(redemption.id, redemption.effect),
          toTime(redemption.startsAt),
          toTimeOrNull(redemption.endsAt),
          toTime(redemption.createdAt),
        ],
      );
    },
    listByUser: async (userId) => {
      const rows = await query<Row>(
        `SELECT ${COLUMNS} FROM point_redemptions WHERE user_id = $1 ORDER BY id DESC`,
        [userId],
      );
      return rows.map(toRedemption);
    },
    stock: async (names) => {
      const rows = await query<{ readonly item: string; readonly remaining: BigintColumn }>(
        'SELECT item, remaining::text AS remaining FROM point_stocks WHERE item = ANY($1::text[])',
        [names],
      );
      return new Map(rows.map(({ item, remaining }) => [item, BigInt(remaining)]));
    },
    take: async (name, amount) => {
      const [row] = await query<{ readonly remaining: BigintColumn }>(
        'SELECT remaining::text AS remaining FROM point_stocks WHERE item = $1 FOR NO KEY UPDATE',
        [name],
      );
      if (row === undefined) return null;
      if (BigInt(row.remaining) < amount) return false;
      // Outside a transaction the lock is gone by now: the condition holds by itself.
      const taken = await query(
        'UPDATE point_stocks SET remaining = remaining - $2::bigint WHERE item = $1 AND remaining >= $2::bigint RETURNING 1',
        [name, amount.toString()],
      );
      return taken.length > 0;
    },
    setStock: async (name, remaining) => {
      await query(
        `INSERT INTO point_stocks (item, remaining) VALUES ($1, $2::bigint)
         ON CONFLICT (item) DO UPDATE SET remaining = excluded.remaining`,
        [name, remaining.toString()],
      );
    },
  };
}

function toRedemption(row: Row): Redemption {
  return {
    ...row,
    points: BigInt(row.points),
    effect: EFFECT.decode(row.id, row.effect),
    startsAt: fromTime(row.startsAt),
    endsAt: fromTimeOrNull(row.endsAt),
    createdAt: fromTime(row.createdAt),
  };
}

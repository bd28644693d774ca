import {
  type BigintColumn,
  fromTime,
  fromTimeOrNull,
  jsonInput,
  toDateOrNull,
} from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { PointRedemptionModel } from '../../../platform/db/generated/models.ts';
import { EFFECT } from '../../../platform/db/json/other-json.ts';
import type { Redemption } from '../rules/shop.ts';
import type { ShopStore } from './shop-store-port.ts';

export function createPrismaShopStore({ prisma, query }: Connection): ShopStore {
  return {
    findByKey: async (idemKey) => {
      const row = await prisma().pointRedemption.findUnique({ where: { idemKey } });
      return row && toRedemption(row);
    },
    insert: async (redemption) => {
      await prisma().pointRedemption.create({
        data: {
          ...redemption,
          effect: jsonInput(EFFECT.encode(redemption.id, redemption.effect)),
          startsAt: new Date(redemption.startsAt),
          endsAt: toDateOrNull(redemption.endsAt),
          createdAt: new Date(redemption.createdAt),
        },
      });
    },
    listByUser: async (userId) =>
      (await prisma().pointRedemption.findMany({ where: { userId }, orderBy: { id: 'desc' } })).map(
        toRedemption,
      ),
    stock: async (names) => {
      const rows = await prisma().pointStock.findMany({ where: { item: { in: [...names] } } });
      return new Map(rows.map(({ item, remaining }) => [item, remaining]));
    },
    take: async (name, amount) => {
      // SQL: the stock is locked before it is judged, so that two buyers of the last piece wait for each other.
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
      await prisma().pointStock.upsert({
        where: { item: name },
        create: { item: name, remaining },
        update: { remaining },
      });
    },
  };
}

function toRedemption(row: PointRedemptionModel): Redemption {
  return {
    ...row,
    effect: EFFECT.decode(row.id, row.effect),
    startsAt: fromTime(row.startsAt),
    endsAt: fromTimeOrNull(row.endsAt),
    createdAt: fromTime(row.createdAt),
  };
}

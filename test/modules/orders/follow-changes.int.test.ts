import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reduceOrders } from '../../../src/modules/orders/rules/machine.ts';
import type { OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import { followChanges } from '../../../src/modules/orders/use/follow-changes.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { orderRow } from '../../conformance/order-stores.ts';
import { NOW, newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';

describe('changes of orders on Postgres', () => {
  let db: PrismaDatabase;
  beforeAll(async () => {
    db = await createPrismaDatabase({ url: await createTestDatabase() });
  });
  afterAll(() => db.close());

  async function placed(): Promise<OrderGroup> {
    const { user, wallet } = await storedPerson(db);
    const group: OrderGroup = {
      id: newId(),
      userId: user.id,
      walletId: wallet.id,
      mint: newAddress(),
      placeKey: newId(),
      parentIntentId: null,
      createdAt: NOW,
      kind: 'SINGLE',
      units: 1_000n,
      sold: 0n,
      orders: [],
      liveFires: [],
    };
    const inserted = await db.orders.insert(PASSED, { ...group, orders: [orderRow(group)] });
    if (inserted === null) throw new Error('not inserted');
    return inserted;
  }
  const orderOf = ({ orders: [order] }: OrderGroup): string => order?.id ?? '';

  it('are told though they were committed after younger ones', async () => {
    const [late, young] = [await placed(), await placed()];
    const changes = followChanges(db.orders, { now: () => Date.now() });
    await changes.begin();
    const told: string[] = [];
    const read = async (): Promise<readonly string[]> => {
      const from = told.length;
      await changes.read(async (changes) => {
        told.push(...changes.map(({ order }) => `${order.id} ${order.status}`));
      });
      return told.slice(from);
    };
    await read();
    const end = (group: OrderGroup) =>
      reduceOrders(group, { kind: 'cancelled', orderId: orderOf(group), reason: 'person' });
    let commit = (): void => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let written = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const slow = db.transact(async ({ orders }) => {
      const { group, writes } = end(late);
      await orders.write(PASSED, group, writes);
      written();
      await mayCommit;
    });
    await isWritten;
    const { group, writes } = end(young);
    await db.orders.write(PASSED, group, writes);
    expect(await read()).toEqual([`${orderOf(young)} CANCELLED`]);
    commit();
    await slow;
    expect(await read()).toEqual([`${orderOf(late)} CANCELLED`]);
    expect(await read()).toEqual([]);
  });
});

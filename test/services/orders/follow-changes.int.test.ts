import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/adapters/db/prisma-database.ts';
import { reduceOrders } from '../../../src/core/orders/machine.ts';
import type { OrderGroup } from '../../../src/core/orders/order.ts';
import { followChanges } from '../../../src/services/orders/follow-changes.ts';
import { orderRow } from '../../conformance/order-stores.ts';
import { NOW, newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';

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
    const inserted = await db.orders.insert({ ...group, orders: [orderRow(group)] });
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
      await orders.write(group, writes);
      written();
      await mayCommit;
    });
    await isWritten;
    const { group, writes } = end(young);
    await db.orders.write(group, writes);
    expect(await read()).toEqual([`${orderOf(young)} CANCELLED`]);
    commit();
    await slow;
    expect(await read()).toEqual([`${orderOf(late)} CANCELLED`]);
    expect(await read()).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Attempt, Intent, LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { freeze } from '../../../src/modules/guard/rules/freeze.ts';
import { fireKey, reduceOrders } from '../../../src/modules/orders/rules/machine.ts';
import type { Order, OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import { carryOutLocked } from '../../../src/modules/orders/use/carry-out.ts';
import { newGroup, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import { settleOrder, wakeOrders } from '../../../src/modules/orders/use/settle-order.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';
import { addPerson } from '../../support/simulator/people.ts';
import { TOKEN } from '../trading/build-pool.ts';

const NOW = 1_700_000_000_000;
const SOL = 1_000_000_000n;
const PRICE: Pick<OrderDraft, 'unit' | 'trigger' | 'request'> = {
  unit: 'SOL',
  trigger: { got: 1n, given: 1n },
  request: '1',
};

const SALE: OrderDraft = {
  ...PRICE,
  side: 'sell',
  type: 'STOP_LOSS',
  amount: { kind: 'rest' },
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
};
const takeProfit = (bps: number): OrderDraft => ({
  ...SALE,
  type: 'TAKE_PROFIT',
  amount: { kind: 'share', bps },
});

/** Legs that share units, open; what is fired lands or ends without effect as the test says. */
async function legs(
  drafts: readonly OrderDraft[],
  units: bigint | null,
  parentIntentId: string | null = null,
) {
  const db = fakeDatabase({ trusting: true });
  const userId = await addPerson(db, { index: 1, inviterId: null });
  const [wallet] = await db.wallets.listByUser(userId);
  let ids = 0;
  const ulid = (): string => {
    ids += 1;
    return `id-${ids}`;
  };
  const placed = newGroup(
    {
      userId,
      walletId: wallet?.id ?? '',
      mint: TOKEN,
      placeKey: ulid(),
      kind: 'OCO',
      units,
      drafts,
      expiresAt: NOW + 86_400_000,
      slippageBps: 100,
      tier: 'normal',
      accepted: [],
      supply: null,
      parentIntentId,
    },
    { id: ulid, now: NOW, depthLamports: null },
  );
  await db.orders.insert(PASSED, placed);
  const deps = { clock: { now: () => NOW }, ids: { ulid, token: ulid, code: ulid } };

  const group = async (): Promise<OrderGroup> => {
    const found = await db.orders.find(placed.orders[0]?.id ?? '');
    if (found === null) throw new Error('no group');
    return found;
  };
  const order = async (index: number): Promise<Order> => {
    const found = (await group()).orders[index];
    if (found === undefined) throw new Error('no order');
    return found;
  };
  const fire = async (index: number, sold: bigint, held: bigint): Promise<Intent> => {
    const { id, fires } = await order(index);
    const intentId = fireKey(id, fires + 1);
    await db.transact(async (stores) => {
      const fired = reduceOrders(await group(), {
        kind: 'fired',
        orderId: id,
        intentId,
        units: sold,
        slot: 1n,
        held,
        quoted: sold,
        at: NOW,
      });
      expect(fired.effects).toHaveLength(1);
      await carryOutLocked(stores, PASSED, fired);
    });
    const params = { kind: 'sell', mint: TOKEN, amountIn: sold, order: { id, n: fires + 1 }, terms: {} };
    return { id: intentId, userId, params, status: 'CREATED', outcome: null } as unknown as Intent;
  };
  const land = (intent: Intent, sold: bigint, got = sold): Promise<void> => {
    const receipt = {
      tokenDeltas: [{ mint: TOKEN, delta: -sold }],
      walletLamportsDelta: got,
      feeLamports: 0n,
      rentLamports: 0n,
    } as unknown as LandedReceipt;
    return db.transact((stores) =>
      settleOrder(deps, stores, intent, { terms: null } as Pick<Attempt, 'terms'>, receipt),
    );
  };
  const voidIt = ({ id }: Intent): Promise<void> =>
    db.transact(async (stores) => {
      const found = await group();
      const { progress } = found.orders.find((one) => id.includes(one.id)) ?? (await order(0));
      const ended = { burntLamports: 0n, notBeforeSlot: null, pause: null, reason: 'PRICE_MOVED', at: NOW };
      await carryOutLocked(
        stores,
        PASSED,
        reduceOrders(found, { kind: 'voided', intentId: id, ...ended, progress }),
      );
    });
  const freezeNow = async (): Promise<void> => {
    await db.guards.save(freeze(await db.guards.find(userId), NOW), PASSED);
  };
  /** The purchase that they waited for is confirmed. */
  const arrive = (): Promise<void> => {
    const params = { kind: 'buy', mint: TOKEN, terms: { minOut: 5n * SOL }, legs: true };
    const intent = { id: parentIntentId, userId, params } as unknown as Intent;
    return db.transact((stores) => wakeOrders(deps, stores, intent, null, 'awakened'));
  };
  return { group, order, fire, land, voidIt, freezeNow, arrive };
}

describe('a stop that sold beside a take-profit on its way', () => {
  it.each([
    ['units of its own', 10n * SOL],
    ['a position', null],
  ])('stands until that has ended, and then sells the rest: %s', async (_what, units) => {
    const { order, fire, land, voidIt } = await legs([takeProfit(5_000), SALE], units);
    const gain = await fire(0, 5n * SOL, 10n * SOL);
    const stop = await fire(1, 5n * SOL, 10n * SOL);
    await land(stop, 5n * SOL);
    expect((await order(0)).status).toBe('TRIGGERED');
    expect((await order(0)).afterwards).toBeNull();
    await voidIt(gain);
    // Half is left, and nothing else would stop its fall.
    expect(await order(1)).toMatchObject({ status: 'OPEN', filled: 5n * SOL });
    const again = await fire(1, 5n * SOL, 5n * SOL);
    await land(again, 5n * SOL);
    expect((await order(1)).status).toBe('FILLED');
    expect(await order(0)).toMatchObject({ status: 'CANCELLED', reason: 'oco' });
  });

  it('ends with it where that sold the other part', async () => {
    const { order, fire, land } = await legs([takeProfit(5_000), SALE], 10n * SOL);
    const gain = await fire(0, 5n * SOL, 10n * SOL);
    const stop = await fire(1, 5n * SOL, 10n * SOL);
    await land(stop, 5n * SOL);
    await land(gain, 5n * SOL);
    expect((await order(0)).status).toBe('FILLED');
    expect(await order(1)).toMatchObject({ status: 'CANCELLED', reason: 'oco' });
  });
});

describe('a stop beside take-profits that sold everything', () => {
  it.each([
    ['two halves of an odd number', [5_000, 5_000], 10n * SOL + 1n],
    ['three thirds', [3_333, 3_333, 3_333], 10n * SOL],
  ])('ends with the last of them: %s', async (_what, shares, units) => {
    const { order, fire, land } = await legs([...shares.map(takeProfit), SALE], units);
    const stop = shares.length;
    for (const [index, bps] of shares.entries()) {
      expect((await order(stop)).status).toBe('OPEN');
      const part = (units * BigInt(bps)) / 10_000n;
      await land(await fire(index, part, units), part);
    }
    // What roundings leave is worth no transaction, now or ever.
    expect(await order(stop)).toMatchObject({ status: 'CANCELLED', reason: 'oco' });
  });

  it('stands while another of them is on its way', async () => {
    const { order, fire, land, voidIt } = await legs([takeProfit(5_000), takeProfit(5_000), SALE], 10n * SOL);
    const first = await fire(0, 5n * SOL, 10n * SOL);
    const second = await fire(1, 5n * SOL, 10n * SOL);
    await land(first, 5n * SOL);
    await voidIt(second);
    expect((await order(1)).status).toBe('OPEN');
    expect((await order(2)).status).toBe('OPEN');
  });
});

describe('what waited for a purchase', () => {
  it('stands as soon as that is confirmed', async () => {
    const { group, order, arrive } = await legs([takeProfit(5_000), SALE], 0n, 'purchase');
    expect((await order(0)).status).toBe('WAITING');
    await arrive();
    expect((await group()).units).toBe(5n * SOL);
    expect([(await order(0)).status, (await order(1)).status]).toEqual(['OPEN', 'OPEN']);
  });

  it('of somebody who has frozen everything is paused as all the rest is: an unfreezing resumes nothing', async () => {
    const { group, order, arrive, freezeNow } = await legs([takeProfit(5_000), SALE], 0n, 'purchase');
    await freezeNow();
    await arrive();
    expect((await group()).units).toBe(5n * SOL);
    for (const index of [0, 1])
      expect(await order(index)).toMatchObject({ status: 'PAUSED', reason: 'panic' });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import { placeOrders } from '../../../src/modules/orders/use/place-orders.ts';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { FIRED, put, STOP } from '../../support/order-acts.ts';
import { HELD, type OrderPlace, orderPlace, SALE } from '../../support/order-place.ts';
import { TOKEN } from '../trading/build-pool.ts';

const GAIN: OrderDraft = { ...SALE, amount: { kind: 'share', bps: 5_000 } };
const TRAIL: OrderDraft = {
  ...SALE,
  type: 'TRAILING_STOP',
  trigger: null,
  trailing: { bps: 1_500, activation: null },
};
const POSITION = { units: null, kind: 'OCO' } as const;

describe('exits of a position', () => {
  let place: OrderPlace;
  beforeEach(async () => {
    place = await orderPlace();
  });
  const exit = (draft: OrderDraft, more: { readonly replaces?: readonly string[] } = {}) =>
    put(place, draft, { ...POSITION, ...more });
  const open = () => place.db.orders.listOpen(place.userId);
  const refused = (details: unknown) => ({ code: 'ORDER_REFUSED', details });

  it('are one group, whenever each was set', async () => {
    await exit(STOP);
    await exit(GAIN);
    const groups = await open();
    expect(groups).toHaveLength(1);
    expect(groups[0]?.orders.map(({ type, number }) => [type, number])).toEqual([
      ['STOP_LOSS', 1],
      ['TAKE_PROFIT', 2],
    ]);
    // Of another wallet, and of units of its own: not this position's.
    await put(place, SALE);
    expect(await open()).toHaveLength(2);
  });

  it('are placed once, however often one placing is said', async () => {
    await exit(STOP);
    const draft = { ...place.draft(GAIN), ...POSITION };
    const placed = await placeOrders(place.deps, draft);
    expect((await placeOrders(place.deps, draft)).id).toBe(placed.id);
    expect((await open())[0]?.orders).toHaveLength(2);
  });

  it.each([
    ['another stop', STOP],
    ['a trailing stop', TRAIL],
  ])('take %s in the place of the one that stands, and only when it is named', async (_name, second) => {
    const first = await exit(STOP);
    await exit(GAIN);
    const stands = { kind: 'stop-stands', numbers: [1], ids: [first.id] };
    await expect(exit(second)).rejects.toMatchObject(refused(stands));
    await expect(exit(second, { replaces: ['another'] })).rejects.toMatchObject(refused(stands));
    expect((await open())[0]?.orders).toHaveLength(2);
    await exit(second, { replaces: [first.id] });
    const [group, ...others] = await open();
    expect(others).toEqual([]);
    expect(group?.orders.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'STOP_LOSS CANCELLED',
      'TAKE_PROFIT OPEN',
      `${second.type} OPEN`,
    ]);
  });

  it('take a stop where the only one that stood is replaced', async () => {
    const first = await exit(STOP);
    const { status } = await exit(TRAIL, { replaces: [first.id] });
    expect(status).toBe('OPEN');
    expect((await place.order(first.id)).status).toBe('CANCELLED');
    expect(await open()).toHaveLength(1);
  });

  it('take no stop while one sells', async () => {
    const { id } = await exit(STOP);
    place.world.price = 700n;
    expect(await place.fire(id)).toMatchObject(FIRED);
    place.world.price = 1_000n;
    await expect(exit(STOP, { replaces: [id] })).rejects.toMatchObject(
      refused({ kind: 'stop-fires', number: 1 }),
    );
  });

  it('share the whole among all take-profits', async () => {
    await exit(GAIN);
    await exit(GAIN);
    await expect(exit(GAIN)).rejects.toMatchObject(
      refused({ kind: 'legs-invalid', reason: 'shares-over-whole' }),
    );
  });

  it('are refused where nothing is held, and taken where only the node is behind', async () => {
    place.world.held = 0n;
    await expect(exit(STOP)).rejects.toMatchObject(refused({ kind: 'nothing-held' }));
    expect(await open()).toEqual([]);
    const bought: RecordedEvent = {
      walletId: place.wallet.id,
      mint: TOKEN,
      signature: 'bought',
      slot: 5n,
      at: 5,
      final: true,
      kind: 'buy',
      units: HELD,
      flowLamports: -1_000_000_000n,
      intentId: null,
      networkFeeLamports: 0n,
      platformFeeLamports: 0n,
      rentLamports: 0n,
    };
    await place.db.positions.record([bought]);
    expect((await exit(STOP)).status).toBe('OPEN');
  });
});

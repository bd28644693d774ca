import { describe, expect, it } from 'vitest';
import type { LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { reduce } from '../../../src/engine/intents/rules/machine.ts';
import type { Landing } from '../../../src/engine/intents/rules/transition.ts';
import { commitTransition } from '../../../src/engine/transactions/use/commit-transition.ts';
import { newGroup, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { buildAttempt, buildIntent, finalizedEvent, PARAMS } from '../../engine/intents/build.ts';
import { virtualDeps, virtualWorld } from '../../engine/transactions/virtual-world.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { STOP } from '../../support/order-acts.ts';
import { SALE } from '../../support/order-place.ts';
import { PASSED } from '../../support/passed.ts';

const MINT = PARAMS.sell.mint;
const GAIN: OrderDraft = { ...SALE, amount: { kind: 'share', bps: 5_000 } };

/** A wallet that bought 700 units, with the exits of its position, legs of a purchase, and legs that wait for another one. */
async function holder(known = 700n) {
  const db = fakeDatabase();
  const deps = virtualDeps(virtualWorld(), db);
  const { user, wallet } = await storedPerson(db);
  const place = { walletId: wallet.id, mint: MINT, at: 1, final: true } as const;
  const free = { intentId: null, networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
  const bought: RecordedEvent = {
    ...place,
    ...free,
    signature: 'bought',
    slot: 1n,
    kind: 'buy',
    units: known,
    flowLamports: -1_000n,
  };
  await db.positions.record([bought]);
  const groupOf = async (units: bigint | null, parentIntentId: string | null, status: 'OPEN' | 'WAITING') => {
    const group = newGroup(
      {
        userId: user.id,
        walletId: wallet.id,
        mint: MINT,
        placeKey: deps.ids.ulid(),
        kind: 'OCO',
        units,
        drafts: [STOP, GAIN],
        expiresAt: 10 ** 13,
        slippageBps: 100,
        tier: 'normal',
        accepted: [],
        supply: null,
        parentIntentId,
      },
      { id: () => deps.ids.ulid(), now: 1, depthLamports: null },
    );
    const orders = group.orders.map((order) => ({ ...order, status }));
    await db.orders.insert(PASSED, { ...group, orders });
    return async () =>
      (await db.orders.find(orders[0]?.id ?? ''))?.orders.map(
        (one) => one.status + (one.reason === null ? '' : ` ${one.reason}`),
      );
  };
  const exits = await groupOf(null, null, 'OPEN');
  const legs = await groupOf(700n, 'intent-of-before', 'OPEN');
  const waiting = await groupOf(0n, 'intent-to-come', 'WAITING');

  const sent = async (sold: bigint) => {
    const intent = buildIntent({
      params: PARAMS.sell,
      userId: user.id,
      walletId: wallet.id,
      status: 'ACTIVE',
    });
    const attempt = buildAttempt({ n: 1, terms: PARAMS.sell.terms, status: 'SEEN', sendCount: 1 });
    await db.intents.insert(intent);
    await db.intents.insertAttempt(attempt);
    const receipt: LandedReceipt = {
      signature: attempt.signature,
      slot: 9n,
      landedAt: 2,
      feeLamports: 5_000n,
      baseFeeLamports: 5_000n,
      priorityFeeLamports: 0n,
      walletLamportsDelta: 900n,
      tokenDeltas: [{ mint: MINT, delta: -sold }],
      rentLamports: 0n,
      platformFeeLamports: 0n,
    };
    const landing: Landing = { attemptId: attempt.id, slot: 9n, err: null, priceMoved: false, receipt };
    return { state: { intent, attempts: [attempt] }, landing };
  };
  const confirmed = async (sold: bigint) => {
    const { state, landing } = await sent(sold);
    const told = reduce(state, { kind: 'confirmed', ...landing }, 9);
    expect(await commitTransition(deps, told, null)).toBe(true);
  };
  const finalized = async (sold: bigint) => {
    const { state, landing } = await sent(sold);
    const ended = reduce(state, finalizedEvent(landing), 9);
    expect(await commitTransition(deps, ended, null)).toBe(true);
  };
  return { exits, legs, waiting, confirmed, finalized, userId: user.id };
}

const CLOSED = ['CANCELLED position-closed', 'CANCELLED position-closed'];
const OPEN = ['OPEN', 'OPEN'];

describe('the commit that leaves nothing of a position', () => {
  it.each(['confirmed', 'finalized'] as const)('ends its exits when the sale is %s', async (how) => {
    const world = await holder();
    await world[how](700n);
    expect([await world.exits(), await world.legs()]).toEqual([CLOSED, CLOSED]);
    // What waits for a purchase sells what that one brings.
    expect(await world.waiting()).toEqual(['WAITING', 'WAITING']);
  });

  it('leaves them where a unit is held', async () => {
    const world = await holder();
    await world.confirmed(699n);
    expect([await world.exits(), await world.legs()]).toEqual([OPEN, OPEN]);
  });

  it('leaves them where more was sold than is known: more may be held', async () => {
    const world = await holder(500n);
    await world.confirmed(700n);
    expect([await world.exits(), await world.legs()]).toEqual([OPEN, OPEN]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, AttemptStatus, LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { reduce } from '../../../src/engine/intents/rules/machine.ts';
import type { IntentState, Landing } from '../../../src/engine/intents/rules/transition.ts';
import { commitTransition } from '../../../src/engine/transactions/use/commit-transition.ts';
import { entryPrice } from '../../../src/modules/orders/use/entry-price.ts';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { foldPositions } from '../../../src/modules/positions/use/fold-positions.ts';
import { listPositions } from '../../../src/modules/positions/use/list-positions.ts';
import { saleResult } from '../../../src/modules/positions/use/sale-profit.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { buildAttempt, buildIntent, finalizedEvent, PARAMS } from '../../engine/intents/build.ts';
import { virtualDeps, virtualWorld } from '../../engine/transactions/virtual-world.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { pretendWallet } from './pretend-wallet.ts';

const MINT = PARAMS.buy.mint;

const receiptOf = (n: number): LandedReceipt => ({
  signature: `signature-${n}`,
  slot: BigInt(5 + n),
  landedAt: 1_700_000_000_000,
  feeLamports: 5_000n,
  baseFeeLamports: 5_000n,
  priorityFeeLamports: 0n,
  walletLamportsDelta: -500_000_000n,
  tokenDeltas: [{ mint: MINT, delta: 700n }],
  rentLamports: 2_039_280n,
  platformFeeLamports: 4_000_000n,
});

const landing = (n: number, receipt: LandedReceipt | null = receiptOf(n)): Landing => ({
  attemptId: `attempt-${n}`,
  slot: BigInt(5 + n),
  err: null,
  priceMoved: false,
  receipt,
});

describe('a trade that is confirmed and not final', () => {
  let db: Database;
  let deps: ReturnType<typeof virtualDeps>;
  beforeEach(() => {
    db = fakeDatabase();
    deps = virtualDeps(virtualWorld(), db);
  });

  async function sent() {
    const { user, wallet } = await storedPerson(db);
    const { params } = { params: PARAMS.buy };
    const intent = buildIntent({ params, userId: user.id, walletId: wallet.id, status: 'ACTIVE' });
    const attempt = buildAttempt({ n: 1, terms: params.terms, status: 'SEEN', sendCount: 1 });
    await db.intents.insert(intent);
    await db.intents.insertAttempt(attempt);
    return { user, wallet, state: { intent, attempts: [attempt] } };
  }

  async function confirm(state: IntentState, n = 1, receipt = receiptOf(n) as LandedReceipt | null) {
    const told = reduce(state, { kind: 'confirmed', ...landing(n, receipt) }, 9);
    expect(await commitTransition(deps, told, null)).toBe(true);
    return told.state;
  }

  const held = async (userId: string) => (await foldPositions(db, userId)).positions;

  it('counts in the commit that says so, and is the same once it is final', async () => {
    const { user, wallet, state } = await sent();
    const confirmed = await confirm(state);
    expect(await held(user.id)).toMatchObject([{ mint: MINT, units: 700n, cost: 497_960_720n, notFinal: 1 }]);
    // The record itself has nothing yet.
    expect(await db.positions.events([wallet.id])).toEqual([]);
    const asked = { userId: user.id, walletId: wallet.id, mint: MINT };
    expect(await entryPrice({ db }, asked)).toEqual({ got: 497_960_720n, given: 700n });
    const ended = reduce(confirmed, finalizedEvent(landing(1)), 9);
    expect(await commitTransition(deps, ended, null)).toBe(true);
    expect(await held(user.id)).toMatchObject([{ mint: MINT, units: 700n, cost: 497_960_720n, notFinal: 0 }]);
    expect(await db.positions.pending([wallet.id])).toEqual([]);
    expect(await entryPrice({ db }, asked)).toEqual({ got: 497_960_720n, given: 700n });
  });

  it('is in no position when the commit is cut', async () => {
    const { user, state } = await sent();
    const told = reduce(state, { kind: 'confirmed', ...landing(1) }, 9);
    const cut = () => Promise.reject(new Error('cut'));
    await expect(commitTransition(deps, told, null, { beside: cut })).rejects.toThrow('cut');
    expect(await held(user.id)).toEqual([]);
  });

  const END: readonly AttemptStatus[] = ['DEAD', 'LANDED_ERR', 'UNKNOWN', 'FINALIZED'];
  it.each(END)('counts no more once its attempt is %s', async (status) => {
    const { user, wallet, state } = await sent();
    const confirmed = await confirm(state);
    const patch = { status };
    const writes = [{ kind: 'update-attempt', id: 'attempt-1', expect: ['CONFIRMED'], patch } as const];
    expect(await commitTransition(deps, { state: confirmed, writes, effects: [] }, null)).toBe(true);
    expect(await db.positions.pending([wallet.id])).toEqual([]);
    expect(await held(user.id)).toEqual([]);
  });

  it('counts once where another attempt follows one that a fork took back', async () => {
    const { user, state } = await sent();
    const { intent, attempts } = await confirm(state);
    const dead = attempts.map((one): Attempt => ({ ...one, status: 'DEAD' }));
    const writes = [
      { kind: 'update-attempt', id: 'attempt-1', expect: ['CONFIRMED'], patch: { status: 'DEAD' } } as const,
    ];
    await commitTransition(deps, { state: { intent, attempts: dead }, writes, effects: [] }, null);
    const second = buildAttempt({ n: 2, terms: PARAMS.buy.terms, status: 'SEEN', sendCount: 1 });
    await db.intents.insertAttempt(second);
    await confirm({ intent, attempts: [...dead, second] }, 2);
    expect(await held(user.id)).toMatchObject([{ units: 700n, notFinal: 1 }]);
  });

  it('is on the list with what is final, and is named as on its way where it has no receipt', async () => {
    const { user, wallet, state } = await sent();
    const world = {
      db,
      clock: deps.clock,
      solPrice: async () => null,
      chain: {
        token: async () => null,
        holdings: async () => [],
        accounts: async () => ({ slot: 1n, accounts: [] }),
      },
      saleNow: async () => ({ netLamports: 500_000_000n, midLamports: null }),
    };
    const list = () => listPositions(world, { userId: user.id, wallet, tier: 'normal' });
    expect(await list()).toMatchObject({ shown: [], underWay: 1, notFinal: 0 });
    await confirm(state, 1, null);
    expect(await list()).toMatchObject({ shown: [], underWay: 1, notFinal: 0 });
    const other = buildIntent({ ...state.intent, id: 'other', idemKey: 'other', receipt: 'R-OTHER' });
    const attempt = buildAttempt({ n: 2, intentId: 'other', status: 'SEEN', sendCount: 1 });
    await db.intents.insert(other);
    await db.intents.insertAttempt(attempt);
    await confirm({ intent: other, attempts: [attempt] }, 2);
    expect(await list()).toMatchObject({
      shown: [{ position: { units: 700n, notFinal: 1 }, unrealized: 2_039_280n }],
      underWay: 1,
      notFinal: 1,
    });
  });

  it('gives a sale its profit before the purchase is final', async () => {
    const { user, wallet, state } = await sent();
    await confirm(state);
    const intent = buildIntent({ params: PARAMS.sell, userId: user.id, walletId: wallet.id });
    const receipt = {
      ...receiptOf(9),
      walletLamportsDelta: 600_000_000n,
      rentLamports: 0n,
      tokenDeltas: [{ mint: MINT, delta: -700n }],
    };
    expect((await saleResult(db, intent, receipt)).profit).toEqual({
      lamports: 102_039_280n,
      costLamports: 497_960_720n,
      counted: 'all',
    });
  });
});

describe('a look at the chain while a trade is not final', () => {
  async function tradedWallet() {
    const world = await pretendWallet();
    const intent = buildIntent({
      params: PARAMS.buy,
      userId: world.wallet.userId,
      walletId: world.wallet.id,
    });
    await world.db.intents.insert(intent);
    await world.db.intents.insertAttempt(buildAttempt({ n: 1, intentId: intent.id, status: 'CONFIRMED' }));
    const pending = (slot: bigint, units: bigint): RecordedEvent => ({
      ...world.bought(slot, units),
      final: false,
      intentId: intent.id,
    });
    return { ...world, pending };
  }

  it('finds no difference, and records none', async () => {
    const world = await tradedWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    await world.db.positions.addPending('attempt-1', [world.pending(90n, 30n)]);
    world.holds(130n);
    expect((await world.lookForAMinute()).adjusted).toEqual([]);
    expect(await world.position()).toMatchObject({ units: 130n, adjustedUnits: 0n, odd: null });
  });

  it('leaves another difference of that token until it is final, so that its event takes nothing back', async () => {
    const world = await tradedWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    await world.db.positions.addPending('attempt-1', [world.pending(90n, 30n)]);
    world.holds(135n);
    expect((await world.lookForAMinute()).adjusted).toEqual([]);
    await world.db.positions.dropPending('attempt-1');
    await world.db.positions.record([world.bought(90n, 30n)]);
    expect((await world.look()).adjusted).toEqual([world.mint]);
    expect(await world.position()).toMatchObject({ units: 135n, adjustedUnits: 5n });
  });

  it('counts a trade once that a difference of before its commit already holds', async () => {
    const world = await tradedWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    world.holds(130n);
    expect((await world.lookForAMinute()).adjusted).toEqual([world.mint]);
    await world.db.positions.addPending('attempt-1', [world.pending(90n, 30n)]);
    expect(await world.position()).toMatchObject({ units: 130n, adjustedUnits: 0n, notFinal: 1 });
  });
});

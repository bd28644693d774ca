import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { changeOrder, pauseOrder } from '../../../src/modules/orders/use/change-order.ts';
import { type DraftGroup, newGroup, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import type { FireMarket, FireQuote } from '../../../src/modules/orders/use/fire-market.ts';
import { fireOrder } from '../../../src/modules/orders/use/fire-order.ts';
import type { FireDeps } from '../../../src/modules/orders/use/order-deps.ts';
import type { SafetyWarning } from '../../../src/modules/tokens/rules/safety.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';
import { addPerson } from '../../support/simulator/people.ts';
import { TOKEN } from '../trading/build-pool.ts';

const SOL = 1_000_000_000n;
const NOW = 1_700_000_000_000;
const SUPPLY = 1_000_000n;

const BUY: OrderDraft = {
  side: 'buy',
  type: 'LIMIT',
  amount: { kind: 'fixed', units: SOL },
  unit: 'SOL',
  trigger: { got: 1n, given: 1n },
  request: '1M',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
};

/** A limit buy whose price is there, on a market that the test changes. `reached`: a fire would have been written. */
async function waiting(more: Partial<DraftGroup> = {}, depthLamports: bigint | null = null) {
  const db = fakeDatabase({ trusting: true });
  const userId = await addPerson(db, { index: 1, inviterId: null });
  const [wallet] = await db.wallets.listByUser(userId);
  let ids = 0;
  const id = (): string => {
    ids += 1;
    return `id-${ids}`;
  };
  const group = newGroup(
    {
      userId,
      walletId: wallet?.id ?? '',
      mint: TOKEN,
      placeKey: id(),
      kind: 'SINGLE',
      units: SOL,
      drafts: [BUY],
      expiresAt: NOW + 86_400_000,
      slippageBps: 100,
      tier: 'normal',
      accepted: ['MINT_AUTHORITY_LIVE'],
      supply: null,
      parentIntentId: null,
      ...more,
    },
    { id, now: NOW, depthLamports },
  );
  await db.orders.insert(PASSED, group);
  const orderId = group.orders[0]?.id ?? '';
  const market = { supply: SUPPLY, depth: 100n * SOL, warnings: [] as readonly SafetyWarning[] };
  const asked: bigint[] = [];
  const quote = async (_order: unknown, _wallet: unknown, units: bigint): Promise<FireQuote> => {
    asked.push(units);
    return {
      terms: {
        amountIn: SOL,
        quotedOut: 2n * SOL,
        minOut: SOL,
        platformFeeLamports: 0n,
        priceImpactBps: 0,
        slippageBps: 100,
        route: [],
      },
      safety: { level: 'OK', warnings: market.warnings },
    };
  };
  const fireMarket: FireMarket = {
    sellable: async () => ({ units: 0n, elsewhere: 0n }),
    quote,
    parts: async () => () => null,
    supply: async () => market.supply,
    depth: async () => market.depth,
  };
  const deps = {
    db,
    clock: { now: () => NOW },
    ids: { ulid: id },
    market: fireMarket,
    solPrice: async () => null,
    doubtToken: async () => [],
    usualPrice: async () => null,
    autoSpendCapLamports: 10n * SOL,
    ordersChanged: () => undefined,
    // The first thing that a fire asks for: nothing was against it.
    vault: {
      confirmFire: async () => {
        throw new AppError('ACCOUNT_FROZEN', { until: NOW });
      },
    },
  } as unknown as FireDeps;
  const fire = (seen: { readonly version?: number } = {}) => fireOrder(deps, { orderId, slot: 5n, ...seen });
  const resume = () =>
    changeOrder(
      deps as unknown as Parameters<typeof changeOrder>[0],
      { userId, orderId },
      () => ({ kind: 'resumed', orderId, at: NOW }),
      async () => PASSED,
    );
  const pause = () => pauseOrder(deps as unknown as Parameters<typeof pauseOrder>[0], { userId, orderId });
  const order = async () => (await db.orders.find(orderId))?.orders[0];
  return { market, asked, fire, pause, resume, order, db, orderId };
}

/** What a fire answers that nothing was against, on this desk. */
const REACHED = { kind: 'held-back', code: 'stopped' };

describe('an order that was changed after its price was seen', () => {
  it('does not fire for what it was', async () => {
    const { fire, order, resume, pause } = await waiting();
    const seen = (await order())?.version ?? 0;
    await pause();
    await resume();
    expect(await fire({ version: seen })).toEqual({ kind: 'gone' });
    expect(await fire({ version: (await order())?.version ?? 0 })).toEqual(REACHED);
  });
});

describe('a purchase whose token is not what it was', () => {
  it('pauses for a warning that nobody accepted, names it, and buys once its person resumes it', async () => {
    const { market, fire, resume, order } = await waiting();
    market.warnings = [
      { code: 'MINT_AUTHORITY_LIVE', severity: 'CAREFUL' },
      { code: 'INTEREST_BEARING', severity: 'NOTE' },
    ];
    expect(await fire()).toEqual(REACHED);
    market.warnings = [...market.warnings, { code: 'FREEZE_AUTHORITY_LIVE', severity: 'CAREFUL' }];
    expect(await fire()).toEqual({ kind: 'paused', reason: 'safety' });
    expect(await order()).toMatchObject({
      status: 'PAUSED',
      reason: 'safety',
      progress: { doubts: ['FREEZE_AUTHORITY_LIVE'] },
    });
    await resume();
    expect((await order())?.terms.accepted).toEqual(['MINT_AUTHORITY_LIVE', 'FREEZE_AUTHORITY_LIVE']);
    expect((await order())?.progress.doubts).toBeUndefined();
    expect(await fire()).toEqual(REACHED);
    market.warnings = [{ code: 'CANNOT_SELL', severity: 'BLOCK' }];
    expect(await fire()).toEqual({ kind: 'paused', reason: 'safety' });
  });

  it('pauses where more than half of the liquidity is gone, and not again for it', async () => {
    const { market, fire, resume, order } = await waiting({}, 100n * SOL);
    market.depth = 50n * SOL;
    expect(await fire()).toEqual(REACHED);
    market.depth = 50n * SOL - 1n;
    expect(await fire()).toEqual({ kind: 'paused', reason: 'liquidity' });
    await resume();
    expect((await order())?.status).toBe('OPEN');
    expect(await fire()).toEqual(REACHED);
  });

  it.each([SUPPLY + SUPPLY / 20n + 1n, SUPPLY - SUPPLY / 20n - 1n])(
    'pauses where it was said as a cap and the supply is %s now, a twentieth off and more',
    async (supply) => {
      const { market, fire, resume } = await waiting({ supply: SUPPLY });
      market.supply = SUPPLY + SUPPLY / 20n;
      expect(await fire()).toEqual(REACHED);
      market.supply = supply;
      expect(await fire()).toEqual({ kind: 'paused', reason: 'supply' });
      await resume();
      expect(await fire()).toEqual(REACHED);
    },
  );

  it('asks nothing of the supply where its price was no cap', async () => {
    const { market, fire } = await waiting();
    market.supply = 1n;
    expect(await fire()).toEqual(REACHED);
  });
});

describe('an order whose time is over', () => {
  it('buys nothing any more, though nobody has written yet that it expired', async () => {
    const last = await waiting({ expiresAt: NOW + 1 });
    expect(await last.fire()).toEqual(REACHED);
    for (const expiresAt of [NOW, NOW - 1_000]) {
      const { fire } = await waiting({ expiresAt });
      expect(await fire()).toEqual({ kind: 'gone' });
    }
  });
});

describe('rounds whose total was changed', () => {
  /** What the rounds that are left ask for, one after the other; each is carried out. */
  const rounds = async (total: bigint, done: number, filled: bigint): Promise<readonly bigint[]> => {
    const band = { least: null, most: null };
    const draft: OrderDraft = {
      ...BUY,
      type: 'DCA',
      trigger: null,
      amount: { kind: 'fixed', units: total },
      schedule: { intervalMs: 60_000, rounds: 10, band },
    };
    const { asked, fire, order, db, orderId } = await waiting({ units: total, drafts: [draft] });
    for (let [n, given] = [done, filled]; n < 10; n += 1) {
      const [group, now] = [await db.orders.find(orderId), await order()];
      if (group === null || now === undefined) throw new Error('no order');
      const write = { orderId, expectVersion: now.version, expectStatus: now.status };
      const schedule = { slot: 0, done: n, missed: 0 };
      const progress = { ...now.progress, schedule };
      const next = { ...now, version: now.version + 1, filled: given, progress };
      await db.orders.write(PASSED, { ...group, sold: given }, [{ ...write, order: next }]);
      await fire();
      given += asked.at(-1) ?? 0n;
    }
    return asked;
  };

  it('share evenly what is left, all of it and no more', async () => {
    const tenth = SOL / 10n;
    expect(await rounds(SOL, 6, 6n * tenth)).toEqual([tenth, tenth, tenth, tenth]);
    expect(await rounds(2n * SOL, 6, 6n * tenth)).toEqual(
      Array.from({ length: 4 }, () => 35n * (SOL / 100n)),
    );
    const less = await rounds(6n * tenth + 41n, 6, 6n * tenth);
    expect(less).toEqual([10n, 10n, 10n, 11n]);
  });
});

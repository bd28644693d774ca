import { describe, expect, it } from 'vitest';
import { hasCode } from '../../src/core/errors/app-error.ts';
import { tradeOf } from '../../src/engine/intents/kinds/rules.ts';
import { FAIR_RETURN_BPS, type PinReason, spotOutOf } from '../../src/modules/guard/rules/judge-trade.ts';
import { ANY_PRICE } from '../../src/modules/orders/rules/fire-terms.ts';
import type { Order, OrderGroup } from '../../src/modules/orders/rules/order.ts';
import { leastGot } from '../../src/modules/orders/rules/rate.ts';
import type { OrderDraft } from '../../src/modules/orders/use/draft.ts';
import { placeOrders } from '../../src/modules/orders/use/place-orders.ts';
import type { PriorityTier } from '../../src/modules/settings/rules/settings.ts';
import { HELD, HOUR, type OrderPlace, orderPlace, PURCHASE, SALE, SOL } from '../support/order-place.ts';

/** Everything of the settings that an order takes along, and what its form lets a person choose. */
const SLIPPAGES = [0, 50, 500, 1_500, 1_501, 5_000, 10_000] as const;
const TOLERANCES = [0, 1_000, 1_500, 1_600, 5_000] as const;
const TIERS: readonly PriorityTier[] = ['economy', 'normal', 'turbo'];
/** Thousandths of the price of placing. */
const PRICES = [100n, 500n, 790n, 849n, 1_000n, 1_190n, 1_250n, 2_000n, 4_000n] as const;

const ROUNDS = { intervalMs: 60_000, rounds: 2, band: { least: null, most: null } };
const sale = (more: Partial<OrderDraft>): OrderDraft => ({ ...SALE, ...more });
const stop = { type: 'STOP_LOSS', trigger: { got: 8n, given: 10n }, request: '-20%' } as const;
const trail = { type: 'TRAILING_STOP', trigger: null, trailing: { bps: 1_000, activation: null } } as const;
const rounds = { type: 'DCA', trigger: null, amount: { kind: 'fixed', units: HELD } } as const;

/** Each kind and side. A sale says what its fires may bring at least, of what it is placed at, in thousandths: its own words. */
const KINDS: Readonly<Record<string, OrderDraft>> = {
  'limit buy': { ...PURCHASE, trigger: { got: 12n, given: 10n } },
  'limit sale': sale({ type: 'LIMIT' }),
  'take-profit': sale({}),
  'stop, usual floor': sale(stop),
  'stop, floor of 90 %': sale({
    ...stop,
    trigger: { got: 95n, given: 100n },
    floor: { got: 9n, given: 10n },
  }),
  'stop, any price': sale({ ...stop, floor: 'any' }),
  'stop that sells at its end': sale({ ...stop, sellsOnExpiry: true }),
  'trailing stop': sale(trail),
  'trailing stop, any price': sale({ ...trail, floor: 'any' }),
  breakout: { ...PURCHASE, type: 'STOP_BUY', trigger: { got: 8n, given: 10n } },
  'rounds that buy': { ...PURCHASE, type: 'DCA', trigger: null, schedule: ROUNDS },
  'rounds that sell': sale({ ...rounds, schedule: ROUNDS }),
  'rounds that sell in a band': sale({
    ...rounds,
    schedule: { ...ROUNDS, band: { least: { got: 9n, given: 10n }, most: null } },
  }),
};

type Setting = { readonly slippageBps: number; readonly toleranceBps: number; readonly tier: PriorityTier };

const SETTINGS: readonly Setting[] = [
  ...SLIPPAGES.map((slippageBps) => ({ slippageBps, toleranceBps: 0, tier: 'normal' as const })),
  ...TOLERANCES.map((toleranceBps) => ({ slippageBps: 500, toleranceBps, tier: 'normal' as const })),
  ...TIERS.map((tier) => ({ slippageBps: 500, toleranceBps: 0, tier })),
];

/** What placing answers: the reasons for the PIN, or the placed group. */
async function placed(
  { deps, draft }: OrderPlace,
  one: OrderDraft,
  { slippageBps, toleranceBps, tier }: Setting,
): Promise<readonly PinReason[] | OrderGroup> {
  const draftOne = one.type === 'LIMIT' || one.type === 'STOP_BUY' ? { ...one, toleranceBps } : one;
  try {
    return await placeOrders(deps, draft(draftOne, { slippageBps, tier }));
  } catch (error) {
    if (hasCode(error, 'TRADE_PIN')) return error.details.reasons;
    throw error;
  }
}

type Fired = { readonly minOut: bigint; readonly spotOut: bigint; readonly units: bigint };

/** What a fire at a price signs; null where it does not fire. */
async function firedAt(place: OrderPlace, orderId: string, price: bigint): Promise<Fired | null> {
  const { world, db, fire, order } = place;
  world.price = price;
  // It fell from the highest price that it may have seen.
  const high = { got: price > 1_000n ? price * 2n : 2_000n, given: 1_000n };
  const outcome = await fire(orderId, (await order(orderId)).terms.trailing === null ? null : high);
  if (outcome.kind !== 'fired') return null;
  const intent = await db.intents.find(outcome.intentId);
  const trade = intent === null ? null : tradeOf(intent.params);
  if (trade === null) throw new Error('a fire is a trade');
  const { terms } = trade;
  return { minOut: terms.minOut, spotOut: spotOutOf(terms), units: terms.amountIn };
}

const isFair = (minOut: bigint, of: bigint): boolean => minOut * 10_000n >= of * BigInt(FAIR_RETURN_BPS);

/** By its own words: what it may bring at least, at any price. Lamports, or units of a purchase. */
function leastOf({ type, side, trigger, terms }: Order, units: bigint): bigint {
  if (type === 'TRAILING_STOP') return 0n;
  if (type === 'DCA')
    return terms.schedule?.band.least == null ? 0n : leastGot(terms.schedule.band.least, units);
  if (type === 'STOP_LOSS') return leastGot(terms.floor ?? ANY_PRICE, units);
  if (trigger === null) return 0n;
  const tolerance = BigInt(terms.toleranceBps);
  return type === 'STOP_BUY' && side === 'buy'
    ? (units * trigger.got * 10_000n) / (trigger.given * (10_000n + tolerance))
    : (units * trigger.got * (10_000n - tolerance)) / (trigger.given * 10_000n);
}

const SPOT_AT_PLACING = SOL;

describe.each(Object.entries(KINDS))('%s', (name, one) => {
  it('placed without a PIN sells for 85 % of the price of its fire at the least, whatever the settings', async () => {
    for (const setting of SETTINGS) {
      for (const price of PRICES) {
        const place = await orderPlace();
        const answer = await placed(place, one, setting);
        if (!('orders' in answer)) {
          // Only what a setting makes steep: by its own price, or by what it may bring then.
          expect({ name, setting, answer }).toEqual({ name, setting, answer: ['steep'] });
          break;
        }
        const [order] = answer.orders;
        if (order === undefined) throw new Error('placed');
        const fired = await firedAt(place, order.id, price);
        if (fired === null) continue;
        const { minOut, spotOut, units } = fired;
        expect({ name, setting, price, isKept: minOut >= leastOf(order, units) }).toMatchObject({
          isKept: true,
        });
        if (order.side === 'sell')
          expect({ name, setting, price, fair: isFair(minOut, spotOut) }).toMatchObject({ fair: true });
      }
    }
  });

  it('placed beside a PIN that was not asked for brings 85 % of the price of placing at the least', async () => {
    if (one.side === 'buy') return;
    for (const setting of SETTINGS) {
      for (const price of PRICES) {
        const place = await orderPlace();
        await place.hasPin();
        const answer = await placed(place, one, setting);
        if (!('orders' in answer)) break;
        const fired = await firedAt(place, answer.orders[0]?.id ?? '', price);
        if (fired === null) continue;
        const usual = (SPOT_AT_PLACING * fired.units) / HELD;
        expect({ name, setting, price, fair: isFair(fired.minOut + 1n, usual) }).toMatchObject({
          fair: true,
        });
      }
    }
  });

  it('fires by what was confirmed, however the settings are turned afterwards', async () => {
    for (const price of PRICES) {
      const minimums = new Set<bigint | null>();
      for (const turned of [false, true]) {
        const place = await orderPlace();
        await place.unlock();
        const answer = await placed(place, one, { slippageBps: 300, toleranceBps: 100, tier: 'normal' });
        if (!('orders' in answer)) throw new Error('trades are unlocked');
        const user = await place.db.users.find(place.userId);
        if (turned && user !== null) {
          const settings = { ...user.settings, slippageBuyBps: 10_000, slippageSellBps: 10_000 };
          await place.db.users.update(user.id, { settings: settings as typeof user.settings });
        }
        minimums.add((await firedAt(place, answer.orders[0]?.id ?? '', price))?.minOut ?? null);
      }
      expect({ name, price, answers: minimums.size }).toEqual({ name, price, answers: 1 });
    }
  });
});

describe('what a placing asks', () => {
  const asked = async (
    one: OrderDraft,
    setting: Partial<Setting> = {},
    prepare?: (place: OrderPlace) => unknown,
  ) => {
    const place = await orderPlace();
    await prepare?.(place);
    const answer = await placed(place, one, {
      slippageBps: 500,
      toleranceBps: 0,
      tier: 'normal',
      ...setting,
    });
    return 'orders' in answer ? [] : answer;
  };
  const withPin = (place: OrderPlace) => place.hasPin();

  it('is the PIN for rounds that would be signed below 85 % of their price', async () => {
    const one = KINDS['rounds that sell'] ?? SALE;
    expect(await asked(one, { slippageBps: 1_500 })).toEqual([]);
    expect(await asked(one, { slippageBps: 1_501 })).toEqual(['steep']);
    expect(await asked(one, { slippageBps: 10_000 })).toEqual(['steep']);
  });

  it('is the PIN for a limit whose tolerance gives away more than 15 % of it', async () => {
    const one = KINDS['limit sale'] ?? SALE;
    expect(await asked(one, { toleranceBps: 1_500 })).toEqual([]);
    expect(await asked(one, { toleranceBps: 1_501 })).toEqual(['steep']);
    // However far above the price of now that limit lies.
    expect(await asked({ ...one, trigger: { got: 10n, given: 1n } }, { toleranceBps: 1_501 })).toEqual([
      'steep',
    ]);
  });

  it('is the PIN, where there is one, for a stop that may sell below 85 % of the price of now', async () => {
    const at = (got: bigint): OrderDraft =>
      sale({ ...stop, trigger: { got: 95n, given: 100n }, floor: { got, given: 1_000n } });
    expect(await asked(at(851n), {}, withPin)).toEqual([]);
    expect(await asked(at(840n), {}, withPin)).toEqual(['fallen']);
    expect(await asked(at(840n))).toEqual([]);
    for (const name of ['stop, any price', 'trailing stop', 'rounds that sell'] as const) {
      expect(await asked(KINDS[name] ?? SALE)).toEqual([]);
      expect(await asked(KINDS[name] ?? SALE, {}, withPin)).toEqual(['fallen']);
    }
    expect(await asked(KINDS['rounds that sell in a band'] ?? SALE, {}, withPin)).toEqual([]);
  });

  it('is the PIN, where there is one, for a sale below the last hour though not below now', async () => {
    const usual = async (place: OrderPlace) => {
      await place.hasPin();
      place.world.usual = { got: 2n, given: 1n };
    };
    expect(await asked(KINDS['take-profit'] ?? SALE, {}, usual)).toEqual(['fallen']);
  });

  it('is the PIN for any stop whose size alone costs more than 15 %', async () => {
    const small = (place: OrderPlace) => {
      place.world.reserve = 4n * SOL;
    };
    expect(await asked(sale({ ...stop, trigger: { got: 7n, given: 10n } }), {}, small)).toEqual(['steep']);
  });

  it('is the same of sales that wait for a purchase, by the price of that', async () => {
    const place = await orderPlace();
    await place.hasPin();
    const legs = (one: OrderDraft) => ({ drafts: [one], expiresAt: place.clock.now() + HOUR });
    const entry = { ...PURCHASE, trigger: { got: 12n, given: 10n } };
    const leg = (got: bigint): OrderDraft =>
      sale({ ...stop, trigger: { got: 75n, given: 100n }, floor: { got, given: 1_000n } });
    // Bought at five sixths: 85 % of that is 708.
    const put = (got: bigint) => placeOrders(place.deps, place.draft(entry, { legs: legs(leg(got)) }));
    await expect(put(700n)).rejects.toMatchObject({ code: 'TRADE_PIN', details: { reasons: ['fallen'] } });
    await expect(put(710n)).resolves.toMatchObject({ kind: 'SINGLE' });
  });
});

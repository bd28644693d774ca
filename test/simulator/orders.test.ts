import { describe, expect, it, vi } from 'vitest';
import * as moves from '../../src/modules/orders/rules/creator-moves.ts';
import * as triggers from '../../src/modules/orders/rules/event-trigger.ts';
import * as machine from '../../src/modules/orders/rules/machine.ts';
import type { Order } from '../../src/modules/orders/rules/order.ts';
import * as terms from '../../src/modules/orders/use/fire-terms-now.ts';
import * as events from '../../src/modules/orders/use/order-events.ts';
import { ORDER_KINDS, type SimOrderKind } from '../support/simulator/orders/order-people.ts';
import { simulate } from '../support/simulator/simulate.ts';

const run = (seed: number, kind: SimOrderKind) =>
  simulate({ seed, mode: seed % 2 === 0 ? 'liveness' : 'safety', kinds: [], orders: [kind] });

/** `npm run sim` plays orders of all kinds beside everything else; here each kind is alone. */
describe('orders in the simulator', () => {
  it.each(ORDER_KINDS)(
    '%s: keeps every promise in a hundred storms, and is done when they are over',
    async (kind) => {
      let fired = 0;
      for (let seed = 1; seed <= 100; seed += 1) {
        const { violations, intents } = await run(seed, kind);
        expect(violations, `seed ${seed}`).toEqual([]);
        fired += intents.filter(({ status }) => status === 'SUCCEEDED').length;
      }
      // The runs meant something: half of them must end in a trade, if nobody froze it.
      expect(fired).toBeGreaterThan(30);
    },
    120_000,
  );

  it('finds a fire that gives its limit up, and one that asks for nothing at all', async () => {
    const real = terms.fireTerms;
    const spy = vi.spyOn(terms, 'fireTerms').mockImplementation((order: Order, look) => {
      const found = real(order, look);
      return found.kind === 'fire' ? { ...found, minOut: 1n } : found;
    });
    const found: string[] = [];
    for (let seed = 1; seed <= 40; seed += 1) found.push(...(await run(seed, 'order-limit')).violations);
    spy.mockRestore();
    expect(found).toContainEqual(expect.stringMatching(/outside of its limit/));
  });
});

/** Each breaks one promise of an exit that waits for an event. */
const PLANTED: readonly {
  readonly fault: string;
  readonly kind: SimOrderKind;
  readonly words: RegExp;
  readonly plant: () => { mockRestore(): void };
}[] = [
  {
    fault: 'sells as soon as the creator has sold anything at all',
    kind: 'order-dev',
    words: /DEV_SELLS .* fired without its event/,
    plant: () => vi.spyOn(triggers, 'isDevSale').mockImplementation((_, sold) => sold > 0n),
  },
  {
    fault: 'counts the purchases of the creator as sales',
    kind: 'order-dev',
    words: /DEV_SELLS .* fired without its event/,
    plant: () => {
      const real = triggers.devSold;
      return vi.spyOn(triggers, 'devSold').mockImplementation((event, mint, markets, trades) =>
        real(
          event,
          mint,
          markets,
          trades.flatMap((one) => [one, { ...one, side: other(one.side) }]),
        ),
      );
    },
  },
  {
    fault: 'takes any seller for the creator, and asks the tape no second time',
    kind: 'order-dev',
    words: /DEV_SELLS .* fired without its event/,
    plant: () => {
      const real = events.createOrderEvents;
      return vi.spyOn(events, 'createOrderEvents').mockImplementation((deps) => ({
        ...real(deps),
        measure: async () => ({ isThere: true, seen: 0n }),
        devSales: async (_mint, orders) => orders.map((order) => ({ order, slot: 10n ** 9n })),
      }));
    },
  },
  {
    fault: 'counts all that a wallet sells which got anything of the creator',
    kind: 'order-dev',
    words: /DEV_SELLS .* fired without its event/,
    plant: () => {
      const real = moves.recipientsAfter;
      return vi
        .spyOn(moves, 'recipientsAfter')
        .mockImplementation((...asked) => real(...asked).map((one) => ({ ...one, units: 10n ** 18n })));
    },
  },
  {
    fault: 'does not see what the creator gives away',
    kind: 'order-dev',
    words: /DEV_SELLS .* is OPEN/,
    plant: () => vi.spyOn(moves, 'creatorMoves').mockReturnValue([]),
  },
  {
    fault: 'sells at half of the agreed fall',
    kind: 'order-liquidity',
    words: /LIQUIDITY_FALLS .* fired without its event/,
    plant: () => {
      const { isLiquidityFall, leastLiquidity } = triggers;
      const half = <E extends { readonly fallBps: number }>(event: E): E => ({
        ...event,
        fallBps: event.fallBps / 2,
      });
      return both(
        vi
          .spyOn(triggers, 'isLiquidityFall')
          .mockImplementation((event, now) => isLiquidityFall(half(event), now)),
        vi.spyOn(triggers, 'leastLiquidity').mockImplementation((event) => leastLiquidity(half(event))),
      );
    },
  },
  {
    fault: 'gives its floor up',
    kind: 'order-liquidity',
    words: /LIQUIDITY_FALLS .* outside of its limit or floor/,
    plant: () => {
      const real = terms.fireTerms;
      return vi.spyOn(terms, 'fireTerms').mockImplementation((order: Order, look) => {
        const found = real(order, look);
        return found.kind === 'fire' ? { ...found, minOut: 1n } : found;
      });
    },
  },
  {
    fault: 'stays open when another leg has sold everything',
    kind: 'order-dev',
    words: /has sold everything, and an order of it is open/,
    plant: () => {
      const real = machine.reduceOrders;
      return vi.spyOn(machine, 'reduceOrders').mockImplementation((group, event) => {
        const found = real(group, event);
        if (event.kind !== 'settled') return found;
        return { ...found, writes: found.writes.filter(({ order }) => order.reason !== 'oco') };
      });
    },
  },
];

describe('an exit by an event', () => {
  it.each(PLANTED)(
    'is found where it $fault',
    async ({ kind, words, plant }) => {
      const planted = plant();
      const found: string[] = [];
      for (let seed = 1; seed <= 200 && !found.some((text) => words.test(text)); seed += 1)
        found.push(...(await run(seed, kind)).violations);
      planted.mockRestore();
      expect(found).toContainEqual(expect.stringMatching(words));
    },
    300_000,
  );
});

function other(side: 'buy' | 'sell'): 'buy' | 'sell' {
  return side === 'buy' ? 'sell' : 'buy';
}

function both(first: { mockRestore(): void }, second: { mockRestore(): void }): { mockRestore(): void } {
  return {
    mockRestore: () => {
      first.mockRestore();
      second.mockRestore();
    },
  };
}

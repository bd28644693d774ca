import { describe, expect, it, vi } from 'vitest';
import type { Order } from '../../src/modules/orders/rules/order.ts';
import * as terms from '../../src/modules/orders/use/fire-terms-now.ts';
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

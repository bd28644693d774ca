import { expect, it } from 'vitest';
import { rateIn } from '../../../src/modules/orders/rules/trigger.ts';
import { solUsdNow, TRIGGER_PRICE_MS } from '../../../src/modules/orders/use/order-deps.ts';

const NOW = 1_700_000_000_000;

it('the price of SOL that a trigger in dollars is compared with is as old as it may be', async () => {
  const solUsd = await solUsdNow({ solPrice: async () => 150_000_000n, clock: { now: () => NOW } });
  const inDollars = (now: number) => rateIn('USD', 'sell', { got: 1n, given: 1n }, solUsd, now);
  // Half a minute after the oldest look that it may rest on, not after it was asked for.
  expect(inDollars(NOW + 30_000 - TRIGGER_PRICE_MS)).not.toBeNull();
  expect(inDollars(NOW + 30_001 - TRIGGER_PRICE_MS)).toBeNull();
});

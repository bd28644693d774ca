import type { OrderSide } from '../../../src/modules/orders/rules/order.ts';
import { type Rate, scaleRate } from '../../../src/modules/orders/rules/rate.ts';
import type { OrderDraft } from '../../../src/modules/orders/use/draft.ts';

/** A thousandth of the pools that the shipped paths begin with. */
export const BUY_LAMPORTS = 1_000_000_000n;
export const SELL_UNITS = 1_000_000_000n;

const MINUTE_MS = 60_000;

const PLAIN = {
  unit: 'SOL',
  request: '',
  floor: 'default',
  trailing: null,
  trigger: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
} as const satisfies Partial<OrderDraft>;
const BUY = { ...PLAIN, side: 'buy', amount: { kind: 'fixed', units: BUY_LAMPORTS } } as const;
const SELL = { ...PLAIN, side: 'sell', amount: { kind: 'fixed', units: SELL_UNITS } } as const;

/** What stands when a path begins: prices are of the first slot, for the order's own size, fees in. */
export function standingOrders(
  rateOf: (side: OrderSide, amount: bigint) => Rate,
): Readonly<Record<string, OrderDraft>> {
  const bought = rateOf('buy', BUY_LAMPORTS);
  const sold = rateOf('sell', SELL_UNITS);
  const stop = { ...SELL, type: 'STOP_LOSS', trigger: scaleRate(sold, 80n, 100n) } as const;
  return {
    'limit buy -10%': { ...BUY, type: 'LIMIT', trigger: scaleRate(bought, 100n, 90n) },
    'take-profit +25%': { ...SELL, type: 'TAKE_PROFIT', trigger: scaleRate(sold, 125n, 100n) },
    'stop -20%': stop,
    'fast stop -20%': { ...stop, hold: 'fast' },
    'trailing stop 15%': { ...SELL, type: 'TRAILING_STOP', trailing: { bps: 1_500, activation: null } },
    'stop buy +10%': { ...BUY, type: 'STOP_BUY', trigger: scaleRate(bought, 100n, 110n) },
    rounds: {
      ...BUY,
      type: 'DCA',
      schedule: { intervalMs: MINUTE_MS, rounds: 3, band: { least: null, most: null } },
    },
  };
}

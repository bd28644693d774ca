import type { Pool } from '@tradepost/venues';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { SolPrice } from '../../market/use/sol-price.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { PRICE_SCALE } from '../../trading/rules/price.ts';
import { bestPrice } from '../../trading/use/trade-card.ts';
import type { TradeDeps } from '../../trading/use/trading-deps.ts';

/** The dependencies of placing and evaluating alerts. */
export type AlertDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly trade: TradeDeps;
  readonly solPrice: SolPrice;
  /** Wakes the delivery of notices. */
  readonly nudge: () => void;
  /** Alerts have changed: the watch in this process looks at once. */
  readonly alertsChanged: () => void;
};

/** The price that the trade card shows, per smallest unit in lamports; null where nothing trades the token. */
export function cardRate(pools: readonly Pool[], token: Token): Rate | null {
  const price = bestPrice(pools, token);
  return price === null || price <= 0n
    ? null
    : { got: price, given: PRICE_SCALE * 10n ** BigInt(token.decimals) };
}

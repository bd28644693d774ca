import type { Rate } from '../../core/orders/rate.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Pool } from '../../core/ports/venue.ts';
import { PRICE_SCALE } from '../../core/swap/price.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { SolPrice } from '../market/sol-price.ts';
import { bestPrice } from '../trading/trade-card.ts';
import type { TradeDeps } from '../trading/trading-deps.ts';

/** What alerts are placed and evaluated with. */
export type AlertDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly trade: TradeDeps;
  readonly solPrice: SolPrice;
  /** Wakes whoever delivers notices. */
  readonly nudge: () => void;
  /** Alerts have changed: whoever evaluates them here looks at once. */
  readonly alertsChanged: () => void;
};

/** The price that the trade card shows, per smallest unit in lamports; null where nothing trades the token. */
export function cardRate(pools: readonly Pool[], token: Token): Rate | null {
  const price = bestPrice(pools, token);
  return price === null || price <= 0n
    ? null
    : { got: price, given: PRICE_SCALE * 10n ** BigInt(token.decimals) };
}

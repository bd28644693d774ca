import type { Address } from '../../core/address/address.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { PriorityTier } from '../../core/users/settings.ts';
import type { SolPrice } from '../market/sol-price.ts';
import type { TradeDeps } from '../trading/trading-deps.ts';
import { type ExportFormat, exportTrades } from './export-trades.ts';
import { findPosition } from './find-position.ts';
import { listPositions, type PositionDeps, showPosition } from './list-positions.ts';
import { saleNow } from './sale-now.ts';

export type PositionServiceDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly trade: TradeDeps;
  readonly solPrice: SolPrice;
};

/** The use cases of positions, bound to one process's dependencies. */
export function createPositionServices({ db, clock, trade, solPrice }: PositionServiceDeps) {
  const deps: PositionDeps = {
    db,
    clock,
    solPrice,
    chain: trade.chain,
    saleNow: (sale) => saleNow(trade, sale),
  };
  return {
    list: (input: Parameters<typeof listPositions>[1]) => listPositions(deps, input),
    /** A CSV file, piece by piece. */
    export: (userId: string, format: ExportFormat) => exportTrades(deps, userId, format),
    /** One position, priced. Throws as `findPosition`. */
    find: async (input: {
      readonly userId: string;
      readonly walletId: string;
      readonly mint: Address;
      readonly tier: PriorityTier;
    }) => {
      const { wallet, position } = await findPosition(db, input);
      const [one, microUsdPerSol] = await Promise.all([
        showPosition(deps, { wallet, tier: input.tier }, position),
        solPrice(),
      ]);
      return { one, microUsdPerSol };
    },
  };
}

import { LAMPORTS_PER_SOL } from '@tradepost/solana';
import type { CommitDeps } from '../../../engine/transactions/use/commit-transition.ts';
import type { CreateIntentDeps } from '../../../engine/transactions/use/create-intent.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { GuardRules } from '../../guard/rules/guard.ts';
import type { DoubtToken } from '../../guard/use/doubt-token.ts';
import type { UsualPrice } from '../../guard/use/usual-price.ts';
import type { SolPrice } from '../../market/use/sol-price.ts';
import type { TradeDeps } from '../../trading/use/trading-deps.ts';
import type { SolUsd } from '../rules/trigger.ts';
import type { FireMarket } from './fire-market.ts';
import type { OrderEvents } from './order-events.ts';

/** The dependencies of placing, changing and firing orders. */
export type OrderDeps = Omit<CreateIntentDeps, 'db'> &
  CommitDeps & {
    readonly db: Database;
    readonly vault: Pick<Vault, 'confirm' | 'certifyOrders' | 'confirmFire'>;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly trade: TradeDeps;
    readonly market: FireMarket;
    readonly events: OrderEvents;
    /** Rests on no look older than `TRIGGER_PRICE_MS`. */
    readonly solPrice: SolPrice;
    readonly guardRules: GuardRules;
    readonly doubtToken: DoubtToken;
    readonly usualPrice: UsualPrice;
    /** Lamports that a person's orders may spend within 24 hours. */
    readonly autoSpendCapLamports: bigint;
    /** Orders have changed: their evaluator in this process looks at once. */
    readonly ordersChanged: () => void;
    readonly pause: (ms: number) => Promise<void>;
  };

/** The dependencies of watching and firing open orders. */
export type FireDeps = Omit<OrderDeps, 'trade'>;

/** No look that the price of SOL in dollars of a trigger rests on is older. */
export const TRIGGER_PRICE_MS = 10_000;

/** The price of SOL as triggers in dollars are compared with, as old as it may be; null where none is known. */
export async function solUsdNow({
  solPrice,
  clock,
}: Pick<FireDeps, 'solPrice' | 'clock'>): Promise<SolUsd | null> {
  const micros = await solPrice();
  return micros === null ? null : { micros, lamports: LAMPORTS_PER_SOL, at: clock.now() - TRIGGER_PRICE_MS };
}

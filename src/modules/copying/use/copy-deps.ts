import type { Chain, LandedTransaction } from '../../../platform/ports/chain.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { OrderDeps } from '../../orders/use/order-deps.ts';
import type { TradeQuote, TradeRequest } from '../../trading/use/trade-quote.ts';

/** The dependencies of switching copies on and off. */
export type CopyDeps = Omit<OrderDeps, 'vault'> & {
  readonly vault: Pick<Vault, 'confirm' | 'certifyOrders' | 'confirmFire' | 'mandateCopy' | 'confirmCopy'>;
  /** Whether this service copies at all. */
  readonly isOn: boolean;
  readonly log: Pick<Logger, 'warn'>;
  /** The quote of a trade as it would be signed; see `quoteTrade`. */
  readonly quote: (request: TradeRequest) => Promise<TradeQuote>;
  /** A number from 0 up to 1, another one each time. */
  readonly dice: () => number;
  readonly chain: Pick<Chain, 'statuses'>;
  /** A leader's transaction as the chain has it; null while no endpoint serves it. */
  readonly landed: (signature: string) => Promise<LandedTransaction | null>;
  /** Copies were changed in this process: its watch looks at once. */
  readonly copiesChanged: () => void;
};

import type { Logger } from '../../../platform/ports/logger.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Money } from '../../wallet-data/rules/wallet-flows.ts';
import type { IndexerLeases } from '../store/indexer-leases-port.ts';
import type { MarketStore } from '../store/market-store-port.ts';
import type { FollowMarketsDeps } from '../use/follow-markets.ts';
import type { SealMarketsDeps } from '../use/seal-markets.ts';
import type { IndexerState } from './indexer-state.ts';

export type IndexerDeps = Omit<FollowMarketsDeps, 'tape' | 'markets' | 'log'> &
  Omit<SealMarketsDeps, 'tape' | 'log'> & {
    readonly tape: TapeStore;
    readonly markets: MarketStore;
    readonly leases: IndexerLeases;
    /** Name of this process among the indexers. */
    readonly owner: string;
    /** Whether the chain's first block is where the tape begins; else it begins when a market is first followed. */
    readonly fromStart: boolean;
    /** By which the trades of wallets are valued. */
    readonly money: Money;
    readonly log: Logger;
  };

/** One kind of work that goes on for as long as the process does. A folder and a line in `lanes/index.ts` each. */
export type Lane = {
  readonly name: string;
  /** One round. Returns milliseconds until the next one. An error is logged, and the lane comes again after a pause. */
  round(deps: IndexerDeps, state: IndexerState): Promise<number>;
  /** Whether a notice from the chain begins the next round early. */
  readonly hearsWakes: boolean;
};

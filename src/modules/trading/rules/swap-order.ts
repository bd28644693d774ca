import type { Address } from '@tradepost/solana';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';

/** Sell exactly `amountIn` units of one mint for another. */
export type SwapOrder = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly amountIn: bigint;
  /** See `hopMarginBps`; 0 when left out, which is right for a value that is only shown. */
  readonly hopMarginBps?: number;
  /** The instructions around the swaps; all that are possible when left out. Fewer of them leave room for more pools. */
  readonly around?: {
    readonly memo: boolean;
    readonly fee: boolean;
    /** Another owner whose account the output goes to, and another key that pays the network; absent where there is none. */
    readonly receiver?: boolean;
    readonly payer?: boolean;
    /** A transfer to a sender; absent where there is none. */
    readonly tip?: boolean;
  };
  /** Accounts that the transaction may name; as many as one may lock when left out. */
  readonly locks?: number;
  /** True where the cluster has the public router program and the operator lets routes go through it. */
  readonly routerProgram?: boolean;
  /** Lamports of an account in which a remainder stays; 0 when left out, which is right for a value that is never executed. */
  readonly tokenAccountRent?: bigint;
  /** True where the transaction may be of version 1, which needs no tables. */
  readonly version1?: boolean;
  /** Tables that the transaction may use; none when left out. */
  readonly lookupTables?: readonly LookupTable[];
};

import type { LookupTable } from '../../engine/lookup-tables/rules/lookup-table.ts';

/** The operator's own lookup tables, each compared with the chain. */
export interface LookupTables {
  /**
   * Those that a transaction may use now; none when there are none or the chain cannot be asked: then every route has to fit
   * without. A table that is not as it was written down is left out and reported. May be some seconds old.
   */
  usable(): Promise<readonly LookupTable[]>;
  /** The same, read now. Throws CHAIN_UNREACHABLE. For who is about to sign by them. */
  verified(): Promise<readonly LookupTable[]>;
}

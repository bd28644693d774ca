import type { Order } from '../../../modules/orders/rules/order.ts';
import type { KnownRows } from '../rules/fence.ts';
import type { TransactionState } from '../rules/guard-notes.ts';
import type { JournalHead, OpenEntry } from '../rules/record.ts';

/** The signer's questions to the database beside its stores, to compare it with its journal. */
export interface SigningBooks {
  /** In ONE statement, so that the answer is of one moment. Empty lists ask for the server's own state alone. */
  known(asked: {
    readonly intentIds: readonly string[];
  }): Promise<KnownRows & { readonly server: ServerTruth }>;
  /** The last line of each journal that this database received. */
  heads(): Promise<readonly JournalHead[]>;
  /** Remembers a line; an earlier one than is remembered changes nothing. */
  saveHead(head: JournalHead): Promise<void>;
  /** The reports of the quarantines that were lifted at `since` (epoch milliseconds) or later. */
  reportsSince(since: number): Promise<readonly unknown[]>;
  /** Whether anything was ever signed by this database's word. */
  hasAttempts(): Promise<boolean>;
  /**
   * Orders that were written behind `seq`, in its order: microseconds of the server's clock. Those whose end is before `expiresAfter`,
   * epoch milliseconds, are left out. A few more than `limit` may come.
   */
  ordersSince(asked: {
    readonly seq: bigint;
    readonly expiresAfter: number;
    readonly limit: number;
  }): Promise<readonly { readonly seq: bigint; readonly order: Order }[]>;
  /** What became of a transaction of this server; null where it does not know one of this name. */
  transactionState(transactionId: string): Promise<TransactionState>;
  /** The committed versions of these people's guards, by person. */
  guardVersions(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  identity(): Promise<NonNullable<OpenEntry['database']>>;
}

/** Whether facts that this server has shown can vanish again. */
export type ServerTruth = {
  /** A standby shows changes that its primary may still lose. */
  readonly inRecovery: boolean;
  readonly fsync: boolean;
  /** `synchronous_commit`, as the server says it. */
  readonly synchronousCommit: string;
};

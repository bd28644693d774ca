import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { Pace } from '../../../src/engine/intents/rules/pace.ts';
import type { TransactionDeps } from '../../../src/engine/transactions/use/deps.ts';
import type { CrashPoint } from '../chaos/crash-points.ts';
import type { Failovers } from './failover.ts';
import type { FaultLevels } from './fault-levels.ts';
import type { HostileCounts, HostileOptions } from './hostile/hands.ts';
import type { SimOrderKind } from './orders/order-people.ts';

export type SimKind = Intent['kind'];

export type SimOptions = {
  readonly seed: number;
  /** `liveness`: faults stop and everything must settle. `safety`: they never stop; only the invariants count. */
  readonly mode: 'safety' | 'liveness';
  /** What people ask for; absent: the seed decides. `payout` is a buy by somebody who was invited,
   * `prepare-token` a creation in two transactions. */
  readonly kinds?: readonly SimKind[];
  /** What people order; absent: the seed decides, and where `kinds` are given nothing. */
  readonly orders?: readonly SimOrderKind[];
  /** How many people copy followed wallets; absent: none. */
  readonly copies?: number;
  /** How many people wait for a signal of several followed wallets; absent: none. */
  readonly signals?: number;
  /** Absent: the seed's own storm. */
  readonly levels?: FaultLevels;
  readonly stormMs?: number;
  /** Calm until the first payout exists, so that the storm meets the payout and not the trade that earned it. */
  readonly stormAtPayout?: boolean;
  /** Random kills and stops during the storm. */
  readonly kills?: boolean;
  /** Kills the process that first reaches this point. For a payout only from its creation on. */
  readonly crashAt?: CrashPoint;
  /** Wallets hold nothing. */
  readonly poor?: boolean;
  readonly cancelAfterMs?: number;
  readonly pace?: Pace;
  /** Breaks the engine on purpose: the proof that a run can fail. */
  readonly sabotage?: (deps: TransactionDeps) => TransactionDeps;
  /** Absent: the database forgets nothing, and the signer has no journal. */
  readonly failovers?: Failovers;
  /** Absent: no writer of rows and no worker that lies, and a signer that signs each request. */
  readonly hostile?: HostileOptions;
  readonly trace?: (line: string) => void;
};

export type SimResult = {
  readonly violations: readonly string[];
  /** Of everything that happened: equal digests, equal runs. */
  readonly digest: string;
  readonly intents: readonly Pick<Intent, 'id' | 'kind' | 'status'>[];
  readonly kills: number;
  readonly landed: number;
  /** Virtual milliseconds from the end of the faults until the last intent of before was final; null in safety mode. */
  readonly settledAfterMs: number | null;
  /** Whether `crashAt` was reached. */
  readonly crashed: boolean;
  /** Whether the signer's fence went up, or it refused to start. */
  readonly fenced: boolean;
  /** Commits that were forgotten. */
  readonly forgotten: number;
  /** The acts of hostile hands; null where there were none. */
  readonly hostile: HostileCounts | null;
  /** Windows of signals, and their messages: sent, or left out because a fork took too many purchases back; null where there were none. */
  readonly signals: { readonly windows: number; readonly texts: number; readonly silences: number } | null;
};

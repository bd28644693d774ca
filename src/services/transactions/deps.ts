import type { FeesAt } from '../../core/fees/fee-table.ts';
import type { VerdictRules } from '../../core/intents/machine.ts';
import type { Pace } from '../../core/intents/pace.ts';
import type { Chain, MessageCompiler } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Programs } from '../../core/ports/programs.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Vault } from '../../core/ports/vault.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import type { PlanBuilders } from './plan.ts';
import type { Relay } from './relay-outbox.ts';
import type { Settlements } from './settlement.ts';

/** Everything the money path is made of; composed once per process. */
export type TransactionDeps = {
  readonly db: Database;
  readonly chain: Chain;
  readonly compiler: MessageCompiler;
  readonly programs: Pick<Programs, 'memo' | 'computeBudget'>;
  readonly vault: Pick<Vault, 'sign'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly plans: PlanBuilders;
  readonly settlements: Settlements;
  readonly treasury: Wallet;
  /** The inviter's share of a finalized fee. */
  readonly fees: FeesAt;
  readonly relay: Relay;
  /** What the engine tells the operator. Never a secret, never bytes. */
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Waits; a virtual clock in simulations. */
  readonly pause: (ms: number) => Promise<void>;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly pace?: Pace;
  readonly rules?: VerdictRules;
};

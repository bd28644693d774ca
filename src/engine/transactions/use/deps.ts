import type { Wallet } from '../../../modules/wallets/rules/wallet.ts';
import type { Chain, MessageCompiler } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { FeesAt } from '../../fees/rules/fee-table.ts';
import type { VerdictRules } from '../../intents/rules/machine.ts';
import type { Pace } from '../../intents/rules/pace.ts';
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
  /** The engine's log for the operator. Never a secret, never bytes. */
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Waits; a virtual clock in simulations. */
  readonly pause: (ms: number) => Promise<void>;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly pace?: Pace;
  readonly rules?: VerdictRules;
};

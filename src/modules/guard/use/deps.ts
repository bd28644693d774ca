import type { CommitDeps } from '../../../engine/transactions/use/commit-transition.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { RecoveryCodes } from '../../../platform/ports/one-time-codes.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { GuardRules } from '../rules/guard.ts';

/** The guard's questions to the holder of the master key. */
export type GuardVault = Pick<
  Vault,
  | 'verifyPin'
  | 'certifyReceiving'
  | 'draft'
  | 'pinOfDraft'
  | 'createSecondFactor'
  | 'showSecondFactor'
  | 'confirmSecondFactor'
>;

/** The dependencies of the guard's use cases. */
export type GuardDeps = CommitDeps & {
  readonly db: Database;
  /** The comparison of PINs and codes. */
  readonly vault: GuardVault;
  readonly codes: RecoveryCodes;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly guardRules: GuardRules;
};

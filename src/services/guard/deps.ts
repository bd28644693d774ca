import type { GuardRules } from '../../core/guard/guard.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { RecoveryCodes } from '../../core/ports/one-time-codes.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Vault } from '../../core/ports/vault.ts';
import type { CommitDeps } from '../transactions/commit-transition.ts';

/** What the guard asks of whoever holds the master key. */
export type GuardVault = Pick<
  Vault,
  'verifyPin' | 'draft' | 'pinOfDraft' | 'createSecondFactor' | 'showSecondFactor' | 'confirmSecondFactor'
>;

/** What the use cases of the guard are made of. */
export type GuardDeps = CommitDeps & {
  readonly db: Database;
  /** What compares PINs and codes. */
  readonly vault: GuardVault;
  readonly codes: RecoveryCodes;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly guardRules: GuardRules;
};

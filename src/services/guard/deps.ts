import type { GuardRules } from '../../core/guard/guard.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { OneTimeCodes } from '../../core/ports/one-time-codes.ts';
import type { Pins } from '../../core/ports/pins.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { CommitDeps } from '../transactions/commit-transition.ts';

/** What the use cases of the guard are made of. */
export type GuardDeps = CommitDeps & {
  readonly db: Database;
  readonly pins: Pins;
  readonly codes: OneTimeCodes;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly guardRules: GuardRules;
};

import type { Backups } from '../../core/ports/backups.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { ConfirmationSeals } from '../../core/ports/confirmation-seals.ts';
import type { GameSeeds } from '../../core/ports/game-seeds.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { KeyHolder } from '../../core/ports/key-holder.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { OneTimeCodes } from '../../core/ports/one-time-codes.ts';
import type { Pins } from '../../core/ports/pins.ts';
import type { Database } from '../../core/ports/stores.ts';

/** What the signer is made of: everything that was opened with the master key, and the database. */
export type SignerDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'token'>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly keys: KeyHolder;
  readonly pins: Pins;
  readonly codes: OneTimeCodes;
  readonly seals: ConfirmationSeals;
  readonly seeds: Pick<GameSeeds, 'seedOf'>;
  readonly backups: Backups;
};

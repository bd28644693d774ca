import type { GuardRules } from '../../../modules/guard/rules/guard.ts';
import type { Backups } from '../../../platform/ports/backups.ts';
import type { Certifier } from '../../../platform/ports/certificates.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { ConfirmationSeals } from '../../../platform/ports/confirmation-seals.ts';
import type { GameSeeds } from '../../../platform/ports/game-seeds.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Keybook } from '../../../platform/ports/journal.ts';
import type { KeyHolder } from '../../../platform/ports/key-holder.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { OneTimeCodes } from '../../../platform/ports/one-time-codes.ts';
import type { Pins } from '../../../platform/ports/pins.ts';
import type { SignatureChecks } from '../../../platform/ports/signature-checks.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { FeesAt } from '../../fees/rules/fee-table.ts';
import type { PinTries } from './pin-tries.ts';
import type { SigningJournal } from './signing-journal.ts';

/** The parts of the signer: everything that was opened with the master key, and the database. */
export type SignerDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly keys: KeyHolder;
  readonly pins: Pins;
  readonly codes: OneTimeCodes;
  readonly seals: ConfirmationSeals;
  readonly certifier: Certifier;
  /** For the shares of inviters. */
  readonly fees: FeesAt;
  readonly seeds: Pick<GameSeeds, 'seedOf'>;
  readonly backups: Backups;
  /** For requests that programs of people sign. */
  readonly signatureChecks: SignatureChecks;
  /** The rules of the gate. */
  readonly guardRules: GuardRules;
  /** The signatures, compared with the rows of the database. */
  readonly signing: SigningJournal;
  readonly tries: PinTries;
  readonly keybook: Pick<Keybook, 'append'>;
};

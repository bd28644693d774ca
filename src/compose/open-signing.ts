import { runBeat } from '../core/time/run-beat.ts';
import type { KeyRows } from '../engine/signing/store/key-rows-port.ts';
import type { SigningBooks } from '../engine/signing/store/signing-books-port.ts';
import { keepKeybook } from '../engine/signing/use/keep-keybook.ts';
import { type StartedSigning, startSigning } from '../engine/signing/use/start-signing.ts';
import type { GuardRules } from '../modules/guard/rules/guard.ts';
import { pause } from '../platform/clock/clock.ts';
import type { OpenLogFile } from '../platform/journal/log-file.ts';
import type { Certifier } from '../platform/ports/certificates.ts';
import type { ChainWitness } from '../platform/ports/chain-witness.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { ConfirmationSeals } from '../platform/ports/confirmation-seals.ts';
import type { Ids } from '../platform/ports/ids.ts';
import type { Keybook } from '../platform/ports/journal.ts';
import type { KeyHolder } from '../platform/ports/key-holder.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { QuarantineStore } from '../platform/ports/operations.ts';
import type { Database } from '../platform/ports/stores.ts';
import { hashText, installIdOf, messageHash, openSignerJournal } from './open-journal.ts';
import type { openKeyring } from './open-keyring.ts';

/** Between two looks of the keybook at the committed wallets. */
const KEYBOOK_MS = 5_000;

/**
 * Opens the journal of this process and begins to compare it with the database. An empty folder gets a journal when nothing was
 * ever signed for the database, or with `adopts`. `stop` writes the rest and releases the folder.
 */
export async function openSigning(given: {
  readonly folder: string;
  readonly keyring: Awaited<ReturnType<typeof openKeyring>>;
  readonly seals: ConfirmationSeals;
  readonly certifier: Certifier;
  readonly db: Database;
  readonly guardRules: GuardRules;
  readonly keys: Pick<KeyHolder, 'holds'>;
  readonly keyRows: KeyRows;
  readonly signingBooks: SigningBooks;
  readonly quarantines: QuarantineStore;
  readonly witness: ChainWitness;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly adopts: boolean;
  readonly openFile?: OpenLogFile;
}): Promise<StartedSigning & { readonly keybook: Pick<Keybook, 'append'> }> {
  const { signingBooks: books, clock, log, adopts } = given;
  const files = await openSignerJournal({
    ...given,
    installId: installIdOf(given.seals),
    database: await books.identity(),
    mayBegin: adopts || !(await books.hasAttempts()),
    now: () => clock.now(),
    onTrouble: (what) => log.warn({ what }, 'the journal'),
  });
  try {
    const keybook = await keepKeybook({ ...given, rows: given.keyRows, keybook: files.keybook });
    const started = await startSigning({
      ...given,
      books,
      journal: files.journal,
      hash: messageHash,
      sha256: hashText,
      pause,
    });
    const stopKeybook = runBeat({
      beat: () => keybook.beat(),
      pauseMs: () => KEYBOOK_MS,
      pause,
      told: {
        log,
        failing: 'the keybook cannot follow the database',
        again: 'the keybook follows the database again',
      },
    });
    return {
      ...started,
      keybook,
      stop: async () => {
        await Promise.all([started.stop(), stopKeybook()]);
        await files.close();
      },
    };
  } catch (error) {
    await files.close();
    throw error;
  }
}

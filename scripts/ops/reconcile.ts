import { setTimeout as pause } from 'node:timers/promises';
import { feesOf } from '../../src/engine/fees/rules/fee-table.ts';
import { SETTLEMENTS } from '../../src/engine/intents/kinds/index.ts';
import { createSignatureBooks } from '../../src/engine/signing/store/signature-books.ts';
import { createQuarantineStore } from '../../src/engine/transactions/store/quarantine-store.ts';
import {
  type DetectRestoreDeps,
  detectRestore,
  enterQuarantine,
} from '../../src/modules/operations/use/detect-restore.ts';
import { liftQuarantine, reconcile } from '../../src/modules/operations/use/reconcile.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Quarantine } from '../../src/platform/ports/operations.ts';
import { lineOf, runSignatureAudit } from './audit.ts';
import type { Io } from './command.ts';
import { namedHere } from './journal-here.ts';
import { openDatabase, openWalkedChain } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError } from './ops-error.ts';

/**
 * Compares a quarantined database with the chain, completes it, prints the findings, and lifts the quarantine. Outside of
 * quarantine every wallet's signatures are compared first, and one that the database lacks opens it. 1 when something does not
 * match and `accept` was not given: then the quarantine stays.
 */
export async function runReconcile(io: Io, options: { readonly accept: boolean }): Promise<number> {
  const { print } = io;
  const config = io.config();
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const { chain, history } = openWalkedChain(config);
    const clock = systemClock();
    const ids = randomIds(() => clock.now());
    const quarantines = createQuarantineStore(db.query);
    const signatures = createSignatureBooks(db.query);
    const treasury = await db.wallets.treasury();
    if (treasury === null)
      throw new OpsError('The database has no treasury, so nothing was ever signed: is it the right one?');
    const common = { quarantines, signatures, chain, history, clock, ids };
    const standing = await detectRestore({ ...common, wallets: db.wallets, treasury: treasury.address });
    const looked = standing === null ? await lookForLoss(io, db, common) : null;
    const quarantine = standing ?? looked?.quarantine ?? null;
    if (quarantine === null) return looked?.code ?? 0;
    const asOf =
      quarantine.dataAsOf === 0 ? 'nobody knows when' : new Date(quarantine.dataAsOf).toISOString();
    print(`In quarantine: ${quarantine.reason}. Data as of ${asOf}.`);
    const named = await namedHere(io, db, quarantine);
    if (named !== null)
      print(`The signer's journal names ${named.length} signatures since then: no wallet is walked.`);
    const report = await reconcile(
      {
        ...common,
        db,
        treasury,
        fees: feesOf(config.feeTable),
        settlements: SETTLEMENTS,
        pause: (ms) => pause(ms),
        onProgress: print,
      },
      quarantine,
      named,
    );
    for (const { what, signature, detail } of report.findings)
      print(`${what.padEnd(16)} ${signature}: ${detail}`);
    for (const { rule, subject, detail } of report.mismatches)
      print(`MISMATCH ${rule} ${subject}: ${detail}`);
    print(
      `${report.wallets} wallets walked, ${report.seen} transactions of ours seen, ${report.findings.length} were missing here, ${report.mismatches.length} mismatches.`,
    );
    const isLifted = report.mismatches.length === 0 || options.accept;
    const act = {
      findings: report.findings.length,
      mismatches: report.mismatches.length,
      accepted: options.accept,
    };
    if (!isLifted) {
      await recordAct(db, 'reconciled', act, { outcome: 'refused' });
      print(
        'The quarantine stands. Look at each mismatch; then run it again with --accept to sign again in spite of them.',
      );
      return 1;
    }
    await db.transact(async (stores, query) => {
      await liftQuarantine(
        { quarantines: createQuarantineStore(query), orders: stores.orders, clock },
        quarantine,
        report,
      );
      await recordAct(stores, 'reconciled', act);
    });
    print('The quarantine is lifted.');
    return 0;
  } finally {
    await close();
  }
}

/** Outside of quarantine: checks every wallet, prints the mismatches, and opens a quarantine where it must. */
async function lookForLoss(
  io: Io,
  db: PrismaDatabase,
  deps: Pick<DetectRestoreDeps, 'quarantines' | 'signatures' | 'clock' | 'ids'>,
): Promise<{ readonly quarantine: Quarantine | null; readonly code: number }> {
  const found = await runSignatureAudit(io, db, { whole: false });
  for (const { rule, subject, detail } of found.mismatches)
    io.print(`MISMATCH ${rule} ${subject}: ${detail}`);
  io.print(`${lineOf(found)}.`);
  if (found.unbooked.length > 0) {
    const unknown = found.unbooked.map(({ signature, intentId, at }) => ({
      signature,
      memo: `[26] ${intentId}`,
      at,
    }));
    return { quarantine: await enterQuarantine(deps, unknown), code: 1 };
  }
  io.print(
    found.mismatches.length === 0
      ? 'The database is not in quarantine, and every signature of its wallets is known. Nothing to do.'
      : 'The database is not in quarantine, and it lacks nothing that it signed. Look at each mismatch.',
  );
  return { quarantine: null, code: found.mismatches.length === 0 ? 0 : 1 };
}

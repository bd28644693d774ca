import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/adapters/clock/clock.ts';
import { randomIds } from '../../src/adapters/clock/ids.ts';
import { createQuarantineStore } from '../../src/adapters/db/quarantine-store.ts';
import { feesOf } from '../../src/core/fees/fee-table.ts';
import { SETTLEMENTS } from '../../src/intents/index.ts';
import { detectRestore } from '../../src/services/operations/detect-restore.ts';
import { liftQuarantine, reconcile } from '../../src/services/operations/reconcile.ts';
import type { Io } from './command.ts';
import { openChain, openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError } from './ops-error.ts';

/**
 * Compares a quarantined database with the chain, completes it, prints what was found, and lifts the quarantine. 1 when
 * something does not match and `accept` was not given: then the quarantine stands.
 */
export async function runReconcile(io: Io, options: { readonly accept: boolean }): Promise<number> {
  const { print } = io;
  const config = io.config();
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const { chain, history } = openChain(config);
    const clock = systemClock();
    const ids = randomIds(() => clock.now());
    const quarantines = createQuarantineStore(db.query);
    const treasury = await db.wallets.treasury();
    if (treasury === null)
      throw new OpsError('The database has no treasury, so nothing was ever signed: is it the right one?');
    const common = { quarantines, chain, history, clock, ids };
    const quarantine = await detectRestore({ ...common, wallets: db.wallets, treasury: treasury.address });
    if (quarantine === null) {
      print(
        'The database is not in quarantine, and the chain knows nothing that it does not. Nothing to do.',
      );
      return 0;
    }
    print(`In quarantine: ${quarantine.reason}. Data as of ${new Date(quarantine.dataAsOf).toISOString()}.`);
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

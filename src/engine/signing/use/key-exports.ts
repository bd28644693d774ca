import { AppError } from '../../../core/errors/app-error.ts';
import { leftAt } from '../../../core/time/age.ts';
import { earliestOf } from '../../../core/time/due.ts';
import { type ExportEvent, encodeExportNotice } from '../../../modules/guard/rules/export-notice.ts';
import type { Guard } from '../../../modules/guard/rules/guard.ts';
import {
  assertMayAskExport,
  EXPORT_OPEN_MS,
  type ExportEnd,
  type ExportStopper,
  isOnItsWay,
  type KeyExport,
} from '../../../modules/guard/rules/key-export.ts';
import { assertMayAct, passGate } from '../../../modules/guard/use/pass-gate.ts';
import { verifyPin } from '../../../modules/guard/use/verify-pin.ts';
import { assertPassphrase } from '../../../modules/wallets/rules/passphrase.ts';
import { exportsOf, judgeAsking, judgeTaking } from '../../../modules/wallets/use/judge-export.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { ownAct } from '../../audit/rules.ts';
import { addNotices } from '../../transactions/use/add-notices.ts';
import { type ExportNote, isOfNote, isOpenNote } from '../rules/export-notes.ts';
import type { SignerDeps } from './deps.ts';

type Deps = SignerDeps & { readonly verifyPin: Vault['verifyPin'] };

/**
 * The way of a key out of the signer: asked for with a ripe PIN, a day of waiting, then taken with PIN and passphrase in one call. Nothing
 * that is kept between the two opens anything. Its obstacles are judged here at both ends: from rows, and from the signer's journal, which
 * knows when a file was asked for and whether it is over. A row that says otherwise moves nothing.
 */
export function createKeyExports(deps: Deps): Pick<Vault, 'askExport' | 'takeExport' | 'stopExport'> {
  return {
    askExport: (input) => ask(deps, input),
    takeExport: (input) => take(deps, input),
    stopExport: (input) => stop(deps, input),
  };
}

type AskInput = Parameters<Vault['askExport']>[0];

async function ask(deps: Deps, input: AskInput): ReturnType<Vault['askExport']> {
  const { db, clock, ids } = deps;
  const { userId, pin } = input;
  // Every refusal comes before the PIN is compared: a guesser must not learn whether a PIN is right.
  const seen = await db.guards.find(userId);
  await assertMayAct(db, deps, { act: 'export-ask', userId });
  await judgeAsking(deps, db, seen, input);
  assertNoneStopped(deps, userId);
  const proof = await verifyPin({ vault: deps }, { userId, pin });
  return db.transact(async (stores) => {
    await stores.flags.hold();
    const passed = await passGate(stores, deps, { act: 'export-ask', userId, proof });
    const guard = await stores.guards.lock(userId);
    assertSamePin(seen, guard);
    const { wallet, exports } = await judgeAsking(deps, stores, guard, input);
    for (const { found, state } of exports) {
      if (found.end === null && !isOnItsWay(state)) await stores.exports.end(passed, found.id, state);
    }
    assertNoneStopped(deps, userId);
    // The rows know of none on its way: one that the journal knows of has lost its row, and its Stop button with it.
    await stopNoted(deps, userId, () => 'signer');
    const askedAt = clock.now();
    const readyAt = askedAt + deps.guardRules.longDelayMs;
    const asked: KeyExport = {
      id: ids.ulid(),
      userId,
      walletId: wallet.id,
      askedAt,
      readyAt,
      endsAt: readyAt + EXPORT_OPEN_MS,
      end: null,
    };
    await stores.exports.insert(passed, asked);
    await deps.signing.write({ kind: 'export-asked', exportId: asked.id, ...timesOf(asked) });
    const details = { walletId: wallet.id, address: wallet.address, readyAt };
    await stores.auditLog.record(ownAct(userId, askedAt, 'export-asked', details));
    await tell(deps, stores, asked, [
      ['asked', askedAt],
      // Without a wait there is nothing between being asked for and being ready.
      ...(readyAt > askedAt
        ? ([
            ['half', askedAt + Math.floor(leftAt(readyAt, askedAt) / 2)],
            ['ready', readyAt],
          ] as const)
        : []),
    ]);
    return { exportId: asked.id, readyAt, endsAt: asked.endsAt };
  });
}

type TakeInput = Parameters<Vault['takeExport']>[0];

async function take(deps: Deps, input: TakeInput): Promise<Uint8Array> {
  const { db, clock, backups } = deps;
  const { userId, pin, passphrase } = input;
  assertPassphrase(passphrase);
  const seen = await db.guards.find(userId);
  await assertMayAct(db, deps, { act: 'export-take', userId });
  const { found: shown, wallet: sealed } = await judgeTaking(deps, db, seen, input);
  assertRemembered(deps, shown);
  const proof = await verifyPin({ vault: deps }, { userId, pin });
  // Half a second of work, so before the locks: who stops it meanwhile wins, and the file is thrown away.
  const file = await backups.seal(sealed, passphrase);
  let isNoted = false;
  await db.transact(async (stores) => {
    await stores.flags.hold();
    const passed = await passGate(stores, deps, { act: 'export-take', userId, proof });
    const guard = await stores.guards.lock(userId);
    assertSamePin(seen, guard);
    const { found, wallet } = await judgeTaking(deps, stores, guard, input);
    // A transaction that is run again finds its own line.
    if (!isNoted) assertRemembered(deps, found);
    const at = clock.now();
    // Before the file leaves: the trail exists to show a file that left, so no file may leave without a line in it.
    if (!(await stores.exports.end(passed, found.id, { kind: 'TAKEN', at }))) {
      throw new AppError('EXPORT_WAITS', { why: 'over' });
    }
    const details = { walletId: wallet.id, address: wallet.address };
    await stores.auditLog.record(ownAct(userId, at, 'wallet-exported', details));
    await tell(deps, stores, found, [['taken', at]]);
    // Before the commit: a row that is put back a moment later finds the file taken.
    if (!isNoted) await deps.signing.write({ kind: 'export-taken', exportId: found.id, overAt: at });
    isNoted = true;
  });
  return file;
}

/** Needs no PIN and no open switch, and works while the person is frozen. */
async function stop(
  deps: Deps,
  { userId }: Parameters<Vault['stopExport']>[0],
): ReturnType<Vault['stopExport']> {
  const { db, clock } = deps;
  return db.transact(async (stores) => {
    const passed = await passGate(stores, deps, { act: 'export-stop', userId });
    const guard = await stores.guards.lock(userId);
    const at = clock.now();
    const exports = await exportsOf(stores, guard, { userId, since: at, now: at });
    // The rows do not decide: who hides a row from its person keeps no file on its way.
    const noted = await stopNoted(deps, userId, (exportId) => {
      const seen = exports.find(({ found }) => isOpenRow(found, exportId));
      return seen?.state.kind === 'STOPPED' ? seen.state.by : 'person';
    });
    const hidden = noted.filter(({ exportId }) => !exports.some(({ found }) => isOpenRow(found, exportId)));
    for (const { walletId } of hidden) {
      const wallet = await stores.wallets.find(walletId);
      const details = { walletId, address: wallet?.address ?? '' };
      await stores.auditLog.record(ownAct(userId, at, 'export-stopped', details));
    }
    for (const { found, state } of exports) {
      if (found.end !== null) continue;
      const isStopped = isOnItsWay(state);
      const end: ExportEnd = isStopped ? { kind: 'STOPPED', at, by: 'person' } : state;
      await stores.exports.end(passed, found.id, end);
      if (!isStopped) continue;
      const wallet = await stores.wallets.find(found.walletId);
      const details = { walletId: found.walletId, address: wallet?.address ?? '' };
      await stores.auditLog.record(ownAct(userId, at, 'export-stopped', details));
      await tell(deps, stores, found, [['stopped', at]]);
      return { stopped: true };
    }
    return { stopped: hidden.length > 0 };
  });
}

const timesOf = ({ userId, walletId, askedAt, readyAt, endsAt }: KeyExport) => ({
  userId,
  walletId,
  askedAt,
  readyAt,
  endsAt,
});

const isOpenRow = ({ id, end }: KeyExport, exportId: string): boolean => id === exportId && end === null;

/** Writes an end for each file of the person that the journal takes for open, and returns these. */
async function stopNoted(
  { signing, clock }: Pick<Deps, 'signing' | 'clock'>,
  userId: string,
  by: (exportId: string) => ExportStopper,
): Promise<readonly ExportNote[]> {
  const open = signing.exports.of(userId).filter((note) => isOpenNote(note, clock));
  const overAt = clock.now();
  for (const { exportId } of open)
    await signing.write({ kind: 'export-stopped', exportId, overAt, by: by(exportId) });
  return open;
}

/** Throws EXPORT_WAITS for a day after the person stopped one, by the journal: a row that was taken away lifts no bar. */
function assertNoneStopped(
  { signing, clock, guardRules }: Pick<Deps, 'signing' | 'clock' | 'guardRules'>,
  userId: string,
): void {
  const stopped = signing.exports.of(userId).flatMap(({ exportId, end, ...asked }) =>
    end?.by === 'person'
      ? [
          {
            found: { id: exportId, ...asked, end: null },
            state: { kind: 'STOPPED', at: end.at, by: end.by } as const,
          },
        ]
      : [],
  );
  assertMayAskExport(stopped, earliestOf(clock), guardRules.longDelayMs);
}

/**
 * Throws EXPORT_WAITS for a file that the journal does not know, or knows to be over. Throws ROW_FORGED where the row names another
 * moment, wallet or person.
 */
function assertRemembered(
  { signing, clock, log }: Pick<Deps, 'signing' | 'clock' | 'log'>,
  row: KeyExport,
): void {
  const note = signing.exports.find(row.id);
  const misfit =
    note === null
      ? 'it was never asked for here'
      : !isOfNote(row, note)
        ? 'it was asked for otherwise'
        : isOpenNote(note, clock)
          ? null
          : 'it is over';
  if (misfit === null) return;
  log.error(
    { exportId: row.id, userId: row.userId, misfit },
    'a row of a key file is not as the journal says',
  );
  if (note !== null && !isOfNote(row, note))
    throw new AppError('ROW_FORGED', { table: 'exports', row: row.id });
  throw new AppError('EXPORT_WAITS', { why: 'over' });
}

/** A PIN that was changed between being typed and being judged is not the one that was right. */
function assertSamePin(seen: Guard, now: Guard): void {
  if (seen.pinHash !== now.pinHash) throw new AppError('BUTTON_STALE', {});
}

function tell(
  deps: Deps,
  stores: Pick<Stores, 'notices' | 'outbox'>,
  { id, userId }: KeyExport,
  events: readonly (readonly [ExportEvent, number])[],
): Promise<void> {
  return addNotices(
    deps,
    stores,
    events.map(([event, at]) => ({
      userId,
      intentId: null,
      kind: 'export',
      payload: encodeExportNotice({ exportId: id, event }),
      at,
    })),
  );
}

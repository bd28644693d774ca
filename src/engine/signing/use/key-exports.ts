import { AppError } from '../../../core/errors/app-error.ts';
import { leftAt } from '../../../core/time/age.ts';
import { type ExportEvent, encodeExportNotice } from '../../../modules/guard/rules/export-notice.ts';
import type { Guard } from '../../../modules/guard/rules/guard.ts';
import {
  EXPORT_OPEN_MS,
  type ExportEnd,
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
import type { SignerDeps } from './deps.ts';

type Deps = SignerDeps & { readonly verifyPin: Vault['verifyPin'] };

/**
 * The way of a key out of the signer: asked for with a ripe PIN, a day of waiting, then taken with PIN and passphrase in one call. Nothing
 * that is kept between the two opens anything. Its obstacles are judged here, from rows, at both ends.
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
  const { wallet: sealed } = await judgeTaking(deps, db, seen, input);
  const proof = await verifyPin({ vault: deps }, { userId, pin });
  // Half a second of work, so before the locks: who stops it meanwhile wins, and the file is thrown away.
  const file = await backups.seal(sealed, passphrase);
  await db.transact(async (stores) => {
    await stores.flags.hold();
    const passed = await passGate(stores, deps, { act: 'export-take', userId, proof });
    const guard = await stores.guards.lock(userId);
    assertSamePin(seen, guard);
    const { found, wallet } = await judgeTaking(deps, stores, guard, input);
    const at = clock.now();
    // Before the file leaves: the trail exists to show a file that left, so no file may leave without a line in it.
    if (!(await stores.exports.end(passed, found.id, { kind: 'TAKEN', at }))) {
      throw new AppError('EXPORT_WAITS', { why: 'over' });
    }
    const details = { walletId: wallet.id, address: wallet.address };
    await stores.auditLog.record(ownAct(userId, at, 'wallet-exported', details));
    await tell(deps, stores, found, [['taken', at]]);
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
    for (const { found, state } of await exportsOf(stores, guard, { userId, since: at, now: at })) {
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
    return { stopped: false };
  });
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

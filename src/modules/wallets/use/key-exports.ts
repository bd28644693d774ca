import type { Stores } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { type ExportState, isOnItsWay, type KeyExport } from '../../guard/rules/key-export.ts';
import { assertMayAct, type GateDeps } from '../../guard/use/pass-gate.ts';
import type { Wallet } from '../rules/wallet.ts';
import { exportsOf, type JudgeExportDeps, judgeAsking } from './judge-export.ts';

export type ExportDeps = JudgeExportDeps &
  GateDeps & {
    readonly db: Pick<Stores, 'guards' | 'flags' | 'exports' | 'wallets'>;
    readonly vault: Pick<Vault, 'askExport' | 'takeExport' | 'stopExport'>;
    /** Wakes the outbox relay after the signer's commit; may be lost without harm. */
    readonly nudge: () => void;
  };

/** A key on its way out, as screens show it. Times are epoch milliseconds. */
export type OpenExport = Pick<KeyExport, 'id' | 'walletId' | 'readyAt' | 'endsAt'> & {
  readonly isReady: boolean;
  readonly wallet: Pick<Wallet, 'name' | 'address'>;
};

/** The person's key export that is on its way now; null = none. */
export async function openExport(
  { db, clock }: Pick<ExportDeps, 'db' | 'clock'>,
  { userId }: { readonly userId: string },
): Promise<OpenExport | null> {
  const now = clock.now();
  const guard = await db.guards.find(userId);
  const all = await exportsOf(db, guard, { userId, since: now, now });
  const open = all.find(({ state }) => isOnItsWay(state));
  if (open === undefined) return null;
  const { id, walletId, readyAt, endsAt } = open.found;
  const wallet = await db.wallets.find(walletId);
  return {
    id,
    walletId,
    readyAt,
    endsAt,
    isReady: open.state.kind === 'READY',
    wallet: { name: wallet?.name ?? '', address: wallet?.address ?? ('' as Wallet['address']) },
  };
}

/** The present state of an export, for its notices; null = there is none of this id. */
export async function exportNow(
  { db, clock }: Pick<ExportDeps, 'db' | 'clock'>,
  exportId: string,
): Promise<{
  readonly found: KeyExport;
  readonly state: ExportState;
  readonly wallet: Wallet | null;
} | null> {
  const found = await db.exports.find(exportId);
  if (found === null) return null;
  const now = clock.now();
  const guard = await db.guards.find(found.userId);
  const all = await exportsOf(db, guard, { userId: found.userId, since: found.askedAt, now });
  const seen = all.find((one) => one.found.id === exportId);
  return seen === undefined ? null : { ...seen, wallet: await db.wallets.find(found.walletId) };
}

/** Throws the refusal of a key file now, before the person is asked anything; the wallet where nothing refuses. */
export async function assertMayAskKey(
  deps: Pick<ExportDeps, 'db' | 'clock' | 'guardRules'>,
  input: { readonly userId: string; readonly walletId: string },
): Promise<Wallet> {
  await assertMayAct(deps.db, deps, { act: 'export-ask', userId: input.userId });
  return (await judgeAsking(deps, deps.db, await deps.db.guards.find(input.userId), input)).wallet;
}

/** The three calls of the signer's, each followed by its notice. They throw as `Vault` says. */
export function exportCalls({
  vault,
  nudge,
}: Pick<ExportDeps, 'vault' | 'nudge'>): Pick<Vault, 'askExport' | 'takeExport' | 'stopExport'> {
  const telling = async <T>(call: Promise<T>): Promise<T> => {
    const done = await call;
    nudge();
    return done;
  };
  return {
    askExport: (input) => telling(vault.askExport(input)),
    takeExport: (input) => telling(vault.takeExport(input)),
    stopExport: (input) => telling(vault.stopExport(input)),
  };
}

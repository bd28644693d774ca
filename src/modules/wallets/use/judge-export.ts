import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import { earliestOf, type Reading } from '../../../core/time/due.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Guard, GuardRules } from '../../guard/rules/guard.ts';
import {
  assertMayAskExport,
  assertReady,
  EXPORT_SPAN_MS,
  EXPORT_SWITCHES,
  type ExportState,
  type ExportWorld,
  exportState,
  type KeyExport,
} from '../../guard/rules/key-export.ts';
import { assertRipe } from '../../guard/rules/ripe.ts';
import type { Wallet } from '../rules/wallet.ts';
import { ownWallet } from './own-wallet.ts';

/** The judge of key exports. The signer asks under its locks; the screen before it asks the same, so that no PIN is typed in vain. */
export type JudgeExportDeps = {
  readonly clock: Clock;
  readonly guardRules: Pick<GuardRules, 'longDelayMs'>;
};
type Reads = Pick<Stores, 'flags' | 'exports' | 'wallets'>;

/** An export with its present state. */
export type SeenExport = { readonly found: KeyExport; readonly state: ExportState };

/**
 * Refuses the question for a key where the gate and the PIN do not. Throws PIN_TOO_NEW, PIN_REQUIRED where no row says how old the PIN
 * is, WALLET_NOT_FOUND, EXPORT_WAITS.
 */
export async function judgeAsking(
  { clock, guardRules }: JudgeExportDeps,
  stores: Reads,
  guard: Guard,
  asked: { readonly userId: string; readonly walletId: string },
): Promise<{ readonly wallet: Wallet; readonly exports: readonly SeenExport[] }> {
  assertRipe(guard, clock, guardRules);
  const wallet = await ownWallet(stores.wallets, asked);
  const since = windowStart(EXPORT_SPAN_MS, clock);
  const exports = await exportsOf(stores, guard, { userId: asked.userId, since, now: clock });
  assertMayAskExport(exports, earliestOf(clock), guardRules.longDelayMs);
  return { wallet, exports };
}

/** Refuses the file where the gate, PIN and passphrase do not. Throws as `judgeAsking`. */
export async function judgeTaking(
  { clock, guardRules }: JudgeExportDeps,
  stores: Reads,
  guard: Guard,
  { userId, exportId }: { readonly userId: string; readonly exportId: string },
): Promise<{ readonly found: KeyExport; readonly wallet: Wallet }> {
  const found = await stores.exports.find(exportId);
  // Another person's is as unknown as one that never was.
  if (found === null || found.userId !== userId) throw new AppError('EXPORT_WAITS', { why: 'over' });
  assertReady(found, exportState(found, await worldOf(stores, guard), clock));
  assertRipe(guard, clock, guardRules);
  return { found, wallet: await ownWallet(stores.wallets, { userId, walletId: found.walletId }) };
}

/** The person's exports since then, the newest first, and one that has no end yet. */
export async function exportsOf(
  stores: Pick<Stores, 'flags' | 'exports'>,
  guard: Guard,
  { userId, since, now }: { readonly userId: string; readonly since: number; readonly now: Reading },
): Promise<readonly SeenExport[]> {
  const found = await stores.exports.listByUser(userId, since);
  const world = await worldOf(stores, guard);
  return found.map((one) => ({ found: one, state: exportState(one, world, now) }));
}

async function worldOf({ flags }: Pick<Stores, 'flags'>, guard: Guard): Promise<ExportWorld> {
  return {
    guard,
    thrownAt: await flags.lastThrown(EXPORT_SWITCHES.map((what) => `${what}-paused` as const)),
  };
}

import { isStill } from '../../../core/time/due.ts';
import { recipientOf } from '../../../engine/intents/kinds/rules.ts';
import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';
import type { Notice } from '../../../engine/notices/store-port.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { waitsToReceive } from '../../wallets/rules/receiving-wallet.ts';
import { decodeWalletNotice } from '../../wallets/rules/wallet-notice.ts';
import { exportNow } from '../../wallets/use/key-exports.ts';
import { GUARD_ACTS } from '../rules/acts.ts';
import { decodeExportNotice } from '../rules/export-notice.ts';
import { isFrozen } from '../rules/freeze.ts';
import type { Guard, GuardRules } from '../rules/guard.ts';
import { isOnItsWay } from '../rules/key-export.ts';
import { nextMail, STOP_LINK_MS } from '../rules/notice-mail.ts';
import { mayCarryStop, type StopFacts, type StoppableKind } from '../rules/stop-facts.ts';
import { hasChanges } from './stop-changes.ts';

export type StopFactsDeps = {
  readonly db: Pick<Stores, 'guards' | 'flags' | 'exports' | 'wallets' | 'intents'>;
  readonly clock: Clock;
  readonly guardRules: GuardRules;
};
type Found = Pick<StopFacts, 'what' | 'way' | 'endsAt'>;

/** The act that a notice lets its person stop, with its present facts; null where there is none, or none any more. */
export async function stopFacts(deps: StopFactsDeps, notice: Notice): Promise<StopFacts | null> {
  const found = mayCarryStop(notice.kind) ? await FINDERS[notice.kind](deps, notice) : null;
  if (found === null || !isStill(found.endsAt, deps.clock)) return null;
  const { id: noticeId, userId, intentId } = notice;
  return { noticeId, userId, intentId, ...found };
}

async function ofGuard(deps: StopFactsDeps, notice: Notice): Promise<Found | null> {
  const read = jsonReader(notice.payload, 'notice');
  const act = read.oneOf('act', GUARD_ACTS);
  const until = read.integerOrNull('until');
  const guard = await deps.db.guards.find(notice.userId);
  if (await isStopped(deps, guard)) return null;
  if (act === 'notice-mail' && nextMail(guard, deps.clock) === null) return null;
  const endsAt = until !== null && until > notice.createdAt ? until : notice.createdAt + STOP_LINK_MS;
  return { what: { kind: 'guard', act, until }, way: 'changes', endsAt };
}

/** Everything is frozen without an end, and nothing waits: Stop would do nothing. */
async function isStopped({ db, clock, guardRules }: StopFactsDeps, guard: Guard): Promise<boolean> {
  const now = clock.now();
  if (!isFrozen(guard, clock) || hasChanges(guard, now, guardRules)) return false;
  return !(await db.wallets.listByUser(guard.userId)).some((wallet) => waitsToReceive(wallet, now));
}

async function ofExport(deps: StopFactsDeps, notice: Notice): Promise<Found | null> {
  const { exportId, event } = decodeExportNotice(notice.payload);
  const seen = await exportNow(deps, exportId);
  if (seen === null || event === 'taken' || event === 'stopped' || !isOnItsWay(seen.state)) return null;
  const { found, state, wallet } = seen;
  const isReady = state.kind === 'READY';
  const named = { wallet: wallet?.name ?? '', address: wallet?.address ?? null };
  const at = isReady ? found.endsAt : found.readyAt;
  const barMs = deps.guardRules.longDelayMs;
  return { what: { kind: 'export', isReady, at, barMs, ...named }, way: 'export', endsAt: found.endsAt };
}

async function ofWallet({ db, clock }: StopFactsDeps, notice: Notice): Promise<Found | null> {
  const { walletId, event } = decodeWalletNotice(notice.payload);
  const wallet = await db.wallets.find(walletId);
  if (wallet === null || wallet.userId !== notice.userId || event === 'renamed') return null;
  const named = { wallet: wallet.name, address: wallet.address };
  if (event === 'imported') {
    const guard = await db.guards.find(notice.userId);
    if (isFrozen(guard, clock) && guard.unfreezeAt === null) return null;
    const endsAt = notice.createdAt + STOP_LINK_MS;
    return { what: { kind: event, ...named }, way: 'freeze', endsAt };
  }
  const at = event === 'wallet-confirm-asked' ? wallet.confirmedAt : wallet.payoutFrom;
  return at === null ? null : { what: { kind: event, at, ...named }, way: 'changes', endsAt: at };
}

async function ofIntent({ db }: StopFactsDeps, notice: Notice): Promise<Found | null> {
  const intent = notice.intentId === null ? null : await db.intents.find(notice.intentId);
  if (intent === null || intent.userId !== notice.userId || intent.status !== 'CREATED') return null;
  const address = recipientOf(intent.params);
  const { notBefore: at } = intent;
  if (address === null || at === null) return null;
  // It leaves when its turn comes, which may be later: until it is signed it can be called off.
  return { what: { kind: 'withdrawal', address, at }, way: 'withdrawal', endsAt: at + STOP_LINK_MS };
}

const FINDERS: {
  readonly [K in StoppableKind]: (deps: StopFactsDeps, notice: Notice) => Promise<Found | null>;
} = { guard: ofGuard, export: ofExport, wallet: ofWallet, waiting: ofIntent };

import { AppError } from '../../../core/errors/app-error.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import { ownFollow } from '../../follows/use/follow-wallet.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import type { RightPin } from '../../guard/rules/right-pin.ts';
import { assertMayAct, passGate } from '../../guard/use/pass-gate.ts';
import { provenBefore } from '../../guard/use/verify-pin.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { COPY_LIMITS, type Copy, type CopyRules, copyFacts, isWider, misfitOf } from '../rules/copy.ts';
import type { CopyDeps } from './copy-deps.ts';

type Asked = { readonly userId: string; readonly followId: string };

/** A person's copy of a followed wallet that is not over; null where there is none. Throws FOLLOW_NOT_FOUND for a stranger's. */
export async function copyOf(
  { db }: { readonly db: Pick<Database, 'follows' | 'copies'> },
  asked: Asked,
): Promise<Copy | null> {
  const { leader } = await ownFollow({ db }, asked);
  const all = await db.copies.listByUser(asked.userId);
  return all.find((one) => one.leader === leader) ?? null;
}

/**
 * Switches a copy on with these rules: a new one, a paused one, or one that is on with others. The PIN is asked for each time that it may
 * do more than before; without one (null) it may only do less. The signer, which compares the PIN, certifies the rules for at most 30 days.
 * Throws COPY_REFUSED, PIN_REQUIRED, FOLLOW_NOT_FOUND, the errors of `verifyPin`, `passGate` and `ownWallet`, and BUTTON_STALE where the
 * copy was changed meanwhile; then nothing is stored.
 */
export async function switchOn(
  deps: CopyDeps,
  input: Asked & {
    readonly walletId: string;
    readonly rules: CopyRules;
    readonly pin: string | null;
    /** Of the copy on the screen; null where it showed none. */
    readonly version: number | null;
  },
): Promise<Copy> {
  const { userId, walletId, rules, pin } = input;
  if (!deps.isOn) throw new AppError('COPY_REFUSED', { kind: 'off' });
  const misfit = misfitOf(rules, deps.autoSpendCapLamports);
  if (misfit !== null) throw new AppError('COPY_REFUSED', { kind: misfit });
  const follow = await ownFollow(deps, input);
  const wallet = await ownWallet(deps.db.wallets, input);
  const before = await copyOf(deps, input);
  if ((before?.version ?? null) !== input.version) throw new AppError('BUTTON_STALE', {});
  const narrows = before !== null && isNarrower(before, { walletId, rules });
  if (!narrows && pin === null) throw new AppError('PIN_REQUIRED', {});
  if (!narrows) await assertMayAct(deps.db, deps, { act: 'copy-on', userId });
  const guard = await deps.db.guards.find(userId);
  const now = deps.clock.now();
  const copy: Copy = {
    id: before?.id ?? deps.ids.ulid(),
    userId,
    walletId: wallet.id,
    followId: follow.id,
    leader: follow.leader,
    status: 'ON',
    reason: null,
    rules,
    lockEpoch: narrows ? before.lockEpoch : guard.lockEpoch,
    until: narrows ? before.until : now + COPY_LIMITS.mandateMs,
    certificate: null,
    since: narrows ? before.since : now,
    version: before?.version ?? 1,
    createdAt: before?.createdAt ?? now,
  };
  // Before the transaction: no lock is held while the signer answers.
  const certificate = await deps.vault.mandateCopy({ copy: copyFacts(copy), pin: narrows ? null : pin });
  const proof = narrows ? null : provenBefore(userId);
  await deps.db.transact((stores) => store(deps, stores, { before, after: { ...copy, certificate }, proof }));
  deps.copiesChanged();
  return { ...copy, certificate, version: before === null ? 1 : before.version + 1 };
}

function isNarrower(before: Copy, { walletId, rules }: Pick<Copy, 'walletId' | 'rules'>): boolean {
  return before.status === 'ON' && before.walletId === walletId && !isWider(rules, before.rules);
}

async function store(
  deps: Pick<CopyDeps, 'clock' | 'ids' | 'guardRules'>,
  stores: Stores,
  {
    before,
    after,
    proof,
  }: { readonly before: Copy | null; readonly after: Copy; readonly proof: RightPin | null },
): Promise<void> {
  const { userId } = after;
  const passed =
    proof === null
      ? passFree('copy-stop', userId)
      : await passGate(stores, deps, { act: 'copy-on', userId, proof });
  const guard = await stores.guards.lock(userId);
  // Locked, or another PIN, while the signer answered.
  if (guard.lockEpoch !== after.lockEpoch) throw new AppError('BUTTON_STALE', {});
  // From here on it trades with money.
  await stores.paperCopies.end({ userId, leader: after.leader });
  if (before === null) {
    const open = await stores.copies.listByUser(userId);
    if (open.length >= COPY_LIMITS.perPerson) throw new AppError('COPY_REFUSED', { kind: 'too-many' });
    if (!isForNew(passed) || !(await stores.copies.insert(passed, after)))
      throw new AppError('BUTTON_STALE', {});
  } else if (!(await stores.copies.save(passed, after))) throw new AppError('BUTTON_STALE', {});
}

type NewPass = Awaited<ReturnType<typeof passGate<'copy-on'>>>;
const isForNew = (passed: { readonly act: string }): passed is NewPass => passed.act === 'copy-on';

/** Pauses or ends a copy, by one tap and without a PIN, also while everything is frozen. False where nothing was to be done. */
export async function switchOff(
  deps: Pick<CopyDeps, 'db' | 'clock' | 'copiesChanged'>,
  input: { readonly userId: string; readonly followId: string; readonly what: 'pause' | 'end' },
): Promise<boolean> {
  const { userId, what } = input;
  const done = await deps.db.transact(async (stores) => {
    await stores.guards.lock(userId);
    const copy = await copyOf({ db: stores }, input);
    if (copy === null || (what === 'pause' && copy.status !== 'ON')) return false;
    const status = what === 'pause' ? 'PAUSED' : 'ENDED';
    const after: Copy = { ...copy, status, reason: what === 'pause' ? 'person' : null };
    return stores.copies.save(passFree('copy-stop', userId), after);
  });
  deps.copiesChanged();
  return done;
}

import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { capNow } from '../../guard/rules/cap.ts';
import type { GuardRules } from '../../guard/rules/guard.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import { assertMayAct, passGate } from '../../guard/use/pass-gate.ts';
import { provenBefore } from '../../guard/use/verify-pin.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { encodeKeyNotice } from '../rules/key-notice.ts';
import {
  canSign,
  isOpenKey,
  type KEY_DAYS,
  KEY_LIMITS,
  type KeyTerms,
  keyFacts,
  keyMisfit,
  type PersonalKey,
} from '../rules/personal-key.ts';

export type KeyDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly guardRules: GuardRules;
  readonly vault: Pick<Vault, 'certifyPersonalKey' | 'endPersonalKey'>;
  /** The host that requests are signed for; null: this service takes none. */
  readonly host: string | null;
  readonly nudge: () => void;
};

const DAY_MS = 86_400_000;

/** The keys of a person that may be used now, oldest first, and the most that a new one may spend within 24 hours, in lamports. */
export async function listKeys(
  { db, clock, guardRules }: Pick<KeyDeps, 'db' | 'clock' | 'guardRules'>,
  userId: string,
): Promise<{ readonly keys: readonly PersonalKey[]; readonly mostDayLamports: bigint }> {
  const [keys, guard] = await Promise.all([db.personalKeys.listByUser(userId), db.guards.find(userId)]);
  return {
    keys: keys.filter((key) => isOpenKey(key, guard, clock)),
    mostDayLamports: capNow(guard, clock, guardRules, 'spending'),
  };
}

/** Throws PERSONAL_KEY_REFUSED where the key of the terms cannot be added, or its terms do not fit. Asks for no PIN. */
export async function assertKeyFits(
  deps: Pick<KeyDeps, 'db' | 'clock' | 'guardRules' | 'host'>,
  {
    userId,
    publicKey,
    terms,
  }: { readonly userId: string; readonly publicKey: Address; readonly terms: KeyTerms },
): Promise<void> {
  if (deps.host === null) throw new AppError('PERSONAL_KEY_REFUSED', { kind: 'off' });
  if (!canSign(publicKey)) throw new AppError('PERSONAL_KEY_REFUSED', { kind: 'public-key' });
  const { keys, mostDayLamports } = await listKeys(deps, userId);
  if (keys.some((key) => key.publicKey === publicKey))
    throw new AppError('PERSONAL_KEY_REFUSED', { kind: 'known' });
  if (keys.length >= KEY_LIMITS.perPerson) throw new AppError('PERSONAL_KEY_REFUSED', { kind: 'too-many' });
  const misfit = keyMisfit(terms, mostDayLamports);
  if (misfit !== null) throw new AppError('PERSONAL_KEY_REFUSED', { kind: misfit });
}

/**
 * Adds the public half of a key of the person's own program, for so many days. The signer compares the PIN and certifies the terms.
 * Throws PERSONAL_KEY_REFUSED, the errors of `verifyPin`, `passGate` and `ownWallet`, and BUTTON_STALE where trades were locked meanwhile;
 * then nothing is stored.
 */
export async function addKey(
  deps: KeyDeps,
  input: {
    readonly userId: string;
    readonly walletId: string;
    readonly publicKey: Address;
    readonly terms: KeyTerms;
    readonly days: (typeof KEY_DAYS)[number];
    readonly pin: string;
  },
): Promise<PersonalKey> {
  const { userId, publicKey, terms, days, pin } = input;
  await assertKeyFits(deps, input);
  await assertMayAct(deps.db, deps, { act: 'personal-key-add', userId });
  const wallet = await ownWallet(deps.db.wallets, input);
  const guard = await deps.db.guards.find(userId);
  const now = deps.clock.now();
  const key: PersonalKey = {
    id: deps.ids.ulid(),
    userId,
    walletId: wallet.id,
    publicKey,
    host: deps.host ?? '',
    terms,
    lockEpoch: guard.lockEpoch,
    until: now + days * DAY_MS,
    certificate: null,
    createdAt: now,
    endedAt: null,
  };
  // Before the transaction: no lock is held while the signer answers.
  const certificate = await deps.vault.certifyPersonalKey({ key: keyFacts(key), pin });
  const certified = { ...key, certificate };
  await deps.db.transact((stores) => storeKey(deps, stores, certified));
  deps.nudge();
  return certified;
}

async function storeKey(deps: KeyDeps, stores: Stores, key: PersonalKey): Promise<void> {
  const { id: keyId, userId, publicKey: address, createdAt: now, until: at } = key;
  const proof = provenBefore(userId);
  const passed = await passGate(stores, deps, { act: 'personal-key-add', userId, proof });
  // Locked, or another PIN, while the signer answered.
  const guard = await stores.guards.lock(userId);
  if (guard.lockEpoch !== key.lockEpoch) throw new AppError('BUTTON_STALE', {});
  const before = await stores.personalKeys.listByUser(userId);
  const over = before.filter((one) => !isOpenKey(one, guard, deps.clock));
  for (const one of over) await stores.personalKeys.end(passFree('personal-key-end', userId), one, now);
  if (before.length - over.length >= KEY_LIMITS.perPerson)
    throw new AppError('PERSONAL_KEY_REFUSED', { kind: 'too-many' });
  if (!(await stores.personalKeys.insert(passed, key)))
    throw new AppError('PERSONAL_KEY_REFUSED', { kind: 'known' });
  await stores.auditLog.record(ownAct(userId, now, 'personal-key-added', { keyId, address, at }));
  const payload = encodeKeyNotice({ keyId, event: 'added', trades: 0, orders: 0, lamports: 0n, mint: null });
  await addNotices(deps, stores, [{ userId, intentId: null, kind: 'personal-key', payload }]);
}

/**
 * Ends a key by one tap and without a PIN, also while everything is frozen. The signer writes it down first, so that no change of the row
 * opens it again. The row ends also where the signer cannot be asked, and nothing is signed meanwhile. Throws PERSONAL_KEY_NOT_FOUND for a
 * stranger's, and the errors of the signer.
 */
export async function endKey(
  { vault, ...deps }: Pick<KeyDeps, 'db' | 'clock' | 'vault'>,
  asked: { readonly userId: string; readonly keyId: string },
): Promise<void> {
  await assertOwn(deps.db, asked);
  try {
    await vault.endPersonalKey(asked);
  } finally {
    await endRow(deps, asked);
  }
}

async function assertOwn(
  { personalKeys }: Pick<Stores, 'personalKeys'>,
  { userId, keyId }: { readonly userId: string; readonly keyId: string },
): Promise<PersonalKey> {
  const key = await personalKeys.find(keyId);
  if (key === null || key.userId !== userId) throw new AppError('PERSONAL_KEY_NOT_FOUND', {});
  return key;
}

async function endRow(
  { db, clock }: Pick<KeyDeps, 'db' | 'clock'>,
  asked: { readonly userId: string; readonly keyId: string },
): Promise<void> {
  const { userId, keyId } = asked;
  await db.transact(async (stores) => {
    // A signature that is being stored is through, or finds the key ended.
    await stores.guards.lock(userId);
    const now = clock.now();
    const key = await assertOwn(stores, asked);
    if (!(await stores.personalKeys.end(passFree('personal-key-end', userId), key, now))) return;
    await stores.auditLog.record(
      ownAct(userId, now, 'personal-key-ended', { keyId, address: key.publicKey }),
    );
  });
}

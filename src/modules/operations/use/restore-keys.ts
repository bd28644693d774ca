import type { KeptKey } from '../../../engine/signing/rules/key-list.ts';
import type { KeyEntry } from '../../../engine/signing/rules/record.ts';
import type { Certifier } from '../../../platform/ports/certificates.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Guard } from '../../guard/rules/guard.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import { locked } from '../../guard/rules/unlock.ts';
import { DEFAULT_SETTINGS } from '../../settings/rules/settings.ts';
import type { User } from '../../settings/rules/user.ts';
import type { Wallet, WalletSecret } from '../../wallets/rules/wallet.ts';

/** How long a person spends nothing after one of their wallets came back: time for its true owner to say so. */
export const RESTORED_WAIT_MS = 24 * 3_600_000;

export type RestoreKeysDeps = {
  readonly db: Pick<Database, 'wallets' | 'transact'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'ulid'>;
  /** The line as a row for this person, proved by opening it; null when no key of the ring opens it. Throws KEK_UNAVAILABLE. */
  readonly open: (line: KeyEntry, userId: string) => Promise<WalletSecret | null>;
  /** Certifies the restored people and wallets, with the signer's own secret. */
  readonly certifier: Certifier;
  /** In the same commit. */
  readonly record: (stores: Stores, wallet: Wallet, telegramId: bigint) => Promise<void>;
};

/** `no-owner`: never seen committed, so the operator says whose it is. `unreadable`: no key of the ring opens a line of it. */
export type Restored =
  | { readonly kind: 'restored'; readonly wallet: Wallet; readonly telegramId: bigint }
  | { readonly kind: 'known' | 'no-owner' | 'treasury' | 'unreadable' };

/**
 * Puts back a wallet that the database lacks, with its person where that one is lacking too, and freezes the person's account for 24
 * hours. `owner` is the operator's word for a wallet that never was seen committed; for any other the keybook's word counts. A
 * person who came back as a new one meanwhile gets the wallet under the new name.
 */
export async function restoreKey(
  deps: RestoreKeysDeps,
  { lines, owner }: KeptKey,
  operatorsWord: string | null,
): Promise<Restored> {
  const [{ walletId, userId, publicKey }] = lines;
  if ((await deps.db.wallets.find(walletId)) !== null) return { kind: 'known' };
  if ((await deps.db.wallets.findByAddress(publicKey)) !== null) return { kind: 'known' };
  if (userId === null) return { kind: 'treasury' };
  const named = owner ?? operatorsWord;
  if (named === null) return { kind: 'no-owner' };
  const telegramId = BigInt(named);
  return deps.db
    .transact(async (stores) => {
      const user = await personOf(deps, stores, { telegramId, userId });
      const secret = await firstThatOpens(deps, lines, user.id);
      if (secret === null) throw new Unreadable();
      const now = deps.clock.now();
      const guard = await stores.guards.lock(user.id);
      const wallet: Wallet = {
        id: walletId,
        userId: user.id,
        name: await freeName(stores, user.id, publicKey),
        address: publicKey,
        createdAt: now,
        deletedAt: null,
        // The keybook does not say how the key came here, so the wallet receives nothing.
        origin: 'imported',
        confirmedAt: null,
        payoutFrom: null,
      };
      const passed = passFree('operator', user.id);
      const certificate = deps.certifier.wallet(wallet);
      await stores.wallets.insert(passed, wallet, { ...secret, certificate });
      if (user.activeWalletId === null) await stores.users.activate(passed, user.id, walletId);
      await stores.guards.save(frozenUntil(guard, now), passFree('panic', user.id));
      await deps.record(stores, wallet, telegramId);
      return { kind: 'restored', wallet, telegramId } as const;
    })
    .catch((error: unknown): Restored => {
      if (error instanceof Unreadable) return { kind: 'unreadable' };
      throw error;
    });
}

/** Ends the transaction, so that no person is made for a wallet that does not open. */
class Unreadable extends Error {}

async function personOf(
  deps: RestoreKeysDeps,
  { users }: Stores,
  { telegramId, userId }: { readonly telegramId: bigint; readonly userId: string },
): Promise<User> {
  const isTaken = (await users.find(userId)) !== null;
  const id = isTaken ? deps.ids.ulid() : userId;
  const row: User = {
    id,
    telegramId,
    // Telegram says the true one at the next contact.
    firstName: 'Restored',
    telegramLanguage: null,
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId: null,
    screenMessageId: null,
    blockedAt: null,
    createdAt: deps.clock.now(),
  };
  const { user } = await users.insert(row, deps.certifier.person({ id, telegramId, inviterId: null }));
  return user;
}

async function firstThatOpens(
  { open }: Pick<RestoreKeysDeps, 'open'>,
  lines: readonly KeyEntry[],
  userId: string,
): Promise<WalletSecret | null> {
  for (const line of lines) {
    const secret = await open(line, userId);
    if (secret !== null) return secret;
  }
  return null;
}

async function freeName({ wallets }: Stores, userId: string, address: string): Promise<string> {
  const taken = new Set((await wallets.listByUser(userId)).map(({ name }) => name.toLowerCase()));
  const base = `Restored ${address.slice(0, 4)}`;
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base} ${n}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** A freeze that was there, or lasts longer, stays. */
function frozenUntil(guard: Guard, now: number): Guard {
  const until = now + RESTORED_WAIT_MS;
  const isFrozenForGood = guard.frozenAt !== null && guard.unfreezeAt === null;
  if (isFrozenForGood) return guard;
  return {
    ...locked(guard),
    frozenAt: guard.frozenAt ?? now,
    unfreezeAt: Math.max(until, guard.unfreezeAt ?? 0),
  };
}

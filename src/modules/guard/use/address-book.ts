import { type Address, shortAddress } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { ADDRESSES_PER_WALLET, type BookedAddress, usableAt } from '../rules/address-book.ts';
import type { GuardRules } from '../rules/guard.ts';
import { passFree } from '../rules/pass-free.ts';
import type { Passed } from '../rules/passed.ts';
import { cancelWaiting } from './cancel-waiting.ts';
import type { GuardDeps } from './deps.ts';
import { freezeAccount } from './freeze-account.ts';
import { passGate } from './pass-gate.ts';
import { verifyPin } from './verify-pin.ts';

export type BookRow = { readonly entry: BookedAddress; readonly usableAt: number; readonly usable: boolean };

/** A wallet's addresses and since or from when each may be paid. Throws WALLET_NOT_FOUND. */
export async function listAddresses(
  deps: {
    readonly db: Pick<Stores, 'wallets' | 'addressBook' | 'guards'>;
    readonly clock: Clock;
    readonly guardRules: GuardRules;
  },
  input: { readonly userId: string; readonly walletId: string },
): Promise<readonly BookRow[]> {
  await ownWallet(deps.db.wallets, input);
  const [entries, guard] = await Promise.all([
    deps.db.addressBook.list(input.walletId),
    deps.db.guards.find(input.userId),
  ]);
  const now = deps.clock.now();
  return entries.map((entry) => {
    const at = usableAt(entry, guard, deps.guardRules);
    return { entry, usableAt: at, usable: at <= now };
  });
}

/**
 * The entry of an address, made when the wallet does not know it; its age counts from the first time. A known one takes the name,
 * where there is one: a withdrawal brought it in without. For the caller's transaction, under the person's guard lock. Throws ADDRESS_BOOK_FULL.
 */
export async function bookAddress(
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  { addressBook }: Pick<Stores, 'addressBook'>,
  passed: Passed<'address-add' | 'withdraw'>,
  request: Pick<BookedAddress, 'userId' | 'walletId' | 'address'> & { readonly name: string | null },
): Promise<BookedAddress> {
  const known = await addressBook.find(request.walletId, request.address);
  if (known !== null) {
    if (request.name === null || request.name === known.name) return known;
    await addressBook.rename(passed, known.id, request.name);
    return { ...known, name: request.name };
  }
  if ((await addressBook.list(request.walletId)).length >= ADDRESSES_PER_WALLET) {
    throw new AppError('ADDRESS_BOOK_FULL', { max: ADDRESSES_PER_WALLET });
  }
  const { userId, walletId, address } = request;
  return addressBook.insert(passed, {
    id: ids.ulid(),
    userId,
    walletId,
    address,
    name: request.name ?? shortAddress(address),
    addedAt: clock.now(),
  });
}

/** Adds an address with the PIN. Throws the errors of `verifyPin`, WALLET_NOT_FOUND and ADDRESS_BOOK_FULL. */
export async function addAddress(
  deps: GuardDeps,
  input: {
    readonly userId: string;
    readonly walletId: string;
    readonly address: Address;
    readonly name: string;
    readonly pin: string;
  },
): Promise<BookRow> {
  const proof = await verifyPin(deps, input);
  await ownWallet(deps.db.wallets, input);
  return deps.db.transact(async (stores) => {
    const guard = await stores.guards.lock(input.userId);
    const passed = await passGate(stores, deps, { act: 'address-add', userId: input.userId, proof });
    const entry = await bookAddress(deps, stores, passed, input);
    const at = usableAt(entry, guard, deps.guardRules);
    const { walletId, address } = entry;
    await stores.auditLog.record(
      ownAct(input.userId, deps.clock.now(), 'address-added', { walletId, address }),
    );
    return { entry, usableAt: at, usable: at <= deps.clock.now() };
  });
}

/**
 * Removes the person's own address and cancels withdrawals that wait for it; `cancelled`: how many of these. Null when there is no such
 * address. Needs no PIN.
 */
export async function removeAddress(
  deps: GuardDeps,
  input: { readonly userId: string; readonly id: string },
): Promise<{ readonly entry: BookedAddress; readonly cancelled: number } | null> {
  const entry = await deps.db.transact(async ({ guards, addressBook, auditLog }) => {
    // A signature that is being stored for this address is through, or finds the address gone.
    await guards.lock(input.userId);
    const removed = await addressBook.remove(
      passFree('address-remove', input.userId),
      input.id,
      input.userId,
    );
    if (removed === null) return null;
    const { walletId, address } = removed;
    await auditLog.record(ownAct(input.userId, deps.clock.now(), 'address-removed', { walletId, address }));
    return removed;
  });
  if (entry === null) return null;
  const { walletId, address } = entry;
  const cancelled = await cancelWaiting(deps, { userId: input.userId, only: { walletId, address } });
  return { entry, cancelled };
}

/** "That was not me": freezes first, then forgets the address and cancels withdrawals that wait for it. Needs no PIN. */
export async function blockAddress(
  deps: GuardDeps,
  input: { readonly userId: string; readonly walletId: string; readonly address: Address },
): Promise<void> {
  await freezeAccount(deps, input);
  const entry = await deps.db.addressBook.find(input.walletId, input.address);
  if (entry !== null) await removeAddress(deps, { userId: input.userId, id: entry.id });
}

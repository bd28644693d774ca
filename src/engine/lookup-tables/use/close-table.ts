import type { Address } from '@tradepost/solana';
import { deactivatedAt } from '../rules/lookup-table.ts';
import { LookupTableError, landOperatorTransaction, type OperatorKey } from './operator-transaction.ts';
import type { SyncDeps } from './sync-tables.ts';

export type Closing =
  /** No transaction is built with it any more; those under way still land. It can be closed after the cool-down. */
  | { readonly kind: 'deactivated'; readonly signature: string }
  | { readonly kind: 'cooling'; readonly slotsLeft: bigint }
  | { readonly kind: 'closed'; readonly signature: string; readonly refundLamports: bigint }
  /** The chain does not have it; it is forgotten. */
  | { readonly kind: 'gone' };

/** Slots for which a deactivated table stays readable: as long as its slot is among the recent hashes, and one more. */
const COOL_DOWN_SLOTS = 513n;

/**
 * The next step of closing one of our tables: it is written down as closing before the chain hears of it, deactivated, and
 * some four minutes later closed, which brings its rent back. Run it again for each step. Throws a LookupTableError.
 */
export async function closeTable(deps: SyncDeps, key: OperatorKey, address: Address): Promise<Closing> {
  const row = (await deps.store.list()).find((table) => table.address === address);
  if (row === undefined)
    throw new LookupTableError(`${address} is none of the tables that are written down.`);
  if (row.authority !== key.address) {
    throw new LookupTableError(
      `${address} belongs to ${row.authority}, and the key given is ${key.address}.`,
    );
  }
  await deps.store.markClosing(address, deps.clock.now());
  const { accounts, slot } = await deps.chain.accounts([address]);
  const account = accounts[0] ?? null;
  if (account === null) {
    await deps.store.remove(address);
    return { kind: 'gone' };
  }
  const since = deactivatedAt(account);
  if (since === null) {
    const signature = await landOperatorTransaction(deps, key, [
      deps.program.deactivate(key.address, address),
    ]);
    return { kind: 'deactivated', signature };
  }
  const slotsLeft = since + COOL_DOWN_SLOTS - slot;
  if (slotsLeft > 0n) return { kind: 'cooling', slotsLeft };
  const signature = await landOperatorTransaction(deps, key, [deps.program.close(key.address, address)]);
  await deps.store.remove(address);
  return { kind: 'closed', signature, refundLamports: account.lamports };
}

import { accountKey, type LedgerEntry, type LedgerTransfer } from './entry.ts';

export type Stamp = { readonly id: string; readonly createdAt: number };

/** One entry per account, no empty entries. Throws a RangeError when the entries do not sum to zero. */
export function balancedTransfer(
  stamp: Stamp,
  currency: LedgerTransfer['currency'],
  reason: LedgerTransfer['reason'],
  key: string,
  ref: string,
  entries: readonly LedgerEntry[],
): LedgerTransfer {
  const byAccount = new Map<string, LedgerEntry>();
  for (const { account, amount } of entries) {
    const known = byAccount.get(accountKey(account));
    byAccount.set(accountKey(account), { account, amount: (known?.amount ?? 0n) + amount });
  }
  const merged = [...byAccount.values()].filter((entry) => entry.amount !== 0n);
  const sum = merged.reduce((total, entry) => total + entry.amount, 0n);
  if (sum !== 0n) throw new RangeError(`${reason} of ${ref} is out of balance by ${sum}`);
  return { ...stamp, key, reason, ref, currency, entries: merged };
}

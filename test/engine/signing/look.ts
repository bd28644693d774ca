import type { Address } from '@tradepost/solana';
import type { LookupTable } from '../../../src/engine/lookup-tables/rules/lookup-table.ts';
import type { HeldAccounts } from '../../../src/engine/signing/rules/account-book.ts';
import { accountsToKnow } from '../../../src/engine/signing/rules/held-accounts.ts';

/** What a judge sees who looks at the chain as the product does: of the accounts it asks for, the wallet has `own` and no others. */
export function look(
  message: Uint8Array,
  wallet: Address,
  tables: readonly LookupTable[],
  own: HeldAccounts = new Map(),
): HeldAccounts {
  return new Map(accountsToKnow(message, wallet, tables).map((one) => [one, own.get(one) ?? null]));
}

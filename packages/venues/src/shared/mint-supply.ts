import type { Address } from '@tradepost/solana';
import { accountView } from './account-view.ts';
import type { PoolAccounts } from './exchange.ts';
import { type Refusal, refuse } from './refusal.ts';

/** In both token programs' mints. */
const SUPPLY_AT = 36;

/** Units that the mint's own account says exist, at the slot of the pool. */
export function mintSupply(accounts: PoolAccounts, mint: Address): bigint | Refusal {
  const account = accounts.get(mint);
  if (account === null || account.data.length < SUPPLY_AT + 8)
    return refuse('missing-account', `no mint ${mint}`);
  return accountView(account.data).u64(SUPPLY_AT);
}

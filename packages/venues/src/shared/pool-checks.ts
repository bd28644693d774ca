import { type Address, type ChainAccount, readTokenAccount } from '@tradepost/solana';
import type { MintFacts } from '../pool.ts';
import { type AccountView, accountView } from './account-view.ts';
import type { PoolAccounts, PoolFacts } from './exchange.ts';
import { mintRefusal } from './exchange-pool.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';

export type Layout = {
  readonly what: string;
  readonly programId: Address;
  /** Null for the few programs that write none. */
  readonly discriminator: Uint8Array | null;
  readonly minBytes: number;
  /** Null when later versions of the program made the account longer. */
  readonly maxBytes: number | null;
};

/**
 * The account's fields, once owner, discriminator and length agree. All three: programs share discriminators, and everyone may create an
 * account with any bytes under a program of his own.
 */
export function checkedView(
  account: ChainAccount | null,
  layout: Layout,
  reason: 'not-a-pool' | 'missing-account' = 'missing-account',
): AccountView | Refusal {
  if (account === null) return refuse(reason, `no ${layout.what} account`);
  if (account.owner !== layout.programId)
    return refuse(reason, `${layout.what} is owned by ${account.owner}, expected ${layout.programId}`);
  const { data } = account;
  if (data.length < layout.minBytes || (layout.maxBytes !== null && data.length > layout.maxBytes)) {
    return refuse(reason, `${layout.what} has ${data.length} bytes, expected ${layout.minBytes}`);
  }
  if (layout.discriminator?.some((byte, index) => data[index] !== byte) === true)
    return refuse(reason, `${layout.what} has another discriminator`);
  return accountView(data);
}

/**
 * The balance of a token account that holds `mint`, or a refusal: prices come from nothing but the pool's own vaults, and
 * out of a frozen one nothing can leave.
 */
function vaultBalance(accounts: PoolAccounts, vault: Address, mint: MintFacts): bigint | Refusal {
  const account = accounts.get(vault);
  if (account === null) return refuse('missing-account', `no vault ${vault}`);
  const held = account.owner === mint.tokenProgram ? readTokenAccount(account) : null;
  if (held === null) return refuse('missing-account', `vault ${vault} is no account of ${mint.tokenProgram}`);
  if (held.mint !== mint.mint)
    return refuse('bad-state', `vault ${vault} holds ${held.mint}, expected ${mint.mint}`);
  if (held.frozen) return refuse('not-trading', `vault ${vault} is frozen`);
  return held.amount;
}

/** Facts of both mints in the pool's order, once transfers of both can be foreseen. */
export function poolMints(
  facts: PoolFacts,
  mints: readonly [Address, Address],
): readonly [MintFacts, MintFacts] | Refusal {
  const [first, second] = [facts.mint(mints[0]), facts.mint(mints[1])];
  if (first === null || second === null)
    return refuse('missing-account', `no mint ${first === null ? mints[0] : mints[1]}`);
  return mintRefusal(first) ?? mintRefusal(second) ?? [first, second];
}

/** The balances of both vaults, in the order of the mints. */
export function vaultBalances(
  accounts: PoolAccounts,
  vaults: readonly [Address, Address],
  mints: readonly [MintFacts, MintFacts],
): readonly [bigint, bigint] | Refusal {
  const first = vaultBalance(accounts, vaults[0], mints[0]);
  if (isRefusal(first)) return first;
  const second = vaultBalance(accounts, vaults[1], mints[1]);
  return isRefusal(second) ? second : [first, second];
}

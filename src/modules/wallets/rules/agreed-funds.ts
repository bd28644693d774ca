import { type Address, minBigint, readTokenAccount } from '@tradepost/solana';
import type { TokenHolding } from '../../tokens/rules/token.ts';

/** The holdings of a wallet, as screens show them. */
export type WalletFunds = {
  readonly lamports: bigint;
  /** Tokens with a balance. */
  readonly tokens: readonly TokenHolding[];
  /** Two nodes say different amounts, and these are the lower ones; or a node's list was cut, and a token may be missing. */
  readonly inDoubt: boolean;
};

type Account = { readonly lamports: bigint; readonly owner: Address; readonly data: Uint8Array };

/** The accounts that a second node is asked about: the wallet itself, and those of its tokens. */
export function accountsOf(owner: Address, funds: WalletFunds): readonly Address[] {
  return [owner, ...funds.tokens.flatMap(({ accounts }) => accounts.map(({ address }) => address))];
}

/**
 * The funds that one node reported, beside the answer of another for the same accounts (null = no such account): of each asset the lower
 * amount. `said` lacks an account where the other was not asked about it: then the first counts.
 */
export function lowerOf(
  owner: Address,
  funds: WalletFunds,
  said: ReadonlyMap<Address, Account | null>,
): WalletFunds {
  const unitsIn = (account: Address, mint: Address, told: bigint): bigint => {
    const found = said.get(account);
    if (found === undefined) return told;
    const held = found === null ? null : readTokenAccount(found);
    return held?.owner === owner && held.mint === mint ? held.amount : 0n;
  };
  const other = said.get(owner);
  const lamports = other === undefined ? funds.lamports : (other?.lamports ?? 0n);
  const pairs = funds.tokens.map((holding) => ({
    holding,
    amount: holding.accounts.reduce((sum, one) => sum + unitsIn(one.address, holding.mint, one.amount), 0n),
  }));
  const inDoubt =
    lamports !== funds.lamports || pairs.some(({ holding, amount }) => amount !== holding.amount);
  if (!inDoubt) return funds;
  return {
    lamports: minBigint(lamports, funds.lamports),
    // Also where the lower one is 0: the token is there to be looked at.
    tokens: pairs.map(({ holding, amount }) => ({ ...holding, amount: minBigint(amount, holding.amount) })),
    inDoubt,
  };
}

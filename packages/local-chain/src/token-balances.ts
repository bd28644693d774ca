import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';
import type { TokenBalance } from './landed-transaction.ts';
import { isTokenProgram, readMint, readTokenAccount } from './token-account.ts';

/** Reads token balances for transaction metadata, remembering the decimals of mints. */
export interface TokenBalances {
  /** The balances among `states`, each with its index. */
  of(states: readonly (AccountState | null)[]): readonly TokenBalance[];
  /** Must be called for every written account: a mint may have been closed and made anew. */
  forget(address: Address): void;
}

export function createTokenBalances(account: (address: Address) => AccountState | null): TokenBalances {
  const decimals = new Map<Address, number>();
  const decimalsOf = (mint: Address): number => {
    const known = decimals.get(mint);
    if (known !== undefined) return known;
    const read = readMint(account(mint))?.decimals ?? 0;
    decimals.set(mint, read);
    return read;
  };
  return {
    of: (states) => {
      const out: TokenBalance[] = [];
      for (const [accountIndex, state] of states.entries()) {
        if (state === null || !isTokenProgram(state.owner)) continue;
        const held = readTokenAccount(state);
        if (held === null) continue;
        const { mint, owner, amount } = held;
        out.push({ accountIndex, mint, owner, program: state.owner, amount, decimals: decimalsOf(mint) });
      }
      return out;
    },
    forget: (address) => {
      decimals.delete(address);
    },
  };
}

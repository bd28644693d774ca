import { type Address, readTokenAccount } from '@tradepost/solana';
import type { TokenHolding } from '../../modules/tokens/rules/token.ts';

export type OwnedTokenAccount = {
  readonly address: Address;
  readonly program: Address;
  readonly data: Uint8Array;
};

/** Token accounts summed per mint, largest amount first, ties by mint. Accounts of unknown mints are left out. */
export function sumHoldings(
  owner: Address,
  owned: readonly OwnedTokenAccount[],
  decimalsOf: (mint: Address) => number | null,
): readonly TokenHolding[] {
  const byMint = new Map<Address, TokenHolding>();
  for (const { address, program, data } of owned) {
    const decoded = readTokenAccount({ owner: program, data });
    if (decoded === null || decoded.owner !== owner) continue;
    const decimals = decimalsOf(decoded.mint);
    if (decimals === null) continue;
    const known = byMint.get(decoded.mint);
    byMint.set(decoded.mint, {
      mint: decoded.mint,
      tokenProgram: program,
      decimals,
      amount: (known?.amount ?? 0n) + decoded.amount,
      accounts: [...(known?.accounts ?? []), { address, amount: decoded.amount, frozen: decoded.frozen }],
    });
  }
  return [...byMint.values()].sort((a, b) =>
    a.amount === b.amount ? (a.mint < b.mint ? -1 : 1) : a.amount > b.amount ? -1 : 1,
  );
}

/** The mints of these accounts, each once. */
export function mintsOf(owned: readonly OwnedTokenAccount[]): readonly Address[] {
  const mints = owned.flatMap(({ program, data }) => readTokenAccount({ owner: program, data })?.mint ?? []);
  return [...new Set(mints)];
}

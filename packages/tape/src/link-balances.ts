import { type VaultSide, vaultChange } from './decode/legs.ts';
import type { MarketKeys, VaultBalances } from './market-keys.ts';
import type { TapeTransaction } from './transaction.ts';

/** The balances of both vaults; null before both have been named. */
export type VaultPost = VaultBalances | null;

export type Linked =
  | { readonly kind: 'whole'; readonly post: VaultPost; readonly links: number }
  | {
      readonly kind: 'broken';
      /** The missing transaction may be in this slot or a later one: the slot of the last transaction that linked. Null: none linked. */
      readonly since: bigint | null;
      readonly why: string;
    };

/**
 * Whether nothing is missing among the transactions of a market. Each transaction states the vaults' balances before it, and these must be
 * those that the one before left. So arithmetic finds a node that hides a transaction. It fails only when the hidden ones cancel out on
 * both vaults. `after` holds the balances known from before: a vault that was never seen begins with any balance.
 */
export function linkBalances(
  transactions: readonly TapeTransaction[],
  market: MarketKeys,
  after: VaultPost,
): Linked {
  const held: { base: bigint | null; quote: bigint | null } = {
    base: after?.base ?? null,
    quote: after?.quote ?? null,
  };
  let links = 0;
  let since: bigint | null = null;
  for (const transaction of transactions) {
    for (const side of ['base', 'quote'] as const satisfies readonly VaultSide[]) {
      const change = vaultChange(transaction, market, side);
      if (change === null) continue;
      const known = held[side];
      if (known !== null && known !== change.before) {
        const why = `the ${side} vault held ${known}, and ${change.before} before ${transaction.signature}`;
        return { kind: 'broken', since, why };
      }
      if (known !== null) links += 1;
      held[side] = change.after;
    }
    since = transaction.slot;
  }
  return { kind: 'whole', links, post: postOf(held) };
}

/** Null until both vaults have been named: the balance of one is not yet known, and must not be made up. */
function postOf({ base, quote }: { readonly base: bigint | null; readonly quote: bigint | null }): VaultPost {
  return base === null || quote === null ? null : { base, quote };
}

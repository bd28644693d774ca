import type { Market } from '../../core/market/market.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { VaultBalances } from '../../core/ports/tape-store.ts';
import { unitsHeld } from '../../core/tokens/token-account.ts';

/** What the market's vaults hold at `confirmed`, and the slot of the answer. Throws CHAIN_UNREACHABLE. */
export async function vaultsNow(
  { chain }: { readonly chain: Pick<Chain, 'accounts'> },
  { kind, baseVault, quoteVault }: Pick<Market, 'kind' | 'baseVault' | 'quoteVault'>,
): Promise<VaultBalances & { readonly slot: bigint }> {
  const { slot, accounts } = await chain.accounts([baseVault, quoteVault]);
  const [base = null, quote = null] = accounts;
  return {
    slot,
    base: unitsHeld(base),
    quote: kind === 'lamports' ? (quote?.lamports ?? 0n) : unitsHeld(quote),
  };
}

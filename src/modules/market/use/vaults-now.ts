import { unitsHeld } from '@tradepost/solana';
import type { VaultBalances } from '@tradepost/tape';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Market } from '../rules/market.ts';

/** The balances of the market's vaults at `confirmed`, and the slot of the answer. Throws CHAIN_UNREACHABLE. */
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

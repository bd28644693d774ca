import type { Address } from '@tradepost/solana';
import { tokenDelta } from '../../../engine/intents/rules/landed-sums.ts';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import type { Movement } from './classify.ts';

/**
 * The effect of a landed transaction that is not the service's own on one mint in one wallet, from chain data alone. The signers come first
 * in a transaction's accounts.
 */
export function readMovement(
  landed: LandedTransaction,
  about: {
    readonly walletId: string;
    readonly wallet: Address;
    readonly mint: Address;
    /** The person's other wallets. */
    readonly ownWallets: readonly Address[];
    readonly knownMint: boolean;
    /** The proceeds of a sale of the units that came; null = no market. */
    readonly valueLamports: bigint | null;
    /** Epoch milliseconds, where the block has no time. */
    readonly now: number;
  },
): Movement {
  const { wallet, mint, ownWallets } = about;
  const units = tokenDelta(landed, wallet, mint);
  const others = new Set(
    landed.tokenBalances.filter((row) => row.mint === mint && row.owner !== wallet).map(({ owner }) => owner),
  );
  const opposite = [...others].filter((owner) => {
    const change = tokenDelta(landed, owner, mint);
    return units > 0n ? change < 0n : change > 0n;
  });
  return {
    walletId: about.walletId,
    mint,
    signature: landed.signature,
    slot: landed.slot,
    at: landed.blockTime === null ? about.now : landed.blockTime * 1_000,
    final: true,
    units,
    flowLamports: 0n,
    failed: landed.err !== null,
    ours: null,
    counterparty: opposite.some((owner) => ownWallets.includes(owner))
      ? 'own-wallet'
      : opposite.length > 0
        ? 'other'
        : 'none',
    signedByWallet: landed.balances.slice(0, landed.signatureCount).some(({ address }) => address === wallet),
    knownMint: about.knownMint,
    valueLamports: about.valueLamports,
  };
}

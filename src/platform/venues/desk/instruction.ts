import type { Address, Instruction } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '@tradepost/venues';
import type { Programs } from '../../ports/programs.ts';

/**
 * The two transfers that are a desk swap: the trader pays into one vault, the maker pays out of the other an exact amount.
 * They stand in one transaction, which the maker signs only as a whole.
 */
export function deskSwapInstructions(
  programs: Programs,
  maker: Address,
  order: PoolSwap,
  sides: {
    readonly mintIn: MintFacts;
    readonly mintOut: MintFacts;
    readonly vaultIn: Address;
    readonly vaultOut: Address;
    /** Leaves the output vault; the trader gets it less the mint's transfer fee. */
    readonly grossOut: bigint;
  },
): readonly Instruction[] {
  return [
    programs.transferToken({
      source: order.source,
      mint: sides.mintIn.mint,
      destination: sides.vaultIn,
      owner: order.owner,
      amount: order.amountIn,
      decimals: sides.mintIn.decimals,
      tokenProgram: sides.mintIn.tokenProgram,
    }),
    programs.transferToken({
      source: sides.vaultOut,
      mint: sides.mintOut.mint,
      destination: order.destination,
      owner: maker,
      amount: sides.grossOut,
      decimals: sides.mintOut.decimals,
      tokenProgram: sides.mintOut.tokenProgram,
    }),
  ];
}

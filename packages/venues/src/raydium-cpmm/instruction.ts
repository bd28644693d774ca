import type { Address, Instruction } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { joinBytes, readonlyMeta, signerMeta, u64, writableMeta } from '../shared/instruction-data.ts';
import { RAYDIUM_CPMM_AUTHORITY, RAYDIUM_CPMM_PROGRAM } from './layout.ts';

export const SWAP_BASE_INPUT = instructionDiscriminator('swap_base_input');

export type CpmmSwapAccounts = {
  readonly config: Address;
  readonly pool: Address;
  readonly vaultIn: Address;
  readonly vaultOut: Address;
  readonly mintIn: MintFacts;
  readonly mintOut: MintFacts;
  readonly observation: Address;
};

/** `swap_base_input`: the program itself compares the trader's receipt, transfer fee deducted, with the minimum. */
export function cpmmSwap(accounts: CpmmSwapAccounts, order: PoolSwap): Instruction {
  return {
    programId: RAYDIUM_CPMM_PROGRAM,
    accounts: [
      signerMeta(order.owner),
      readonlyMeta(RAYDIUM_CPMM_AUTHORITY),
      readonlyMeta(accounts.config),
      writableMeta(accounts.pool),
      writableMeta(order.source),
      writableMeta(order.destination),
      writableMeta(accounts.vaultIn),
      writableMeta(accounts.vaultOut),
      readonlyMeta(accounts.mintIn.tokenProgram),
      readonlyMeta(accounts.mintOut.tokenProgram),
      readonlyMeta(accounts.mintIn.mint),
      readonlyMeta(accounts.mintOut.mint),
      writableMeta(accounts.observation),
    ],
    data: joinBytes(SWAP_BASE_INPUT, u64(order.amountIn), u64(order.minOut)),
  };
}

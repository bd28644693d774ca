import { type Address, type Instruction, MEMO_PROGRAM } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import {
  joinBytes,
  littleEndian,
  readonlyMeta,
  signerMeta,
  u64,
  writableMeta,
} from '../shared/instruction-data.ts';
import { DLMM_EVENT_AUTHORITY, DLMM_PROGRAM } from './layout.ts';

export const SWAP2 = instructionDiscriminator('swap2');

export type DlmmSwapAccounts = {
  readonly pair: Address;
  readonly reserveX: Address;
  readonly reserveY: Address;
  readonly mintX: MintFacts;
  readonly mintY: MintFacts;
  readonly oracle: Address;
  /** In the order the swap reaches them. */
  readonly binArrays: readonly Address[];
};

/** `swap2`: sells exactly `amountIn`; the direction follows from the mint of the source account. No host fee. */
export function dlmmSwap(accounts: DlmmSwapAccounts, order: PoolSwap): Instruction {
  return {
    programId: DLMM_PROGRAM,
    accounts: [
      writableMeta(accounts.pair),
      // Optional accounts that are left out (bitmap extension, host fee) are named by the program itself.
      readonlyMeta(DLMM_PROGRAM),
      writableMeta(accounts.reserveX),
      writableMeta(accounts.reserveY),
      writableMeta(order.source),
      writableMeta(order.destination),
      readonlyMeta(accounts.mintX.mint),
      readonlyMeta(accounts.mintY.mint),
      writableMeta(accounts.oracle),
      readonlyMeta(DLMM_PROGRAM),
      signerMeta(order.owner),
      readonlyMeta(accounts.mintX.tokenProgram),
      readonlyMeta(accounts.mintY.tokenProgram),
      readonlyMeta(MEMO_PROGRAM),
      readonlyMeta(DLMM_EVENT_AUTHORITY),
      readonlyMeta(DLMM_PROGRAM),
      ...accounts.binArrays.map(writableMeta),
    ],
    // No transfer-hook accounts follow: an empty list.
    data: joinBytes(SWAP2, u64(order.amountIn), u64(order.minOut), littleEndian(0n, 4)),
  };
}

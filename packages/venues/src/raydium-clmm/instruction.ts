import {
  type Address,
  type Instruction,
  MEMO_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { joinBytes, readonlyMeta, signerMeta, u64, u128, writableMeta } from '../shared/instruction-data.ts';
import { CLMM_PROGRAM } from './layout.ts';

export const SWAP_V2 = instructionDiscriminator('swap_v2');

export type ClmmSwapAccounts = {
  readonly config: Address;
  readonly pool: Address;
  readonly vaultIn: Address;
  readonly vaultOut: Address;
  readonly mintIn: MintFacts;
  readonly mintOut: MintFacts;
  readonly observation: Address;
  /** The bitmap extension where there is one, then the arrays in the order the swap reaches them. */
  readonly further: readonly Address[];
};

/** `swap_v2`: sells exactly `amountIn`; the minimum is the only limit, so no price limit is set. */
export function clmmSwap(accounts: ClmmSwapAccounts, order: PoolSwap): Instruction {
  return {
    programId: CLMM_PROGRAM,
    accounts: [
      signerMeta(order.owner),
      readonlyMeta(accounts.config),
      writableMeta(accounts.pool),
      writableMeta(order.source),
      writableMeta(order.destination),
      writableMeta(accounts.vaultIn),
      writableMeta(accounts.vaultOut),
      writableMeta(accounts.observation),
      readonlyMeta(TOKEN_PROGRAM),
      readonlyMeta(TOKEN_2022_PROGRAM),
      readonlyMeta(MEMO_PROGRAM),
      readonlyMeta(accounts.mintIn.mint),
      readonlyMeta(accounts.mintOut.mint),
      ...accounts.further.map(writableMeta),
    ],
    data: joinBytes(SWAP_V2, u64(order.amountIn), u64(order.minOut), u128(0n), [1]),
  };
}

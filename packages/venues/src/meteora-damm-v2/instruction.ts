import type { Address, Instruction } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { joinBytes, readonlyMeta, signerMeta, u64, writableMeta } from '../shared/instruction-data.ts';
import { DAMM_V2_AUTHORITY, DAMM_V2_EVENT_AUTHORITY, DAMM_V2_PROGRAM } from './layout.ts';

export const SWAP = instructionDiscriminator('swap');

export type DammSwapAccounts = {
  readonly pool: Address;
  readonly vaultA: Address;
  readonly vaultB: Address;
  readonly mintA: MintFacts;
  readonly mintB: MintFacts;
};

/** `swap`: sells exactly `amountIn`; the direction follows from the mint of the source account. No referral. */
export function dammSwap(accounts: DammSwapAccounts, order: PoolSwap): Instruction {
  return {
    programId: DAMM_V2_PROGRAM,
    accounts: [
      readonlyMeta(DAMM_V2_AUTHORITY),
      writableMeta(accounts.pool),
      writableMeta(order.source),
      writableMeta(order.destination),
      writableMeta(accounts.vaultA),
      writableMeta(accounts.vaultB),
      readonlyMeta(accounts.mintA.mint),
      readonlyMeta(accounts.mintB.mint),
      signerMeta(order.owner),
      readonlyMeta(accounts.mintA.tokenProgram),
      readonlyMeta(accounts.mintB.tokenProgram),
      // An optional account that is left out is named by the program itself.
      readonlyMeta(DAMM_V2_PROGRAM),
      readonlyMeta(DAMM_V2_EVENT_AUTHORITY),
      readonlyMeta(DAMM_V2_PROGRAM),
    ],
    data: joinBytes(SWAP, u64(order.amountIn), u64(order.minOut)),
  };
}

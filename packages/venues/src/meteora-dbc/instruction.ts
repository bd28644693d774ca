import type { Address, Instruction } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { joinBytes, readonlyMeta, signerMeta, u64, writableMeta } from '../shared/instruction-data.ts';
import { DBC_AUTHORITY, DBC_EVENT_AUTHORITY, DBC_PROGRAM } from './layout.ts';

export const SWAP = instructionDiscriminator('swap');

export type DbcSwapAccounts = {
  readonly config: Address;
  readonly pool: Address;
  readonly baseVault: Address;
  readonly quoteVault: Address;
  readonly base: MintFacts;
  readonly quote: MintFacts;
};

/** `swap`: sells exactly `amountIn`; the direction follows from the mint of the source account. No referral. */
export function dbcSwap(accounts: DbcSwapAccounts, order: PoolSwap): Instruction {
  return {
    programId: DBC_PROGRAM,
    accounts: [
      readonlyMeta(DBC_AUTHORITY),
      readonlyMeta(accounts.config),
      writableMeta(accounts.pool),
      writableMeta(order.source),
      writableMeta(order.destination),
      writableMeta(accounts.baseVault),
      writableMeta(accounts.quoteVault),
      readonlyMeta(accounts.base.mint),
      readonlyMeta(accounts.quote.mint),
      signerMeta(order.owner),
      readonlyMeta(accounts.base.tokenProgram),
      readonlyMeta(accounts.quote.tokenProgram),
      // An optional account that is left out is named by the program itself.
      readonlyMeta(DBC_PROGRAM),
      readonlyMeta(DBC_EVENT_AUTHORITY),
      readonlyMeta(DBC_PROGRAM),
    ],
    data: joinBytes(SWAP, u64(order.amountIn), u64(order.minOut)),
  };
}

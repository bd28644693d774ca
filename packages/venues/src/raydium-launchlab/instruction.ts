import { type Address, addressBytes, type Instruction, SYSTEM_PROGRAM } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import {
  joinBytes,
  readonlyMeta,
  u64,
  writableMeta,
  writableSignerMeta,
} from '../shared/instruction-data.ts';
import { programAddress } from '../shared/program-address.ts';
import { LAUNCHLAB_AUTHORITY, LAUNCHLAB_EVENT_AUTHORITY, LAUNCHLAB_PROGRAM } from './layout.ts';

export const BUY_EXACT_IN = instructionDiscriminator('buy_exact_in');
export const SELL_EXACT_IN = instructionDiscriminator('sell_exact_in');

export type LaunchSwapAccounts = {
  readonly pool: Address;
  readonly config: Address;
  readonly platform: Address;
  readonly creator: Address;
  readonly vaultA: Address;
  readonly vaultB: Address;
  readonly mintA: MintFacts;
  readonly mintB: MintFacts;
};

/** Where an owner's share of the fees in one mint is kept. */
export function feeVaultAddress(owner: Address, mintB: Address): Address {
  return programAddress(LAUNCHLAB_PROGRAM, [addressBytes(owner), addressBytes(mintB)]);
}

/** Direction 0 sells exactly `amountIn` of the coin, 1 spends exactly `amountIn` of B. No share fee. */
export function launchSwap(accounts: LaunchSwapAccounts, direction: 0 | 1, order: PoolSwap): Instruction {
  const [userA, userB] =
    direction === 0 ? [order.source, order.destination] : [order.destination, order.source];
  return {
    programId: LAUNCHLAB_PROGRAM,
    accounts: [
      writableSignerMeta(order.owner),
      readonlyMeta(LAUNCHLAB_AUTHORITY),
      readonlyMeta(accounts.config),
      readonlyMeta(accounts.platform),
      writableMeta(accounts.pool),
      writableMeta(userA),
      writableMeta(userB),
      writableMeta(accounts.vaultA),
      writableMeta(accounts.vaultB),
      readonlyMeta(accounts.mintA.mint),
      readonlyMeta(accounts.mintB.mint),
      readonlyMeta(accounts.mintA.tokenProgram),
      readonlyMeta(accounts.mintB.tokenProgram),
      readonlyMeta(LAUNCHLAB_EVENT_AUTHORITY),
      readonlyMeta(LAUNCHLAB_PROGRAM),
      readonlyMeta(SYSTEM_PROGRAM),
      writableMeta(feeVaultAddress(accounts.platform, accounts.mintB.mint)),
      writableMeta(feeVaultAddress(accounts.creator, accounts.mintB.mint)),
    ],
    data: joinBytes(
      direction === 0 ? SELL_EXACT_IN : BUY_EXACT_IN,
      u64(order.amountIn),
      u64(order.minOut),
      u64(0n),
    ),
  };
}

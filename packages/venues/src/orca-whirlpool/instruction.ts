import { type Address, type Instruction, MEMO_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { joinBytes, readonlyMeta, signerMeta, u64, u128, writableMeta } from '../shared/instruction-data.ts';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE, WHIRLPOOL_PROGRAM } from './layout.ts';

export const SWAP = instructionDiscriminator('swap');
export const SWAP_V2 = instructionDiscriminator('swap_v2');

export type WhirlpoolSwapAccounts = {
  readonly pool: Address;
  readonly vaultA: Address;
  readonly vaultB: Address;
  readonly mintA: MintFacts;
  readonly mintB: MintFacts;
  readonly oracle: Address;
  readonly tickArrays: readonly [Address, Address, Address];
};

/** Sells exactly `amountIn`; `swap` where both mints are of the first token program, `swap_v2` otherwise. */
export function whirlpoolSwap(
  accounts: WhirlpoolSwapAccounts,
  direction: 0 | 1,
  order: PoolSwap,
): Instruction {
  const classic = [accounts.mintA, accounts.mintB].every((mint) => mint.tokenProgram === TOKEN_PROGRAM);
  const [ownerA, ownerB] =
    direction === 0 ? [order.source, order.destination] : [order.destination, order.source];
  const sides = [ownerA, accounts.vaultA, ownerB, accounts.vaultB].map(writableMeta);
  const arrays = accounts.tickArrays.map(writableMeta);
  // The minimum protects the trader; a price limit would only turn a failure into a partial fill.
  const limit = direction === 0 ? MIN_SQRT_PRICE : MAX_SQRT_PRICE;
  const args = [u64(order.amountIn), u64(order.minOut), u128(limit), [1, direction === 0 ? 1 : 0]];
  if (classic) {
    return {
      programId: WHIRLPOOL_PROGRAM,
      accounts: [
        readonlyMeta(TOKEN_PROGRAM),
        signerMeta(order.owner),
        writableMeta(accounts.pool),
        ...sides,
        ...arrays,
        readonlyMeta(accounts.oracle),
      ],
      data: joinBytes(SWAP, ...args),
    };
  }
  return {
    programId: WHIRLPOOL_PROGRAM,
    accounts: [
      readonlyMeta(accounts.mintA.tokenProgram),
      readonlyMeta(accounts.mintB.tokenProgram),
      readonlyMeta(MEMO_PROGRAM),
      signerMeta(order.owner),
      writableMeta(accounts.pool),
      readonlyMeta(accounts.mintA.mint),
      readonlyMeta(accounts.mintB.mint),
      ...sides,
      ...arrays,
      writableMeta(accounts.oracle),
    ],
    // No further accounts follow: None.
    data: joinBytes(SWAP_V2, ...args, [0]),
  };
}

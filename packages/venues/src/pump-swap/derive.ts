import { type Address, addressBytes } from '@tradepost/solana';
import { type DerivedPools, numberSeed } from '../shared/derived-pools.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { canonicalCreator, PUMP_SWAP_PROGRAM } from './layout.ts';

const canonicalPool = (base: Address, quote: Address): Address =>
  programAddress(PUMP_SWAP_PROGRAM, [
    textSeed('pool'),
    numberSeed(0, 2),
    addressBytes(canonicalCreator(base)),
    addressBytes(base),
    addressBytes(quote),
  ]);

/** The pool into which a complete pump.fun curve moves, either mint being the coin. Pools of other creators are not among them. */
export const pumpSwapPools: DerivedPools = {
  near: (mintA, mintB) => [canonicalPool(mintA, mintB), canonicalPool(mintB, mintA)],
  far: () => [],
};

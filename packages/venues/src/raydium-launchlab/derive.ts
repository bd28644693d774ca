import { type Address, addressBytes } from '@tradepost/solana';
import type { DerivedPools } from '../shared/derived-pools.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { LAUNCHLAB_PROGRAM } from './layout.ts';

/** The curve of a coin for its quote token. Source of truth: LaunchLab's `initialize`. */
export const launchPoolAddress = (coin: Address, quote: Address): Address =>
  programAddress(LAUNCHLAB_PROGRAM, [textSeed('pool'), addressBytes(coin), addressBytes(quote)]);

/** One curve per coin and its quote token, either mint being the coin. */
export const launchPools: DerivedPools = {
  near: (mintA, mintB) => [launchPoolAddress(mintA, mintB), launchPoolAddress(mintB, mintA)],
  far: () => [],
};

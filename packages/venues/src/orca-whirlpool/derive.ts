import { addressBytes, known } from '@tradepost/solana';
import { type DerivedPools, numberSeed, sortedSeeds } from '../shared/derived-pools.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { WHIRLPOOL_PROGRAM } from './layout.ts';

/** The configuration of Orca itself, under which nearly all pools are. */
const ORCA_CONFIG = addressBytes(known('2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ'));
/** Tick spacings that Orca gave a fee tier; the last one is full range. */
const TIERS = [1, 2, 4, 8, 16, 64, 96, 128, 256, 32_896];

/** One pool per fee tier. Source of truth: whirlpools `initialize_pool.rs`. */
export const whirlpools: DerivedPools = {
  near: (mintA, mintB) => {
    const mints = sortedSeeds(mintA, mintB);
    return TIERS.map((tier) =>
      programAddress(WHIRLPOOL_PROGRAM, [textSeed('whirlpool'), ORCA_CONFIG, ...mints, numberSeed(tier, 2)]),
    );
  },
  far: () => [],
};

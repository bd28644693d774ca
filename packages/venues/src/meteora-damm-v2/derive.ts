import { type Address, addressBytes } from '@tradepost/solana';
import {
  type DerivedPools,
  numberedAddresses,
  numberSeed,
  range,
  sortedSeeds,
} from '../shared/derived-pools.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { DAMM_V2_PROGRAM } from './layout.ts';

/** Configurations that stay as they are are numbered from 0; there were 72 in November 2026. */
const STATIC_CONFIGS = range(0, 96);

const configAddress = numberedAddresses(DAMM_V2_PROGRAM, (index) => [
  textSeed('config'),
  numberSeed(index, 8),
]);

/** The larger mint first. */
const largerFirst = (mintA: Address, mintB: Address): readonly Uint8Array[] =>
  sortedSeeds(mintA, mintB).toReversed();

/** One pool per configuration, and one of its maker's own. Source of truth: damm-v2 `ix_initialize_pool.rs`. */
export const dammV2Pools: DerivedPools = {
  near: (mintA, mintB) => [
    programAddress(DAMM_V2_PROGRAM, [textSeed('cpool'), ...largerFirst(mintA, mintB)]),
  ],
  far: (mintA, mintB) =>
    STATIC_CONFIGS.map((index) =>
      programAddress(DAMM_V2_PROGRAM, [
        textSeed('pool'),
        addressBytes(configAddress(index)),
        ...largerFirst(mintA, mintB),
      ]),
    ),
};

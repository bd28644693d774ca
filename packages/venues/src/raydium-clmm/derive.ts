import { type Address, addressBytes } from '@tradepost/solana';
import {
  type DerivedPools,
  numberedAddresses,
  numberSeed,
  range,
  sortedSeeds,
} from '../shared/derived-pools.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { CLMM_PROGRAM } from './layout.ts';

const configAddress = numberedAddresses(CLMM_PROGRAM, (index) => [
  textSeed('amm_config'),
  numberSeed(index, 2, 'be'),
]);

const poolsOf =
  (configs: readonly number[]) =>
  (mintA: Address, mintB: Address): readonly Address[] => {
    const mints = sortedSeeds(mintA, mintB);
    return configs.map((index) =>
      programAddress(CLMM_PROGRAM, [textSeed('pool'), addressBytes(configAddress(index)), ...mints]),
    );
  };

/** One pool per configuration. Source of truth: raydium-clmm `create_pool.rs`. */
export const clmmPools: DerivedPools = { near: poolsOf(range(0, 12)), far: poolsOf(range(12, 32)) };

import { type Address, addressBytes } from '@tradepost/solana';
import {
  type DerivedPools,
  numberedAddresses,
  numberSeed,
  range,
  sortedSeeds,
} from '../shared/derived-pools.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { RAYDIUM_CPMM_PROGRAM } from './layout.ts';

const configAddress = numberedAddresses(RAYDIUM_CPMM_PROGRAM, (index) => [
  textSeed('amm_config'),
  numberSeed(index, 2, 'be'),
]);

const poolsOf =
  (configs: readonly number[]) =>
  (mintA: Address, mintB: Address): readonly Address[] => {
    const mints = sortedSeeds(mintA, mintB);
    return configs.map((index) =>
      programAddress(RAYDIUM_CPMM_PROGRAM, [textSeed('pool'), addressBytes(configAddress(index)), ...mints]),
    );
  };

/** One pool per configuration. Pools at random keys are not among them. Source of truth: raydium-cp-swap `initialize.rs`. */
export const cpmmPools: DerivedPools = { near: poolsOf(range(0, 8)), far: poolsOf(range(8, 32)) };

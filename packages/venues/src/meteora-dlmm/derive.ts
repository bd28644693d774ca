import { addressBytes, known } from '@tradepost/solana';
import {
  type DerivedPools,
  numberedAddresses,
  numberSeed,
  range,
  sortedSeeds,
} from '../shared/derived-pools.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { DLMM_PROGRAM } from './layout.ts';

/** The base of customizable permissionless pairs. */
const CUSTOMIZABLE_BASE = addressBytes(known('MFGQxwAmB91SwuYX36okv2Qmdc9aMuHTwWGUrp4AtB1'));
const STEPS = [1, 2, 4, 5, 8, 10, 15, 16, 20, 25, 30, 50, 60, 80, 100, 125, 150, 160, 200, 250, 300, 400];
/** Base factors of the presets that most pairs were made with. */
const BASE_FACTORS = [10_000, 8_000, 5_000, 12_500, 20_000, 4_000];
const PRESETS = range(0, 128);

const presetAddress = numberedAddresses(DLMM_PROGRAM, (index) => [
  textSeed('preset_parameter2'),
  numberSeed(index, 2),
]);

/** Four forms of addresses, oldest first. Source of truth: dlmm-sdk `commons/src/pda.rs`. */
export const dlmmPairs: DerivedPools = {
  near: (mintA, mintB) => [programAddress(DLMM_PROGRAM, [CUSTOMIZABLE_BASE, ...sortedSeeds(mintA, mintB)])],
  far: (mintA, mintB) => {
    const mints = sortedSeeds(mintA, mintB);
    const pair = (...rest: readonly Uint8Array[]) => programAddress(DLMM_PROGRAM, [...mints, ...rest]);
    return [
      ...STEPS.map((step) => pair(numberSeed(step, 2))),
      ...STEPS.flatMap((step) =>
        BASE_FACTORS.map((factor) => pair(numberSeed(step, 2), numberSeed(factor, 2))),
      ),
      ...PRESETS.map((index) => programAddress(DLMM_PROGRAM, [addressBytes(presetAddress(index)), ...mints])),
    ];
  },
};

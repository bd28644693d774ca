import { type Address, addressBytes } from '@tradepost/solana';
import type { AccountView } from '../shared/account-view.ts';
import { littleEndian } from '../shared/instruction-data.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { BINS_PER_ARRAY, BITMAP_ARRAYS, DLMM_PROGRAM, PAIR_AT } from './layout.ts';

/** Arrays that a swap may walk per direction, the active one included: they fit beside the other accounts of a trade. */
export const ARRAYS_PER_SIDE = 3;

export function binArrayAddress(pair: Address, index: number): Address {
  return programAddress(DLMM_PROGRAM, [
    textSeed('bin_array'),
    addressBytes(pair),
    littleEndian(BigInt(index), 8),
  ]);
}

export function arrayIndexOf(binId: number): number {
  return Math.floor(binId / BINS_PER_ARRAY);
}

/** The next arrays with liquidity from the active one on, as the pair's bitmap marks them, in walking order. */
export function nextArrays(pair: AccountView, direction: 0 | 1): readonly number[] {
  const found: number[] = [];
  const step = direction === 0 ? -1 : 1;
  for (
    let index = arrayIndexOf(pair.i32(PAIR_AT.activeId));
    index >= -BITMAP_ARRAYS && index < BITMAP_ARRAYS && found.length < ARRAYS_PER_SIDE;
    index += step
  ) {
    const bit = index + BITMAP_ARRAYS;
    const byte = pair.u8(PAIR_AT.bitmap + (bit >> 3));
    if (((byte >> (bit & 7)) & 1) === 1) found.push(index);
  }
  return found;
}

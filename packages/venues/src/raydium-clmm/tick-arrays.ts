import { type Address, addressBytes, type ChainAccount } from '@tradepost/solana';
import type { AccountView } from '../shared/account-view.ts';
import { littleEndian } from '../shared/instruction-data.ts';
import { checkedView } from '../shared/pool-checks.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import {
  BITMAP_ARRAYS,
  CLMM_PROGRAM,
  POOL_AT,
  TICK_ARRAY,
  TICK_ARRAY_AT,
  TICK_AT,
  TICK_BYTES,
  TICKS_PER_ARRAY,
} from './layout.ts';

export type Tick = { readonly index: number; readonly liquidityNet: bigint };

/** Arrays that a swap may walk per direction: they fit beside the other accounts of a trade. */
export const ARRAYS_PER_SIDE = 3;

/** Unlike every other number of the program, the start index is big-endian in the seed. */
export function tickArrayAddress(pool: Address, start: number): Address {
  return programAddress(CLMM_PROGRAM, [
    textSeed('tick_array'),
    addressBytes(pool),
    littleEndian(BigInt(start), 4).toReversed(),
  ]);
}

export function bitmapExtensionAddress(pool: Address): Address {
  return programAddress(CLMM_PROGRAM, [textSeed('pool_tick_array_bitmap_extension'), addressBytes(pool)]);
}

/** Start indexes of the next arrays with initialised ticks, as the pool's bitmap marks them, in walking order. */
export function nextArrays(pool: AccountView, direction: 0 | 1): readonly number[] {
  const width = TICKS_PER_ARRAY * pool.u16(POOL_AT.tickSpacing);
  const step = direction === 0 ? -1 : 1;
  const found: number[] = [];
  for (
    let index = Math.floor(pool.i32(POOL_AT.tickCurrent) / width);
    index >= -BITMAP_ARRAYS && index < BITMAP_ARRAYS && found.length < ARRAYS_PER_SIDE;
    index += step
  ) {
    const bit = index + BITMAP_ARRAYS;
    if (((pool.u8(POOL_AT.bitmap + (bit >> 3)) >> (bit & 7)) & 1) === 1) found.push(index * width);
  }
  return found;
}

/** The initialised ticks of an array, ascending. Refuses arrays whose ticks hold limit orders. */
export function readTickArray(
  pool: Address,
  account: ChainAccount,
  start: number,
): readonly Tick[] | Refusal {
  const view = checkedView(account, TICK_ARRAY);
  if (isRefusal(view)) return view;
  if (view.i32(TICK_ARRAY_AT.start) !== start || view.address(TICK_ARRAY_AT.pool) !== pool)
    return refuse('bad-state', `tick array ${start} belongs elsewhere`);
  const ticks: Tick[] = [];
  for (let offset = 0; offset < TICKS_PER_ARRAY; offset++) {
    const at = TICK_ARRAY_AT.ticks + offset * TICK_BYTES;
    const index = view.i32(at + TICK_AT.index);
    if (view.u64(at + TICK_AT.orders) !== 0n || view.u64(at + TICK_AT.partFilledOrders) !== 0n)
      return refuse('unmodelled', `tick ${index} holds limit orders`);
    if (view.u128(at + TICK_AT.liquidityGross) !== 0n)
      ticks.push({ index, liquidityNet: view.i128(at + TICK_AT.liquidityNet) });
  }
  return ticks;
}

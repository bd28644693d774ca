import { type Address, addressBytes, type ChainAccount } from '@tradepost/solana';
import { accountView } from '../shared/account-view.ts';
import { checkedView } from '../shared/pool-checks.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import {
  DYNAMIC_AT,
  DYNAMIC_TICK_ARRAY,
  DYNAMIC_TICK_BYTES,
  TICK_ARRAY,
  TICK_ARRAY_AT,
  TICK_BYTES,
  TICKS_PER_ARRAY,
  WHIRLPOOL_PROGRAM,
} from './layout.ts';

export type Tick = { readonly index: number; readonly liquidityNet: bigint };

/** `swap` takes exactly three arrays. */
export const ARRAYS_PER_SWAP = 3;

export function tickArrayAddress(pool: Address, start: number): Address {
  return programAddress(WHIRLPOOL_PROGRAM, [
    textSeed('tick_array'),
    addressBytes(pool),
    textSeed(String(start)),
  ]);
}

export function oracleAddress(pool: Address): Address {
  return programAddress(WHIRLPOOL_PROGRAM, [textSeed('oracle'), addressBytes(pool)]);
}

/** Start indexes of the arrays a swap walks, in walking order. Upwards it begins one spacing ahead, as the program does. */
export function arrayStarts(tickCurrent: number, spacing: number, direction: 0 | 1): readonly number[] {
  const width = TICKS_PER_ARRAY * spacing;
  const first = Math.floor((tickCurrent + (direction === 0 ? 0 : spacing)) / width) * width;
  const step = direction === 0 ? -width : width;
  return Array.from({ length: ARRAYS_PER_SWAP }, (_, index) => first + index * step);
}

/** The initialised ticks of an array, ascending, of either kind of account. */
export function readTickArray(
  pool: Address,
  account: ChainAccount,
  start: number,
  spacing: number,
): readonly Tick[] | Refusal {
  const fixed = checkedView(account, TICK_ARRAY);
  if (!isRefusal(fixed)) {
    if (fixed.i32(TICK_ARRAY_AT.start) !== start || fixed.address(TICK_ARRAY_AT.pool) !== pool)
      return refuse('bad-state', `tick array ${start} belongs elsewhere`);
    const ticks: Tick[] = [];
    for (let offset = 0; offset < TICKS_PER_ARRAY; offset++) {
      const at = TICK_ARRAY_AT.ticks + offset * TICK_BYTES;
      if (fixed.u8(at) === 1)
        ticks.push({ index: start + offset * spacing, liquidityNet: fixed.i128(at + 1) });
    }
    return ticks;
  }
  const checked = checkedView(account, DYNAMIC_TICK_ARRAY);
  if (isRefusal(checked)) return checked;
  if (checked.i32(DYNAMIC_AT.start) !== start || checked.address(DYNAMIC_AT.pool) !== pool)
    return refuse('bad-state', `tick array ${start} belongs elsewhere`);
  return readDynamic(account.data, start, spacing);
}

/** One byte per tick that was never used; one and 112 for the others. Torn data is refused. */
function readDynamic(data: Uint8Array, start: number, spacing: number): readonly Tick[] | Refusal {
  const view = accountView(data);
  const ticks: Tick[] = [];
  let at: number = DYNAMIC_AT.ticks;
  for (let offset = 0; offset < TICKS_PER_ARRAY; offset++) {
    const used = at < view.length && view.u8(at) === 1;
    if (at >= view.length || (used && at + 1 + DYNAMIC_TICK_BYTES > view.length))
      return refuse('bad-state', `tick array ${start} is cut short`);
    if (used) ticks.push({ index: start + offset * spacing, liquidityNet: view.i128(at + 1) });
    at += used ? 1 + DYNAMIC_TICK_BYTES : 1;
  }
  return ticks;
}

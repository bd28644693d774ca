import { type Address, addressBytes } from '@tradepost/solana';
import type { MintFacts } from '../../src/pool.ts';
import {
  CLMM_PROGRAM,
  CONFIG,
  CONFIG_AT,
  POOL,
  POOL_AT,
  TICK_ARRAY,
  TICK_ARRAY_AT,
  TICK_AT,
  TICK_BYTES,
  TICKS_PER_ARRAY,
} from '../../src/raydium-clmm/layout.ts';
import { tickArrayAddress } from '../../src/raydium-clmm/tick-arrays.ts';
import { sqrtPriceOfTick } from '../../src/raydium-clmm/tick-price.ts';
import { textSeed } from '../../src/shared/program-address.ts';
import {
  type AccountBytes,
  accountBytes,
  buildMint,
  derivedAddress,
  type PoolFixture,
  testAddress,
} from '../shared/build.ts';

export type ClmmFixture = {
  readonly mints?: readonly [MintFacts, MintFacts];
  readonly tickSpacing?: number;
  readonly feeRate?: number;
  readonly tickCurrent?: number;
  readonly sqrtPrice?: bigint;
  /** Positions: from tick, to tick, liquidity. */
  readonly positions?: readonly (readonly [number, number, bigint])[];
  readonly status?: number;
  readonly feeOn?: number;
  readonly openTime?: bigint;
  readonly dynamicFee?: boolean;
  /** Where its configuration is; the pool's address follows from it. */
  readonly config?: Address;
  /** A tick that holds limit orders. */
  readonly ordersAt?: number;
};

export const CONFIG_ID = testAddress(2);
export const VAULTS = [testAddress(3), testAddress(4)] as const;
export const OBSERVATION = testAddress(5);
const BUMP_AT = 8;
/** Shares of the trading fee, in millionths, as most of the program's own configurations have them. */
const PROTOCOL_FEE = { at: 43, rate: 120_000 } as const;
const FUND_FEE = { at: 53, rate: 40_000 } as const;

export function buildClmm(input: ClmmFixture = {}): PoolFixture {
  const mints = input.mints ?? ([buildMint(testAddress(10)), buildMint(testAddress(11))] as const);
  const configId = input.config ?? CONFIG_ID;
  // The program signs for its vaults with these seeds, so a pool can stand nowhere else.
  const { id, bump } = derivedAddress(CLMM_PROGRAM, [
    textSeed('pool'),
    ...[configId, mints[0].mint, mints[1].mint].map(addressBytes),
  ]);
  const spacing = input.tickSpacing ?? 60;
  const width = spacing * TICKS_PER_ARRAY;
  const current = input.tickCurrent ?? 0;
  const positions = input.positions ?? [[-600, 600, 10n ** 12n]];
  const net = new Map<number, bigint>();
  for (const [from, to, liquidity] of positions) {
    net.set(from, (net.get(from) ?? 0n) + liquidity);
    net.set(to, (net.get(to) ?? 0n) - liquidity);
  }
  const active = positions
    .filter(([from, to]) => from <= current && current < to)
    .reduce((sum, [, , liquidity]) => sum + liquidity, 0n);
  const pool = accountBytes(POOL)
    .u8(BUMP_AT, bump)
    .address(POOL_AT.config, configId)
    .address(POOL_AT.mintA, mints[0].mint)
    .address(POOL_AT.mintB, mints[1].mint)
    .address(POOL_AT.vaultA, VAULTS[0])
    .address(POOL_AT.vaultB, VAULTS[1])
    .address(POOL_AT.observation, OBSERVATION)
    .u16(POOL_AT.tickSpacing, spacing)
    .u128(POOL_AT.liquidity, active)
    .u128(POOL_AT.sqrtPrice, input.sqrtPrice ?? sqrtPriceOfTick(current))
    .i32(POOL_AT.tickCurrent, current)
    .u8(POOL_AT.status, input.status ?? 0)
    .u8(POOL_AT.feeOn, input.feeOn ?? 0)
    .u64(POOL_AT.openTime, input.openTime ?? 0n)
    .u16(POOL_AT.dynamicFee, input.dynamicFee === true ? 30 : 0);
  const arrays = new Map<number, AccountBytes>();
  for (const [tick, value] of net) {
    const start = Math.floor(tick / width) * width;
    const array =
      arrays.get(start) ??
      accountBytes(TICK_ARRAY).address(TICK_ARRAY_AT.pool, id).i32(TICK_ARRAY_AT.start, start);
    arrays.set(start, array);
    const at = TICK_ARRAY_AT.ticks + ((tick - start) / spacing) * TICK_BYTES;
    array.i32(at + TICK_AT.index, tick).u128(at + TICK_AT.liquidityNet, value);
    array.u128(at + TICK_AT.liquidityGross, 1n);
    if (tick === input.ordersAt) array.u64(at + TICK_AT.orders, 1n);
    const bit = start / width + 512;
    const byte = POOL_AT.bitmap + (bit >> 3);
    pool.u8(byte, (pool.data[byte] ?? 0) | (1 << (bit & 7)));
  }
  const config = accountBytes(CONFIG)
    .u32(PROTOCOL_FEE.at, PROTOCOL_FEE.rate)
    .u32(CONFIG_AT.tradeFeeRate, input.feeRate ?? 2_500)
    .u32(FUND_FEE.at, FUND_FEE.rate);
  return {
    id,
    mints,
    accounts: new Map([
      [id, pool.ownedBy(CLMM_PROGRAM)],
      [configId, config.ownedBy(CLMM_PROGRAM)],
      ...[...arrays].map(
        ([start, array]) => [tickArrayAddress(id, start), array.ownedBy(CLMM_PROGRAM)] as const,
      ),
    ]),
  };
}

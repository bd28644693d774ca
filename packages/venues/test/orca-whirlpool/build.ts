import { type Address, addressBytes, type ChainAccount } from '@tradepost/solana';
import {
  DYNAMIC_AT,
  DYNAMIC_TICK_ARRAY,
  DYNAMIC_TICK_BYTES,
  POOL,
  POOL_AT,
  TICK_ARRAY,
  TICK_ARRAY_AT,
  TICK_BYTES,
  TICKS_PER_ARRAY,
  WHIRLPOOL_PROGRAM,
} from '../../src/orca-whirlpool/layout.ts';
import { tickArrayAddress } from '../../src/orca-whirlpool/tick-arrays.ts';
import { sqrtPriceOfTick } from '../../src/orca-whirlpool/tick-price.ts';
import type { MintFacts } from '../../src/pool.ts';
import { textSeed } from '../../src/shared/program-address.ts';
import {
  AccountBytes,
  accountBytes,
  buildMint,
  buildTokenAccount,
  derivedAddress,
  type PoolFixture,
  testAddress,
} from '../shared/build.ts';

export type WhirlpoolFixture = {
  readonly tickSpacing?: number;
  readonly feeTierIndex?: number;
  readonly feeRate?: number;
  readonly tickCurrent?: number;
  /** Defaults to the price of the current tick. */
  readonly sqrtPrice?: bigint;
  /** Positions: from tick, to tick, liquidity. */
  readonly positions?: readonly (readonly [number, number, bigint])[];
  /** How many arrays exist on each side of the current one. */
  readonly arrays?: number;
  readonly dynamic?: boolean;
  readonly mints?: readonly [MintFacts, MintFacts];
  /** Stands where the program derives it, as it must to sign for its vaults; otherwise it can be moved. */
  readonly onChain?: boolean;
  /** The configuration that its address follows from. */
  readonly config?: Address;
};

const CONFIG_ID = testAddress(2);
export const VAULTS = [testAddress(3), testAddress(4)] as const;
const CONFIG_AT = 8;
const BUMP_AT = 40;

export function buildWhirlpool(input: WhirlpoolFixture = {}): PoolFixture {
  const mints = input.mints ?? [buildMint(testAddress(10)), buildMint(testAddress(11))];
  const spacing = input.tickSpacing ?? 64;
  const feeTierIndex = input.feeTierIndex ?? spacing;
  const config = input.config ?? CONFIG_ID;
  const { id, bump } =
    input.onChain === true ? poolAddress(config, mints, feeTierIndex) : { id: testAddress(1), bump: 0 };
  const current = input.tickCurrent ?? 0;
  const positions = input.positions ?? [[-640, 640, 10n ** 12n]];
  const net = new Map<number, bigint>();
  for (const [from, to, liquidity] of positions) {
    net.set(from, (net.get(from) ?? 0n) + liquidity);
    net.set(to, (net.get(to) ?? 0n) - liquidity);
  }
  const active = positions
    .filter(([from, to]) => from <= current && current < to)
    .reduce((sum, [, , liquidity]) => sum + liquidity, 0n);
  const pool = accountBytes(POOL)
    .u16(POOL_AT.tickSpacing, spacing)
    .address(CONFIG_AT, config)
    .u8(BUMP_AT, bump)
    .u16(POOL_AT.feeTierIndex, feeTierIndex)
    .u16(POOL_AT.feeRate, input.feeRate ?? 3_000)
    .u16(47, 1_300)
    .u128(POOL_AT.liquidity, active)
    .u128(POOL_AT.sqrtPrice, input.sqrtPrice ?? sqrtPriceOfTick(current))
    .i32(POOL_AT.tickCurrent, current)
    .address(POOL_AT.mintA, mints[0].mint)
    .address(POOL_AT.vaultA, VAULTS[0])
    .address(POOL_AT.mintB, mints[1].mint)
    .address(POOL_AT.vaultB, VAULTS[1]);
  const accounts = new Map([[id, pool.ownedBy(WHIRLPOOL_PROGRAM)]]);
  const width = TICKS_PER_ARRAY * spacing;
  const around = input.arrays ?? 3;
  for (let offset = -around; offset <= around; offset++) {
    const start = (Math.floor(current / width) + offset) * width;
    const build = input.dynamic === true ? dynamicArray : fixedArray;
    accounts.set(tickArrayAddress(id, start), build(id, start, spacing, net));
  }
  return { id, mints, accounts };
}

function poolAddress(config: Address, mints: readonly [MintFacts, MintFacts], feeTierIndex: number) {
  const keys = [config, mints[0].mint, mints[1].mint].map(addressBytes);
  const seeds = [textSeed('whirlpool'), ...keys, new AccountBytes(2).u16(0, feeTierIndex).data];
  return derivedAddress(WHIRLPOOL_PROGRAM, seeds);
}

/** The fixture's accounts with its vaults, for the program itself. */
export function whirlpoolOnChain(fixture: PoolFixture): ReadonlyMap<Address, ChainAccount> {
  const [a, b] = fixture.mints;
  return new Map([
    ...fixture.accounts,
    [VAULTS[0], buildTokenAccount(a, fixture.id, 2n ** 60n)],
    [VAULTS[1], buildTokenAccount(b, fixture.id, 2n ** 60n)],
  ]);
}

type Net = ReadonlyMap<number, bigint>;

function fixedArray(pool: Address, start: number, spacing: number, net: Net): ChainAccount {
  const bytes = accountBytes(TICK_ARRAY).i32(TICK_ARRAY_AT.start, start).address(TICK_ARRAY_AT.pool, pool);
  for (let offset = 0; offset < TICKS_PER_ARRAY; offset++) {
    const value = net.get(start + offset * spacing);
    const at = TICK_ARRAY_AT.ticks + offset * TICK_BYTES;
    if (value !== undefined)
      bytes
        .u8(at, 1)
        .u128(at + 1, value)
        .u128(at + 17, 1n);
  }
  return bytes.ownedBy(WHIRLPOOL_PROGRAM);
}

function dynamicArray(pool: Address, start: number, spacing: number, net: Net): ChainAccount {
  const entries: Uint8Array[] = [];
  let bitmap = 0n;
  for (let offset = 0; offset < TICKS_PER_ARRAY; offset++) {
    const value = net.get(start + offset * spacing);
    const used = value !== undefined;
    if (used) bitmap |= 1n << BigInt(offset);
    const entry = new AccountBytes(used ? 1 + DYNAMIC_TICK_BYTES : 1);
    entries.push(used ? entry.u8(0, 1).u128(1, value).u128(17, 1n).data : entry.data);
  }
  const length = DYNAMIC_AT.ticks + entries.reduce((sum, entry) => sum + entry.length, 0);
  const bytes = accountBytes(DYNAMIC_TICK_ARRAY, length).i32(DYNAMIC_AT.start, start);
  bytes.bytes(DYNAMIC_AT.pool, addressBytes(pool)).u128(44, bitmap);
  let at: number = DYNAMIC_AT.ticks;
  for (const entry of entries) {
    bytes.bytes(at, entry);
    at += entry.length;
  }
  return bytes.ownedBy(WHIRLPOOL_PROGRAM);
}

import { type Address, addressFromBytes, SYSTEM_PROGRAM } from '@tradepost/solana';
import type { MarketKeys } from '../market-keys.ts';
import type { TapeTransaction } from '../transaction.ts';
import type { Call } from './calls.ts';

/**
 * A trade as pump.fun or PumpSwap logs it. Every version of an event begins alike and later ones are longer. Source of truth: the programs'
 * IDLs.
 */
export type PumpTrade = {
  readonly isBuy: boolean;
  /** Quote units that enter the reserves, or leave them: without fees that are paid out, with the liquidity providers' fee. */
  readonly quote: bigint;
  /** Fees that wait in the vault until they are swept, at most; 0 where the trade paid them out. */
  readonly kept: bigint;
};

type Keys = Pick<MarketKeys, 'programId' | 'address' | 'baseMint' | 'kind'>;

/** `emit_cpi`: the program calls itself with this before the event. */
const EVENT_CALL = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d] as const;
const TRADE_EVENT = [0xbd, 0xdb, 0x7f, 0xd3, 0x4e, 0xe6, 0x61, 0xee] as const;
const BUY_EVENT = [0x67, 0xf4, 0x52, 0x1f, 0x2c, 0xf5, 0x77, 0x77] as const;
const SELL_EVENT = [0x3e, 0x2f, 0x37, 0x0a, 0xa5, 0x03, 0xdc, 0x2a] as const;
/** The event of a purchase that completes a curve, for the part that it buys from the pool that does not exist yet. */
const POST_COMPLETE_EVENT = [0x6f, 0xb0, 0x6d, 0x8b, 0x31, 0x6c, 0xd5, 0xfb] as const;
/** sha256("event:SweepBondingCurveFeeEvent"), the first eight bytes. */
const SWEEP_EVENT = [0x74, 0x2b, 0x4d, 0xbd, 0x11, 0x7a, 0x48, 0x2b] as const;

const OF_CURVE = {
  mint: 16,
  lamports: 48,
  isBuy: 64,
  bytes: 65,
  feeRecipient: 137,
  fee: 177,
  creatorFee: 225,
  feesEnd: 233,
  name: 266,
} as const;
/** Behind the name: mayhem, cashback and buyback, then the shareholders' number. */
const BETWEEN = 1 + 4 * 8;
const SHAREHOLDER = 34;
const OF_POOL = {
  protocolFee: 104,
  quote: 112,
  pool: 128,
  feeRecipient: 256,
  creatorFee: 360,
  bytes: 368,
} as const;
const OF_POST_COMPLETE = {
  mint: 48,
  fee: 176,
  creatorFee: 192,
  before: 216,
  after: 232,
  bytes: 240,
} as const;
const OF_SWEEP = { mint: 24, amount: 152, bytes: 160 } as const;

/** The trades of one market that its program logs within one call. None for a program that logs none. */
export function pumpTrades(
  transaction: Pick<TapeTransaction, 'instructions'>,
  market: Keys,
  call: Call,
): readonly PumpTrade[] {
  return eventsOf(transaction, market, call).flatMap((data) => {
    const told = curveTrade(data, market) ?? postCompleteTrade(data, market) ?? poolTrade(data, market);
    return told === null ? [] : [told];
  });
}

/** The amounts that sweeps of waiting fees take out of a curve within one call. */
export function sweptFees(
  transaction: Pick<TapeTransaction, 'instructions'>,
  market: Keys,
  call: Call,
): bigint {
  return eventsOf(transaction, market, call).reduce((sum, data) => {
    const isSweep = startsWith(data, SWEEP_EVENT, 8) && data.length >= OF_SWEEP.bytes;
    return isSweep && keyAt(data, OF_SWEEP.mint) === market.baseMint
      ? sum + u64At(data, OF_SWEEP.amount)
      : sum;
  }, 0n);
}

function eventsOf(
  { instructions }: Pick<TapeTransaction, 'instructions'>,
  { programId }: Keys,
  { from, to }: Call,
): readonly Uint8Array[] {
  return instructions
    .slice(from, to)
    .flatMap(({ program, data }) => (program === programId && startsWith(data, EVENT_CALL, 0) ? [data] : []));
}

function curveTrade(data: Uint8Array, { baseMint, kind }: Keys): PumpTrade | null {
  if (!startsWith(data, TRADE_EVENT, 8) || data.length < OF_CURVE.bytes) return null;
  if (keyAt(data, OF_CURVE.mint) !== baseMint) return null;
  const quote = kind === 'lamports' ? u64At(data, OF_CURVE.lamports) : quoteOfTokens(data);
  if (quote === null) return null;
  const keeps = data.length >= OF_CURVE.feesEnd && keyAt(data, OF_CURVE.feeRecipient) === SYSTEM_PROGRAM;
  return {
    isBuy: data[OF_CURVE.isBuy] === 1,
    quote,
    kept: keeps ? u64At(data, OF_CURVE.fee) + u64At(data, OF_CURVE.creatorFee) : 0n,
  };
}

/** The amount of a quote that is a token. Null where the event ends before it, or names no such quote. */
function quoteOfTokens(data: Uint8Array): bigint | null {
  const name = u32At(data, OF_CURVE.name);
  const count = name === null ? null : OF_CURVE.name + 4 + name + BETWEEN;
  const shareholders = count === null ? null : u32At(data, count);
  if (count === null || shareholders === null) return null;
  const mint = count + 4 + shareholders * SHAREHOLDER;
  if (data.length < mint + 40 || keyAt(data, mint) === SYSTEM_PROGRAM) return null;
  return u64At(data, mint + 32);
}

function postCompleteTrade(data: Uint8Array, { baseMint }: Keys): PumpTrade | null {
  if (!startsWith(data, POST_COMPLETE_EVENT, 8) || data.length < OF_POST_COMPLETE.bytes) return null;
  if (keyAt(data, OF_POST_COMPLETE.mint) !== baseMint) return null;
  return {
    isBuy: true,
    quote: u64At(data, OF_POST_COMPLETE.after) - u64At(data, OF_POST_COMPLETE.before),
    kept: u64At(data, OF_POST_COMPLETE.fee) + u64At(data, OF_POST_COMPLETE.creatorFee),
  };
}

function poolTrade(data: Uint8Array, { address }: Keys): PumpTrade | null {
  const isBuy = startsWith(data, BUY_EVENT, 8);
  if (!isBuy && !startsWith(data, SELL_EVENT, 8)) return null;
  if (data.length < OF_POOL.bytes || keyAt(data, OF_POOL.pool) !== address) return null;
  const keeps = keyAt(data, OF_POOL.feeRecipient) === SYSTEM_PROGRAM;
  return {
    isBuy,
    quote: u64At(data, OF_POOL.quote),
    kept: keeps ? u64At(data, OF_POOL.protocolFee) + u64At(data, OF_POOL.creatorFee) : 0n,
  };
}

function keyAt(data: Uint8Array, at: number): Address {
  return addressFromBytes(data.slice(at, at + 32));
}

function u64At(data: Uint8Array, at: number): bigint {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(at, true);
}

function u32At(data: Uint8Array, at: number): number | null {
  if (data.length < at + 4) return null;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(at, true);
}

function startsWith(data: Uint8Array, prefix: readonly number[], at: number): boolean {
  return prefix.every((byte, index) => data[at + index] === byte);
}

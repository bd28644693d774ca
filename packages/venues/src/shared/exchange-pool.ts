import type { PoolShape } from '@tradepost/router';
import { type Address, type Instruction, MAX_U64, transferFee } from '@tradepost/solana';
import type { MintFacts, PoolSwap } from '../pool.ts';
import type { ExchangePool } from './exchange.ts';
import { type Refusal, refuse } from './refusal.ts';

/** 0 sells the pool's first mint, 1 its second. */
export type Direction = 0 | 1;

export type Ratio = { readonly numerator: bigint; readonly denominator: bigint };

export type PoolParts = {
  readonly id: Address;
  readonly venue: string;
  readonly label: string;
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly mints: readonly [MintFacts, MintFacts];
  readonly shape: PoolShape;
  /** The venue's own fees at zero size, as parts of a billion: of the input and of the output, per direction. */
  readonly feePpb: readonly [FeePpb, FeePpb];
  /**
   * Units that leave the vault when `arriving` units reach it, the venue's fees included. 0 when nothing would leave or
   * the pool cannot take the whole of it. Never called with 0 or less.
   */
  leaving(direction: Direction, arriving: bigint): bigint;
  /** Units out per unit in at zero size before any fee. */
  price(direction: Direction): Ratio;
  instructions(direction: Direction, order: PoolSwap): readonly Instruction[];
};

export type FeePpb = { readonly in: number; readonly out: number };

const BILLION = 1_000_000_000;

/** A pool from a venue's arithmetic: adds the common parts of every venue, above all Token-2022 transfer fees on both sides. */
export function exchangePool(parts: PoolParts): ExchangePool {
  const [first, second] = parts.mints;
  const directionOf = (mintIn: Address): Direction => {
    if (mintIn === first.mint) return 0;
    if (mintIn === second.mint) return 1;
    throw new RangeError(`pool ${parts.id} holds ${first.mint} and ${second.mint}, not ${mintIn}`);
  };
  const withheld = (mint: MintFacts, amount: bigint): bigint =>
    transferFee(mint.extensions.transferFee, amount, parts.epoch);

  const quote = (mintIn: Address, amountIn: bigint): bigint => {
    const direction = directionOf(mintIn);
    if (amountIn <= 0n || amountIn > MAX_U64) return 0n;
    const [source, destination] = direction === 0 ? [first, second] : [second, first];
    const arriving = amountIn - withheld(source, amountIn);
    if (arriving <= 0n) return 0n;
    const leaving = parts.leaving(direction, arriving);
    if (leaving <= 0n || leaving > MAX_U64) return 0n;
    return leaving - withheld(destination, leaving);
  };

  const gain = (direction: Direction) => {
    const [source, destination] = direction === 0 ? [first, second] : [second, first];
    const fee = parts.feePpb[direction];
    return {
      in: (1 - feeRate(source, parts.epoch) / 10_000) * (1 - fee.in / BILLION),
      out: (1 - feeRate(destination, parts.epoch) / 10_000) * (1 - fee.out / BILLION),
    };
  };

  return {
    id: parts.id,
    venue: parts.venue,
    label: parts.label,
    mints: [first.mint, second.mint],
    slot: parts.slot,
    shape: parts.shape,
    gains: [gain(0), gain(1)],
    quote,
    spot: (mintIn) => {
      const direction = directionOf(mintIn);
      const price = parts.price(direction);
      const fee = parts.feePpb[direction];
      const transferKept =
        BigInt(10_000 - feeRate(first, parts.epoch)) * BigInt(10_000 - feeRate(second, parts.epoch));
      return {
        numerator: price.numerator * BigInt(BILLION - fee.in) * BigInt(BILLION - fee.out) * transferKept,
        denominator: price.denominator * BigInt(BILLION) * BigInt(BILLION) * 100_000_000n,
      };
    },
    swap: (order) => {
      if (order.amountIn <= 0n || order.amountIn > MAX_U64)
        throw new RangeError(`amount in out of range: ${order.amountIn}`);
      if (order.minOut < 0n || order.minOut > MAX_U64)
        throw new RangeError(`minimum out of range: ${order.minOut}`);
      return parts.instructions(directionOf(order.mintIn), order);
    },
  };
}

function feeRate(mint: MintFacts, epoch: bigint): number {
  const schedule = mint.extensions.transferFee;
  if (schedule === null) return 0;
  return epoch >= schedule.newerEpoch ? schedule.newer.bps : schedule.older.bps;
}

/** Why transfers of this mint cannot be foreseen, or null. */
export function mintRefusal(facts: MintFacts): Refusal | null {
  const { extensions } = facts;
  if (extensions.transferHook !== null) return refuse('mint', `${facts.mint} runs a transfer hook`);
  if (extensions.nonTransferable) return refuse('mint', `${facts.mint} cannot be transferred`);
  // The trader's new token account would be born frozen and the swap would fail.
  if (extensions.defaultFrozen) return refuse('mint', `${facts.mint} freezes new accounts`);
  return null;
}

import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import type { MarketKeys } from '../market-keys.ts';
import type { TapeTransaction } from '../transaction.ts';
import type { Leg } from './legs.ts';

/** One call of a market, and the instructions that belong to it: `from` inclusive to `to` exclusive. */
export type Call = {
  /** The call's place in the transaction, part of its trade's id where no transfer into a vault has a better one. */
  readonly ordinal: number;
  readonly from: number;
  readonly to: number;
};

/**
 * The calls of the market's program that name its pool, each with the instructions below it, up to the next of its height. A call inside
 * another one of the same market is part of that one: a program that calls itself trades once. A pool without a program of its own, whose
 * swaps are plain transfers, is called by the whole transaction that moves its vaults.
 */
export function callsOf(
  { instructions }: Pick<TapeTransaction, 'instructions'>,
  market: Pick<MarketKeys, 'address' | 'programId'>,
  legs: readonly Leg[],
): readonly Call[] {
  if (market.programId === TOKEN_PROGRAM || market.programId === TOKEN_2022_PROGRAM) {
    const [first] = legs;
    return first === undefined ? [] : [{ ordinal: first.at, from: 0, to: instructions.length }];
  }
  const calls: Call[] = [];
  let free = 0;
  for (const [at, instruction] of instructions.entries()) {
    if (at < free || instruction.program !== market.programId) continue;
    if (!instruction.accounts.includes(market.address)) continue;
    let to = at + 1;
    while ((instructions[to]?.height ?? 0) > instruction.height) to += 1;
    calls.push({ ordinal: at, from: at, to });
    free = to;
  }
  return calls;
}

export function isWithin({ from, to }: Call, at: number): boolean {
  return at >= from && at < to;
}

import type { Address, Instruction } from '@tradepost/solana';
import { routeCall } from './route-call.ts';
import { variantOf } from './step-variants.ts';

/** A leg of a route, its venue's own instructions, and the whole percent of its input token that it spends. */
export type ProgramLeg = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly percent: number;
  readonly swap: readonly Instruction[];
};

/**
 * The legs as one call of the router program. Null where a venue needs more than one instruction, or one that the program
 * has no step for. `legs` as `Route` orders them. Throws a RangeError when their percents do not add up.
 */
export function swapByProgram(
  legs: readonly ProgramLeg[],
  ends: {
    readonly owner: Address;
    readonly source: Address;
    readonly destination: Address;
    readonly amountIn: bigint;
    readonly minOut: bigint;
  },
): Instruction | null {
  // Tokens by their number: in the order they are spent, and the bought one last.
  const spent = [...new Set(legs.map(({ mintIn }) => mintIn))];
  const numberOf = (mint: Address): number => {
    const at = spent.indexOf(mint);
    return at < 0 ? spent.length : at;
  };
  const mintOut = legs.at(-1)?.mintOut;
  if (mintOut === undefined) return null;
  const steps = legs.flatMap(({ mintIn, mintOut: to, percent, swap: [swap, ...more] }) =>
    swap === undefined || more.length > 0 || variantOf(swap) === null
      ? []
      : [{ percent, input: numberOf(mintIn), output: numberOf(to), swap }],
  );
  return steps.length < legs.length ? null : routeCall({ ...ends, mintOut, steps });
}

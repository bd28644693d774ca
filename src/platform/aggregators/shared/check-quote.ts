import { AggregatorError, type AggregatorOrder } from '../../ports/aggregator.ts';

/** Throws `contradiction` unless the answer is about the order that was asked. An output of nothing is no offer. */
export function checkQuote(
  order: AggregatorOrder,
  said: {
    readonly mintIn: string;
    readonly mintOut: string;
    readonly amountIn: bigint;
    readonly amountOut: bigint;
    /** The least it promises, where it says. */
    readonly minOut: bigint | null;
  },
): void {
  const wrong = (what: string): never => {
    throw new AggregatorError('contradiction', `${what} is not what was asked`);
  };
  if (said.mintIn !== order.mintIn) wrong('the token sold');
  if (said.mintOut !== order.mintOut) wrong('the token bought');
  if (said.amountIn !== order.amountIn) wrong('the amount');
  if (said.amountOut <= 0n) wrong('an output of nothing');
  if (said.minOut !== null && said.minOut > said.amountOut) wrong('a minimum above the output');
}

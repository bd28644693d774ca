/** One order inside the router: tokens are numbers of the market, amounts doubles in smallest units. */
export type Order = {
  readonly tokenIn: number;
  readonly tokenOut: number;
  readonly amount: number;
  readonly maxPools: number;
  readonly maxHops: number;
  /** The cost of one leg beside its fees (network fee), in units of the output token. */
  readonly legCost: number;
  /** The cost of one intermediate token (rent of a missing account), in units of the output token. */
  readonly intermediateCost: number;
};

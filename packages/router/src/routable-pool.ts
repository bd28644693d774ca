/** Where a pool's price comes from, in the pool's own token order [A, B]. Amounts are smallest units. */
export type PoolShape =
  | { readonly kind: 'constant-product'; readonly reserves: readonly [bigint, bigint] }
  | {
      readonly kind: 'launch-curve';
      readonly virtualReserves: readonly [bigint, bigint];
      /** The amounts that can really leave the pool. */
      readonly realReserves: readonly [bigint, bigint];
    }
  | {
      readonly kind: 'concentrated';
      /** Square root of B per A, now. */
      readonly sqrtPrice: number;
      readonly liquidity: bigint;
      /** Ascending; `sqrtPrice` is the tick's own. */
      readonly ticks: readonly { readonly sqrtPrice: number; readonly liquidityNet: bigint }[];
    }
  | {
      readonly kind: 'bins';
      /** Ascending; `price` is B per A. A→B empties B from `activeBin` downwards, B→A empties A from it upwards. */
      readonly bins: readonly { readonly price: number; readonly reserves: readonly [bigint, bigint] }[];
      /** Index into `bins`: the last bin whose id is not above the pool's active id, −1 if all are above. */
      readonly activeBin: number;
      /** True when that bin is the active one itself and so serves both directions. */
      readonly activeIsExact: boolean;
    };

/** The parts of the input and of the output that remain after fees, each 0 to 1. Transfer fees of a mint are multiplied in by the venue. */
export type Gain = { readonly in: number; readonly out: number };

/**
 * A pool as the router sees it: a shape to search with and an exact quote to settle with. The shape may be off in the
 * last digits; every amount that is reported comes from `quote`.
 */
export type RoutablePool = {
  readonly id: string;
  readonly tokens: readonly [string, string];
  readonly shape: PoolShape;
  /** For A→B and for B→A. */
  readonly gains: readonly [Gain, Gain];
  /** Units of the other token for exactly `amountIn` units, rounded as the venue rounds. 0 when nothing comes out. */
  quote(tokenIn: string, amountIn: bigint): bigint;
};

/** Gains of a pool that charges `feePpm` millionths on the input, or always in its second token. */
export function feeGains(feePpm: number, side: 'input' | 'second-token'): readonly [Gain, Gain] {
  const kept = 1 - feePpm / 1_000_000;
  const onInput = { in: kept, out: 1 };
  return [side === 'input' ? onInput : { in: 1, out: kept }, onInput];
}

const SHAPES: ReadonlySet<string> = new Set<PoolShape['kind']>([
  'constant-product',
  'launch-curve',
  'concentrated',
  'bins',
]);

/** Throws a RangeError that names the expected form: a caller without types learns it here and not from a wrong route. */
export function assertRoutable(pool: RoutablePool): void {
  const wrong = (what: string): never => {
    throw new RangeError(`pool ${String(pool.id)}: ${what}`);
  };
  if (typeof pool.id !== 'string') wrong('expected an id that is a text');
  if (!Array.isArray(pool.tokens) || pool.tokens.length !== 2) wrong('expected tokens: [A, B]');
  if (pool.tokens[0] === pool.tokens[1]) wrong('trades a token against itself');
  if (!SHAPES.has(pool.shape?.kind)) {
    wrong(`expected a shape of kind ${[...SHAPES].join(', ')}, got ${String(pool.shape?.kind)}`);
  }
  const isGain = (gain: number): boolean => gain >= 0 && gain <= 1;
  if (!Array.isArray(pool.gains) || !pool.gains.every((gain) => isGain(gain.in) && isGain(gain.out))) {
    wrong('expected gains: for A→B and for B→A { in, out }, each 0 to 1');
  }
  if (typeof pool.quote !== 'function') wrong('expected a function quote(tokenIn, amountIn)');
}

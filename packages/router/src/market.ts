import { type Curve, extentOf } from './curve.ts';
import { assertRoutable, type RoutablePool } from './routable-pool.ts';
import { BIN_SMOOTHING, buildCurve, ROUGH_SMOOTHING } from './segments.ts';

/**
 * All pools as a directed graph over small integers: pool i is edge 2i (A→B) and edge 2i + 1 (B→A), so `edge ^ 1` is the
 * opposite direction and `edge >> 1` the pool. Arrays are indexed by edge or by token.
 */
export type Market = {
  readonly pools: readonly RoutablePool[];
  readonly tokenIds: readonly string[];
  readonly tokenIndex: ReadonlyMap<string, number>;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly spot: Float64Array;
  /** The extent of each edge's exact curve: it bounds an edge's surplus without fetching it. */
  readonly holds: Float64Array;
  readonly deepest: Float64Array;
  /** Curves that every output is computed on. */
  readonly exact: readonly Curve[];
  /** Curves that Newton runs on: the same, bins smoothed. */
  readonly smooth: readonly Curve[];
  /** Curves on which Newton looks for candidates: bins smoothed until most of them touch. */
  readonly rough: readonly Curve[];
  /** Edges out of a token into tokens that have a second neighbour: the only ones a longer route can pass through. */
  readonly through: readonly Int32Array[];
  /** Edges into a token from such tokens. */
  readonly throughInto: readonly Int32Array[];
  /** Tokens with many neighbours. */
  readonly hubs: readonly number[];
  /** Edges in `through` between two others: few, because most pools trade against a hub. */
  readonly bridges: Int32Array;
  /** Edges from u to v; empty when there are none. */
  between(u: number, v: number): Int32Array;
  /** True when the token trades against one other token only. */
  isLeaf(token: number): boolean;
};

const NONE = new Int32Array(0);
const HUB_NEIGHBOURS = 16;

/** The mutable market behind the router: `market()` is current after every `set` and `remove`. */
export interface MarketIndex {
  market(): Market;
  /** Adds a pool or replaces the state of the pool with that id. Rebuilds that pool's curves only. */
  set(pool: RoutablePool): void;
  /** Takes a pool out of every later route. False when the id is unknown. */
  remove(poolId: string): boolean;
}

/** Builds the graph. `tokens` may name tokens no pool holds yet; tokens of the pools are added by themselves. */
export function createMarketIndex(initial: readonly RoutablePool[], tokens: readonly string[]): MarketIndex {
  const pools: RoutablePool[] = [];
  const poolIndex = new Map<string, number>();
  const removed = new Set<number>();
  const tokenIds: string[] = [];
  const tokenIndex = new Map<string, number>();
  const exact: Curve[] = [];
  const smooth: Curve[] = [];
  const rough: Curve[] = [];
  let built: Market | null = null;

  const tokenNumber = (id: string): number => {
    const known = tokenIndex.get(id);
    if (known !== undefined) return known;
    tokenIds.push(id);
    tokenIndex.set(id, tokenIds.length - 1);
    return tokenIds.length - 1;
  };

  const setCurves = (index: number, pool: RoutablePool): void => {
    for (const direction of [0, 1] as const) {
      const edge = index * 2 + direction;
      const curve = buildCurve(pool.shape, direction, pool.gains[direction], 0);
      exact[edge] = curve;
      // Only bins differ between the sets; sharing the rest saves most of the memory.
      const smoothed = (by: number): Curve =>
        pool.shape.kind === 'bins' ? buildCurve(pool.shape, direction, pool.gains[direction], by) : curve;
      smooth[edge] = smoothed(BIN_SMOOTHING);
      rough[edge] = smoothed(ROUGH_SMOOTHING);
      if (built !== null && edge < built.spot.length) setTables(built, edge, curve);
    }
  };

  const set = (pool: RoutablePool): void => {
    assertRoutable(pool);
    const known = poolIndex.get(pool.id);
    const index = known ?? pools.length;
    const before = pools[index];
    const moved = before?.tokens[0] !== pool.tokens[0] || before.tokens[1] !== pool.tokens[1];
    if (moved || removed.delete(index)) built = null;
    pools[index] = pool;
    poolIndex.set(pool.id, index);
    for (const token of pool.tokens) tokenNumber(token);
    setCurves(index, pool);
  };

  const remove = (poolId: string): boolean => {
    const index = poolIndex.get(poolId);
    if (index === undefined || removed.has(index)) return false;
    removed.add(index);
    built = null;
    return true;
  };

  for (const token of tokens) tokenNumber(token);
  for (const pool of initial) set(pool);

  return {
    market: () => {
      built ??= indexMarket({ pools, removed, tokenIds, tokenIndex, exact, smooth, rough });
      return built;
    },
    set,
    remove,
  };
}

type Tables = Pick<Market, 'spot' | 'holds' | 'deepest'>;

function setTables(tables: Tables, edge: number, curve: Curve): void {
  tables.spot[edge] = curve.spot;
  const { holds, deepest } = extentOf(curve);
  tables.holds[edge] = holds;
  tables.deepest[edge] = deepest;
}

type Parts = {
  readonly pools: readonly RoutablePool[];
  readonly removed: ReadonlySet<number>;
  readonly tokenIds: readonly string[];
  readonly tokenIndex: ReadonlyMap<string, number>;
  readonly exact: readonly Curve[];
  readonly smooth: readonly Curve[];
  readonly rough: readonly Curve[];
};

function indexMarket(parts: Parts): Market {
  const { pools, tokenIds, tokenIndex } = parts;
  const count = pools.length * 2;
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const tables: Tables = {
    spot: new Float64Array(count),
    holds: new Float64Array(count),
    deepest: new Float64Array(count),
  };
  const pairs: Map<number, number[]>[] = tokenIds.map(() => new Map<number, number[]>());
  pools.forEach((pool, index) => {
    const ends = pool.tokens.map((token) => tokenIndex.get(token) ?? 0);
    for (const direction of [0, 1] as const) {
      const edge = index * 2 + direction;
      const u = ends[direction] ?? 0;
      const v = ends[1 - direction] ?? 0;
      from[edge] = u;
      to[edge] = v;
      if (parts.removed.has(index)) continue;
      setTables(tables, edge, parts.exact[edge] as Curve);
      const neighbours = pairs[u];
      const edges = neighbours?.get(v);
      if (edges === undefined) neighbours?.set(v, [edge]);
      else edges.push(edge);
    }
  });

  const frozen = pairs.map(
    (neighbours) => new Map([...neighbours].map(([v, edges]) => [v, Int32Array.from(edges)] as const)),
  );
  const through: Int32Array[] = [];
  const throughInto: Int32Array[] = [];
  const hubs: number[] = [];
  const bridges: number[] = [];
  const isHub = (token: number): boolean => (frozen[token]?.size ?? 0) >= HUB_NEIGHBOURS;
  for (const [u, neighbours] of frozen.entries()) {
    if (isHub(u)) hubs.push(u);
    const out: number[] = [];
    for (const [v, edges] of neighbours) {
      if ((frozen[v]?.size ?? 0) < 2) continue;
      out.push(...edges);
      if (!isHub(u) && !isHub(v)) bridges.push(...edges);
    }
    through.push(Int32Array.from(out));
    throughInto.push(Int32Array.from(out, (edge) => edge ^ 1));
  }
  return {
    pools,
    tokenIds,
    tokenIndex,
    from,
    to,
    ...tables,
    exact: parts.exact,
    smooth: parts.smooth,
    rough: parts.rough,
    through,
    throughInto,
    hubs,
    bridges: Int32Array.from(bridges),
    isLeaf: (token) => (frozen[token]?.size ?? 0) < 2,
    between: (u, v) => frozen[u]?.get(v) ?? NONE,
  };
}

import { z } from 'zod';

/** The interchange format of the routing benchmark: amounts are decimal strings of smallest units. */

const amount = z.string().regex(/^\d{1,60}$/, 'expected a decimal string of smallest units');
const signed = z.string().regex(/^-?\d{1,60}$/, 'expected a signed decimal string');
const pair = z.tuple([amount, amount]);
const base = {
  id: z.string().min(1),
  tokens: z.tuple([z.string().min(1), z.string().min(1)]),
  feePpm: z.number().int().min(0).max(999_999),
  feeSide: z.literal('quote').optional(),
};

const pool = z.discriminatedUnion('type', [
  z.object({ ...base, type: z.literal('cp'), reserves: pair }),
  z.object({ ...base, type: z.literal('pump'), virtualReserves: pair, realReserves: pair }),
  z.object({
    ...base,
    type: z.literal('clmm'),
    sqrtPriceX64: amount,
    liquidity: amount,
    ticks: z.array(z.object({ tick: z.number().int(), liquidityNet: signed })),
  }),
  z.object({
    ...base,
    type: z.literal('dlmm'),
    binStep: z.number().int().min(1),
    activeId: z.number().int(),
    bins: z.array(z.object({ id: z.number().int(), x: amount, y: amount })),
  }),
]);

const order = z.object({
  id: z.string().min(1),
  tokenIn: z.string().min(1),
  tokenOut: z.string().min(1),
  amountIn: amount.refine((text) => !/^0+$/.test(text), 'expected an amount above 0'),
  depthFrac: z.number().optional(),
});

const snapshot = z.object({
  version: z.literal(1),
  tokens: z.array(z.object({ id: z.string().min(1) })),
  pools: z.array(pool),
  orders: z.array(order),
});

export type Snapshot = z.infer<typeof snapshot>;
export type SnapshotPool = z.infer<typeof pool>;
export type SnapshotOrder = z.infer<typeof order>;

/** Checks a parsed file. Throws an Error that names each problem's place; unknown fields are ignored. */
export function parseSnapshot(value: unknown): Snapshot {
  const parsed = snapshot.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues
      .slice(0, 10)
      .map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`not a routing snapshot:\n${problems.join('\n')}`);
  }
  const found = parsed.data;
  refuseDuplicates(
    found.pools.map(({ id }) => id),
    'pool',
  );
  refuseDuplicates(
    found.orders.map(({ id }) => id),
    'order',
  );
  const tokens = new Set(found.tokens.map(({ id }) => id));
  for (const { id, tokens: ends } of found.pools) {
    if (ends[0] === ends[1]) throw new Error(`pool ${id} trades ${ends[0]} against itself`);
    for (const token of ends)
      if (!tokens.has(token)) throw new Error(`pool ${id} names an unknown token ${token}`);
  }
  for (const { id, tokenIn, tokenOut } of found.orders) {
    if (tokenIn === tokenOut) throw new Error(`order ${id} trades ${tokenIn} for itself`);
  }
  return found;
}

function refuseDuplicates(ids: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new Error(`two entries for ${what} ${id}`);
    seen.add(id);
  }
}

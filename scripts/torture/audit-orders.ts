import { verifyOrders } from '../../src/modules/operations/use/verify-orders.ts';
import { createOrderBooks } from '../../src/modules/orders/store/order-audit.ts';
import { executablePrice } from '../../src/modules/orders/use/executable-price.ts';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import type { composeProcess } from './compose.ts';
import type { PlacedOrders } from './order-people.ts';
import type { TortureWorld } from './world.ts';

type Process = Awaited<ReturnType<typeof composeProcess>>;

export type OrderFindings = {
  readonly byStatus: Readonly<Record<string, number>>;
  readonly fires: number;
  readonly settled: number;
  /** Fires whose transaction was compared with the chain. */
  readonly compared: number;
  readonly problems: readonly string[];
};

/**
 * A fill beyond what its order allows. A purchase at its trigger brings units per lamport; a stop has its floor, and a stop-buy
 * may cost its tolerance more than its trigger. Rounds and trails have no price of their own in the row.
 */
const OUTSIDE = `SELECT o.type || ' ' || f.order_id || '/' || f.n || ': gave ' || f.given || ', got ' || f.got AS what
  FROM order_fires f JOIN orders o ON o.id = f.order_id
  WHERE f.result = 'settled' AND CASE
    WHEN o.type IN ('LIMIT', 'TAKE_PROFIT') THEN f.got * o.trigger_given < o.trigger_got * f.given
    WHEN o.type = 'STOP_BUY' THEN f.got * o.trigger_given * (10000 + (o.terms->>'toleranceBps')::numeric)
      < o.trigger_got * f.given * 10000
    WHEN o.type = 'STOP_LOSS' THEN f.got * (o.terms->'floor'->'given'->>'$bigint')::numeric
      < (o.terms->'floor'->'got'->>'$bigint')::numeric * f.given
    ELSE false END`;

/**
 * Orders against fires, intents and the chain, as the operator's `orders verify`; then the facts that no other check sees: fills outside
 * their limits and confirmed orders that are lost.
 */
export async function auditOrders(
  world: Pick<TortureWorld, 'chain' | 'query'>,
  { query }: Pick<Process, 'query'>,
  placed: PlacedOrders,
): Promise<OrderFindings> {
  const { mismatches, fires, compared } = await verifyOrders({
    books: createOrderBooks(query),
    chain: createRpcChain({ urls: [world.chain.rpcUrl] }),
    tape: null,
  });
  const outside = await world.query(OUTSIDE);
  const known = new Set((await world.query('SELECT id FROM order_groups')).map(({ id }) => id));
  const statuses = await world.query(
    `SELECT type || ' ' || status AS kind, count(*)::text AS n FROM orders GROUP BY 1 ORDER BY 1`,
  );
  const [settled] = await world.query(`SELECT count(*)::text AS n FROM order_fires WHERE result = 'settled'`);
  return {
    byStatus: Object.fromEntries(statuses.map(({ kind = '', n = '' }) => [kind, Number(n)])),
    fires,
    settled: Number(settled?.['n'] ?? 0),
    compared,
    problems: [
      ...mismatches.map(({ rule, subject, detail }) => `orders ${rule} ${subject}: ${detail}`),
      ...outside.map(({ what }) => `outside its limit: ${what}`),
      ...placed.groups.filter((id) => !known.has(id)).map((id) => `the confirmed orders of ${id} are lost`),
      ...(placed.counts.doubles === 0 ? [] : [`${placed.counts.doubles} double taps placed orders twice`]),
    ],
  };
}

/** How much better than its limit a price must be before an open order counts as forgotten, in thousandths. */
const SURELY = 10n;

/**
 * Limits and take-profits that are open without a reason though the price is there, clearly and for a while. The market has been calm since
 * the storm, so no evaluator watches them any more.
 */
export async function findForgotten({ orders: deps }: Process, world: Pick<TortureWorld, 'query'>) {
  const rows = await world.query(
    `SELECT id FROM orders WHERE status = 'OPEN' AND type IN ('LIMIT', 'TAKE_PROFIT') AND progress->'note' = 'null'::jsonb`,
  );
  const forgotten: string[] = [];
  for (const { id = '' } of rows) {
    const group = await deps.db.orders.find(id);
    const order = group?.orders.find((one) => one.id === id);
    const wallet = group == null ? null : await deps.db.wallets.find(group.walletId);
    if (order?.status !== 'OPEN' || order.trigger === null || wallet === null) continue;
    const amount = order.amount.kind === 'fixed' ? order.amount.units : (group?.units ?? 0n);
    const { side, mint, trigger } = order;
    const now = await executablePrice(deps.trade, { side, mint, amount, wallet: wallet.address });
    if (now === null) continue;
    if (now.rate.got * trigger.given * 1_000n > trigger.got * now.rate.given * (1_000n + SURELY))
      forgotten.push(`${order.type} ${id} is open though its price is there`);
  }
  return forgotten;
}

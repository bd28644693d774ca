import { readTokenAccount } from '@tradepost/local-chain';
import { type Address, WSOL_MINT } from '@tradepost/solana';
import { squareRoot } from '../../src/core/amounts/square-root.ts';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { type EventProblem, type JudgedFire, type JudgedWait, judgeEvents } from './judge-events.ts';
import type { TortureWorld } from './world.ts';

/** A token account keeps its amount here, 8 bytes, little-endian. */
const AMOUNT_AT = 64;
/** What the makers leave in their pools, in thousandths: further down than every step of an order. */
const LEFT_PERMILLE = 250n;

type Desk = Pick<TortureWorld, 'chain'>;

/** The vaults of a token's pools with SOL, as they are on the chain. */
function vaultsOf({ chain: { chain, world } }: Desk, mint: Address) {
  const read = (account: Address) => {
    const state = chain.account(account);
    const held = readTokenAccount(state);
    if (state === null || held === null) throw new Error(`${account} is no token account`);
    return { account, state, held };
  };
  return world.pools
    .filter(({ mintA, mintB }) => [mintA, mintB].includes(mint) && [mintA, mintB].includes(WSOL_MINT))
    .map(({ vaultA, vaultB }) => [read(vaultA), read(vaultB)] as const);
}

/** The makers of a token's pools with SOL take the same part of both sides out: the price stays. Returns the slot of now. */
export function takeOut(world: Desk, mint: Address): bigint {
  const { chain } = world.chain;
  for (const { account, state, held } of vaultsOf(world, mint).flat()) {
    const left = (held.amount * LEFT_PERMILLE) / 1_000n;
    const data = Uint8Array.from(state.data);
    new DataView(data.buffer).setBigUint64(AMOUNT_AT, left, true);
    const taken = held.mint === WSOL_MINT ? held.amount - left : 0n;
    chain.writeAccount(account, { ...state, data, lamports: state.lamports - taken });
  }
  return BigInt(chain.slots.tip());
}

const liquidityNow = (world: Desk, mint: Address): bigint =>
  vaultsOf(world, mint).reduce((sum, [a, b]) => sum + squareRoot(a.held.amount * b.held.amount), 0n);

export type EventFindings = {
  /** Fires of either type that stand in a block. */
  readonly sold: Readonly<Record<'DEV_SELLS' | 'LIQUIDITY_FALLS', number>>;
  /** Orders of either type that were placed. */
  readonly placed: EventFindings['sold'];
  readonly problems: readonly EventProblem[];
};

/** The exits by an event that stand open now, without a reason that its person could read. Asked for in fair weather, after a while of it. */
export async function findWaiting(
  { query }: Pick<TortureWorld, 'query'>,
  db: Pick<Database, 'orders'>,
): Promise<readonly JudgedWait[]> {
  const rows = await query(
    `SELECT id, type FROM orders WHERE type IN ('DEV_SELLS', 'LIQUIDITY_FALLS') AND status = 'OPEN'
       AND progress->'note' = 'null'::jsonb`,
  );
  return Promise.all(
    rows.map(async ({ id = '', type }) => ({ name: `${type} ${id}`, event: await eventOf(db, id) })),
  );
}

async function eventOf(db: Pick<Database, 'orders'>, orderId: string) {
  const group = await db.orders.find(orderId);
  return group?.orders.find(({ id }) => id === orderId)?.terms.event ?? null;
}

/** Exits by an event, judged from the blocks: see `judgeEvents`. */
export async function auditEvents(
  world: Pick<TortureWorld, 'chain' | 'query'>,
  {
    db,
    mint,
    creator,
    fellAt,
    waits,
  }: {
    readonly db: Pick<Database, 'orders'>;
    readonly mint: Address;
    readonly creator: Address;
    readonly fellAt: bigint | null;
    readonly waits: readonly JudgedWait[];
  },
): Promise<EventFindings> {
  const chain = createRpcChain({ urls: [world.chain.rpcUrl] });
  const inBlocks = async (intentId: string) => {
    const rows = await world.query(`SELECT signature FROM attempts WHERE intent_id = '${intentId}'`);
    const landed = await Promise.all(rows.map(({ signature = '' }) => chain.landed(signature)));
    return landed.flatMap((one) => (one !== null && one.err === null ? [one] : []));
  };
  const sales = await Promise.all(
    (
      await world.query(
        `SELECT intent.id, intent.params->'amountIn'->>'$bigint' AS units FROM intents AS intent
         JOIN wallets AS wallet ON wallet.id = intent.wallet_id
         WHERE wallet.address = '${creator}' AND intent.kind = 'sell'`,
      )
    ).map(async ({ id = '', units = '0' }) => ({
      units: BigInt(units),
      slot: (await inBlocks(id))[0]?.slot ?? null,
    })),
  );
  const rows = await world.query(
    `SELECT f.order_id AS "orderId", f.n::text AS n, o.type, f.result, f.slot::text AS slot, f.intent_id AS "intentId",
       o.group_id AS "groupId", (i.status = 'NEEDS_REVIEW' AND EXISTS (SELECT FROM notices AS notice
         WHERE notice.intent_id = i.id AND notice.kind = 'final'))::text AS "isInReview"
     FROM order_fires f JOIN orders o ON o.id = f.order_id LEFT JOIN intents i ON i.id = f.intent_id WHERE o.type IN ('DEV_SELLS', 'LIQUIDITY_FALLS')
     ORDER BY f.order_id, f.n`,
  );
  const sold = { DEV_SELLS: 0, LIQUIDITY_FALLS: 0 };
  const given = new Map<string, bigint>();
  const fires: JudgedFire[] = [];
  for (const row of rows) {
    const { orderId = '', n, type, result, slot = '0', intentId = '', groupId = '' } = row;
    const landed = await inBlocks(intentId);
    if (landed.length > 0) sold[type === 'DEV_SELLS' ? 'DEV_SELLS' : 'LIQUIDITY_FALLS'] += 1;
    const group = await db.orders.find(orderId);
    if (group?.units != null) given.set(groupId, group.units);
    fires.push({
      name: `${type} ${orderId}/${n}`,
      groupId,
      event: await eventOf(db, orderId),
      slot: BigInt(slot),
      result: result ?? null,
      isInReview: row['isInReview'] === 'true',
      landed: landed.map(({ tokenBalances }) =>
        tokenBalances.reduce(
          (most, one) => (one.mint === mint && one.before - one.after > most ? one.before - one.after : most),
          0n,
        ),
      ),
    });
  }
  const counts = await world.query(
    `SELECT type, count(*)::text AS n FROM orders WHERE type IN ('DEV_SELLS', 'LIQUIDITY_FALLS') GROUP BY 1`,
  );
  const placedOf = (type: string): number => Number(counts.find((one) => one['type'] === type)?.['n'] ?? 0);
  return {
    sold,
    placed: { DEV_SELLS: placedOf('DEV_SELLS'), LIQUIDITY_FALLS: placedOf('LIQUIDITY_FALLS') },
    problems: judgeEvents({
      fires,
      waits,
      given,
      sales: sales.flatMap(({ units, slot }) => (slot === null ? [] : [{ units, slot }])),
      fellAt,
      liquidity: liquidityNow(world, mint),
    }),
  };
}

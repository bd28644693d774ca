import type { Address } from '@tradepost/solana';
import type pg from 'pg';
import { NO_PROGRESS, type Order, type OrderType } from '../../../src/modules/orders/rules/order.ts';
import type { PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { PASSED } from '../passed.ts';
import type { StagedRows } from './staged-rows.ts';

/** A take-profit with its stop, and a limit order: the rows that are copied. */
export type Originals = { readonly pair: string; readonly limit: string; readonly alert: string };

/** How often a person places both, and an alert: once in so many days. */
const EVERY_DAYS = 7;
const PLACED = `(trade.p + trade.d) % ${EVERY_DAYS} = 0`;

/** Writes one of each through the stores. */
export async function realOrders(db: PrismaDatabase, userId: string, walletId: string): Promise<Originals> {
  const mint = 'So11111111111111111111111111111111111111112' as Address;
  const own = { userId, walletId, mint };
  const at = Date.now();
  const order = (groupId: string, id: string, type: OrderType): Order => ({
    ...own,
    id,
    groupId,
    number: 0,
    side: type === 'LIMIT' ? 'buy' : 'sell',
    type,
    status: 'OPEN',
    reason: null,
    version: 1,
    amount: type === 'STOP_LOSS' ? { kind: 'rest' } : { kind: 'fixed', units: 500_000_000n },
    filled: 0n,
    received: 0n,
    unit: 'SOL',
    trigger: { got: 1_005_000_000_000n, given: 98_260_000_000_000n },
    holdMs: 800,
    partial: false,
    fires: 0,
    burntLamports: 0n,
    certificate: null,
    notBeforeSlot: null,
    afterwards: null,
    terms: {
      request: '+50%',
      toleranceBps: 100,
      slippageBps: 500,
      tier: 'normal',
      floor: null,
      trailing: null,
      schedule: null,
      sellsOnExpiry: false,
      accepted: ['young', 'author-can-change'],
      supply: null,
      depthLamports: 728_400_000_000n,
    },
    progress: { ...NO_PROGRESS, told: { triggered: at } },
    expiresAt: at,
    createdAt: at,
  });
  const group = { ...own, parentIntentId: null, createdAt: at, sold: 0n, liveFires: [] };
  const [pair, limit, alert] = ['pair', 'limit', 'alert'].map((name) => `YEAR-${name}`.padEnd(26, '0'));
  if (pair === undefined || limit === undefined || alert === undefined) throw new Error('unreachable');
  await db.transact(async ({ orders, alerts }) => {
    await orders.insert(PASSED, {
      ...group,
      id: pair,
      kind: 'OCO',
      placeKey: 'year-pair',
      units: 500_000_000n,
      orders: [
        order(pair, `${pair.slice(0, 25)}1`, 'TAKE_PROFIT'),
        order(pair, `${pair.slice(0, 25)}2`, 'STOP_LOSS'),
      ],
    });
    await orders.insert(PASSED, {
      ...group,
      id: limit,
      kind: 'SINGLE',
      placeKey: 'year-limit',
      units: null,
      orders: [order(limit, `${limit.slice(0, 25)}1`, 'LIMIT')],
    });
    await alerts.insert({
      id: alert,
      userId,
      mint,
      unit: 'USD',
      price: { got: 1_508_000_000_000n, given: 1_000_000_000_000_000n },
      direction: 'above',
      request: '$0.001508',
      repeats: false,
      status: 'OPEN',
      armed: true,
      told: 0,
      restsUntil: null,
      version: 1,
      placeKey: 'year-alert',
      expiresAt: at,
      createdAt: at,
    });
  });
  return { pair, limit, alert };
}

/** Orders beside the sales of `trade`: the take-profit is what sold; its stop ended with it, and the limit order ran out. */
export async function writeOrders(rows: StagedRows, { pair, limit }: Originals): Promise<void> {
  const id = (what: string): string => `trade.ulid || '${what}' || lpad(trade.p::text, 15, '0')`;
  const own = { user_id: 'trade.user_id', wallet_id: 'trade.wallet_id', mint: 'trade.mint' };
  const group = async (original: string, what: string): Promise<void> =>
    rows.copy(
      'order_groups',
      `id = '${original}'`,
      'trade',
      {
        ...own,
        id: id(what),
        place_key: `'place-' || trade.hash`.replace('place', what),
        // These groups have ended, or take no further exit.
        open: 'false',
        created_at: 'trade.moment',
      },
      PLACED,
    );
  const order = async (
    original: string,
    what: string,
    n: number,
    ended: Readonly<Record<string, string>>,
  ): Promise<void> =>
    rows.copy(
      'orders',
      `id = '${original.slice(0, 25)}${n}'`,
      'trade',
      {
        ...own,
        id: id(`${what}${n}`.slice(-1)),
        group_id: id(what),
        number: `trade.d * 10 + ${what === 'L' ? 3 : n}`,
        version: '3',
        created_at: 'trade.moment',
        // One of the last day is still open.
        expires_at: `trade.moment + interval '30 days'`,
        ...ended,
      },
      PLACED,
    );
  await group(pair, 'O');
  await order(pair, 'O', 1, { status: `'FILLED'`, fires: '1', filled: '500000000', received: '490000000' });
  await order(pair, 'O', 2, { status: `'CANCELLED'`, reason: `'oco'` });
  await group(limit, 'L');
  await order(limit, 'L', 1, {
    id: id('3'),
    status: `CASE WHEN trade.d <= ${EVERY_DAYS} THEN 'OPEN' ELSE 'EXPIRED' END`,
  });
  await rows.add(
    'order_fires',
    'order_id, n, group_id, intent_id, units, slot, quoted, fired_at, ended_at, result, given, got, burnt_lamports',
    `SELECT ${id('1')}, 1, ${id('O')}, trade.intent_id, 500000000, trade.slot, 495000000, trade.moment, trade.moment, 'settled',
       500000000, 490000000, 15000 FROM trade WHERE ${PLACED}`,
  );
}

/** One alert of each person in a week; those of the last week are open. */
export async function writeAlerts(rows: StagedRows, { alert }: Originals): Promise<void> {
  await rows.copy(
    'alerts',
    `id = '${alert}'`,
    'trade',
    {
      id: `trade.ulid || 'A' || lpad(trade.p::text, 15, '0')`,
      user_id: 'trade.user_id',
      mint: 'trade.mint',
      place_key: `'alert-' || trade.hash`,
      status: `CASE WHEN trade.d <= ${EVERY_DAYS} THEN 'OPEN' ELSE 'TOLD' END`,
      created_at: 'trade.moment',
      expires_at: `trade.moment + interval '30 days'`,
    },
    PLACED,
  );
}

/** The originals are nobody's orders. */
export async function removeOriginals(client: pg.Client): Promise<void> {
  await client.query(`DELETE FROM alerts WHERE id LIKE 'YEAR-%'`);
  await client.query(`DELETE FROM orders WHERE group_id LIKE 'YEAR-%'`);
  await client.query(`DELETE FROM order_groups WHERE id LIKE 'YEAR-%'`);
}

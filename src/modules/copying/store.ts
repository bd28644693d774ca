import { slotOfTrade } from '@tradepost/tape';
import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../platform/db/codec.ts';
import type { Connection, Parameter, Query } from '../../platform/db/connection.ts';
import { COPY_RULES, COPY_SKIP } from '../../platform/db/json/copy-json.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import { TRADE, type TradeRow, toTrade } from '../follows/store.ts';
import type { Copy } from './rules/copy.ts';
import type { CopyTrade } from './rules/copy-trade.ts';
import type { CopyStore } from './store-port.ts';

// SQL: locks, a partial unique index, and trades that no row decides on.

export const COPY_COLUMNS = `id, user_id AS "userId", wallet_id AS "walletId", follow_id AS "followId", leader, status, reason, rules,
  lock_epoch AS "lockEpoch", until, certificate, since, version, created_at AS "createdAt"`;
const DECIDED = `copy_id AS "copyId", signature, leg, user_id AS "userId", leader, mint, side, status, skip,
  intent_id AS "intentId", amount::text AS amount, moved::text AS moved, burnt::text AS burnt, tries, due_at AS "dueAt", seen_at AS "seenAt"`;

export type CopyRow = Omit<Copy, 'leader' | 'rules' | 'until' | 'since' | 'createdAt'> & {
  readonly leader: string;
  readonly rules: unknown;
  readonly until: Date;
  readonly since: Date;
  readonly createdAt: Date;
};

type DecidedRow = Omit<
  CopyTrade,
  'leader' | 'mint' | 'skip' | 'amount' | 'moved' | 'burnt' | 'dueAt' | 'seenAt'
> & {
  readonly leader: string;
  readonly mint: string;
  readonly skip: unknown;
  readonly amount: string;
  readonly moved: string;
  readonly burnt: string;
  readonly dueAt: Date | null;
  readonly seenAt: Date;
};

export function createCopyStore({ query }: Pick<Connection, 'query'>): CopyStore {
  return {
    ...ofCopies(query),
    ...ofChanges(query),
    ...ofDecisions(query),
    ...ofLists(query),
    ...ofSpending(query),
    ...ofSums(query),
  };
}

function ofCopies(query: Query): Pick<CopyStore, 'insert' | 'find' | 'lock' | 'lockFree' | 'listByUser'> {
  const one = async (sql: string, id: string): Promise<Copy | null> => {
    const [row] = await query<CopyRow>(sql, [id]);
    return row === undefined ? null : toCopy(row);
  };
  return {
    insert: async (_passed, copy) => {
      const rows = await query(
        `INSERT INTO copies (id, user_id, wallet_id, follow_id, leader, status, reason, rules, lock_epoch, until, certificate, since,
           version, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10::timestamptz, $11, $12::timestamptz, $13, $14::timestamptz)
         ON CONFLICT (user_id, leader) WHERE status <> 'ENDED' DO NOTHING RETURNING 1`,
        [
          copy.id,
          copy.userId,
          copy.walletId,
          copy.followId,
          copy.leader,
          copy.status,
          copy.reason,
          COPY_RULES.encode(copy.id, copy.rules),
          copy.lockEpoch,
          toTime(copy.until),
          copy.certificate,
          toTime(copy.since),
          copy.version,
          toTime(copy.createdAt),
        ],
      );
      return rows.length === 1;
    },
    find: (id) => one(`SELECT ${COPY_COLUMNS} FROM copies WHERE id = $1`, id),
    lock: (id) => one(`SELECT ${COPY_COLUMNS} FROM copies WHERE id = $1 FOR NO KEY UPDATE`, id),
    lockFree: async (ids) => {
      const rows = await query<CopyRow>(
        `SELECT ${COPY_COLUMNS} FROM copies WHERE id = ANY ($1::text[]) FOR NO KEY UPDATE SKIP LOCKED`,
        [ids],
      );
      return rows.map(toCopy);
    },
    listByUser: async (userId) => {
      const rows = await query<CopyRow>(
        `SELECT ${COPY_COLUMNS} FROM copies WHERE user_id = $1 AND status <> 'ENDED' ORDER BY id`,
        [userId],
      );
      return rows.map(toCopy);
    },
  };
}

function ofChanges(query: Query): Pick<CopyStore, 'save' | 'saveTrade' | 'pauseAll' | 'page' | 'isAny'> {
  return {
    save: async (_passed, copy) => {
      const rows = await query(
        `UPDATE copies SET wallet_id = $2, status = $3, reason = $4, rules = $5::jsonb, lock_epoch = $6, until = $7::timestamptz,
           certificate = $8, since = $9::timestamptz, version = version + 1
         WHERE id = $1 AND version = $10 AND status <> 'ENDED' RETURNING 1`,
        [
          copy.id,
          copy.walletId,
          copy.status,
          copy.reason,
          COPY_RULES.encode(copy.id, copy.rules),
          copy.lockEpoch,
          toTime(copy.until),
          copy.certificate,
          toTime(copy.since),
          copy.version,
        ],
      );
      return rows.length === 1;
    },
    saveTrade: async (row) => {
      await query(
        `UPDATE copy_trades SET status = $4, intent_id = $5, amount = $6::numeric, moved = $7::numeric, burnt = $8::numeric, tries = $9,
           due_at = $10::timestamptz WHERE copy_id = $1 AND signature = $2 AND leg = $3`,
        [
          row.copyId,
          row.signature,
          row.leg,
          row.status,
          row.intentId,
          row.amount.toString(),
          row.moved.toString(),
          row.burnt.toString(),
          row.tries,
          toTimeOrNull(row.dueAt),
        ],
      );
    },
    pauseAll: async (_passed, userId, reason) => {
      const rows = await query(
        `UPDATE copies SET status = 'PAUSED', reason = $2, version = version + 1
         WHERE ($1::text IS NULL OR user_id = $1) AND status = 'ON' RETURNING 1`,
        [userId, reason],
      );
      return rows.length;
    },
    page: async (after, limit) => {
      const rows = await query<CopyRow>(
        `SELECT ${COPY_COLUMNS} FROM copies WHERE id > $1 ORDER BY id LIMIT $2::int`,
        [after, limit],
      );
      return rows.map(toCopy);
    },
    isAny: async () => (await query(`SELECT 1 FROM copies WHERE status <> 'ENDED' LIMIT 1`, [])).length > 0,
  };
}

function ofDecisions(query: Query): Pick<CopyStore, 'undecided' | 'decide' | 'decideAll'> {
  return {
    undecided: async (limit) => {
      const rows = await query<TradeRow & { readonly copyId: string }>(
        `SELECT ${TRADE}, copy.id AS "copyId" FROM copies copy JOIN leader_trades USING (leader)
         WHERE copy.status <> 'ENDED' AND at >= copy.since AND NOT taken_back AND NOT EXISTS (
           SELECT 1 FROM copy_trades decided WHERE decided.copy_id = copy.id
             AND decided.signature = leader_trades.signature AND decided.leg = side || '-' || leader_trades.mint)
         ORDER BY at, trade_id, side DESC, signature, leader_trades.mint, copy.id LIMIT $1::int`,
        [limit],
      );
      return rows.map(({ copyId, ...row }) => ({ copyId, trade: toTrade(row) }));
    },
    decide: async (row) => {
      const rows = await query(
        `INSERT INTO copy_trades (copy_id, signature, leg, user_id, leader, mint, side, status, skip, intent_id, amount, moved, burnt,
           tries, due_at, seen_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11::numeric, $12::numeric, $13::numeric, $14, $15::timestamptz,
           $16::timestamptz)
         ON CONFLICT (copy_id, signature, leg) DO NOTHING RETURNING 1`,
        [
          row.copyId,
          row.signature,
          row.leg,
          row.userId,
          row.leader,
          row.mint,
          row.side,
          row.status,
          row.skip === null ? null : COPY_SKIP.encode(row.copyId, row.skip),
          row.intentId,
          row.amount.toString(),
          row.moved.toString(),
          row.burnt.toString(),
          row.tries,
          toTimeOrNull(row.dueAt),
          toTime(row.seenAt),
        ],
      );
      return rows.length === 1;
    },
    decideAll: async (rows) => {
      if (rows.length === 0) return;
      await query(
        `INSERT INTO copy_trades (copy_id, signature, leg, user_id, leader, mint, side, status, skip, intent_id, amount, moved, burnt,
           tries, due_at, seen_at)
         SELECT t.copy_id, t.signature, t.leg, t.user_id, t.leader, t.mint, t.side, t.status, nullif(t.skip, '')::jsonb,
           nullif(t.intent_id, ''), t.amount, t.moved, t.burnt, t.tries, nullif(t.due_at, '')::timestamptz, t.seen_at
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
           $10::text[], $11::numeric[], $12::numeric[], $13::numeric[], $14::int[], $15::text[], $16::timestamptz[])
           AS t(copy_id, signature, leg, user_id, leader, mint, side, status, skip, intent_id, amount, moved, burnt, tries, due_at, seen_at)
           JOIN copies ON copies.id = t.copy_id
         ON CONFLICT (copy_id, signature, leg) DO NOTHING`,
        columnsOf(rows),
      );
    },
  };
}

/** As the arrays of one insert; '' means null. */
function columnsOf(rows: readonly CopyTrade[]): readonly (readonly string[])[] {
  const column = (of: (row: CopyTrade) => string): readonly string[] => rows.map(of);
  return [
    column(({ copyId }) => copyId),
    column(({ signature }) => signature),
    column(({ leg }) => leg),
    column(({ userId }) => userId),
    column(({ leader }) => leader),
    column(({ mint }) => mint),
    column(({ side }) => side),
    column(({ status }) => status),
    column((row) => (row.skip === null ? '' : COPY_SKIP.encode(row.copyId, row.skip))),
    column(({ intentId }) => intentId ?? ''),
    column(({ amount }) => amount.toString()),
    column(({ moved }) => moved.toString()),
    column(({ burnt }) => burnt.toString()),
    column(({ tries }) => tries.toString()),
    column(({ dueAt }) => toTimeOrNull(dueAt) ?? ''),
    column(({ seenAt }) => toTime(seenAt)),
  ];
}

function ofLists(
  query: Query,
): Pick<
  CopyStore,
  'byIntent' | 'isPurchase' | 'purchasesAmong' | 'findTrade' | 'trades' | 'latest' | 'owed'
> {
  const many = async (sql: string, values: readonly Parameter[]): Promise<readonly CopyTrade[]> =>
    (await query<DecidedRow>(sql, [...values])).map(toDecided);
  const one = async (sql: string, values: readonly Parameter[]): Promise<CopyTrade | null> =>
    (await many(sql, values))[0] ?? null;
  return {
    byIntent: (intentId) => one(`SELECT ${DECIDED} FROM copy_trades WHERE intent_id = $1`, [intentId]),
    isPurchase: async (signature) => {
      const [row] = await query<{ readonly found: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM attempts JOIN copy_trades USING (intent_id)
           WHERE attempts.signature = $1 AND copy_trades.side = 'buy') AS found`,
        [signature],
      );
      return row?.found === true;
    },
    purchasesAmong: async (signatures) => {
      const rows = await query<{ readonly signature: string }>(
        `SELECT DISTINCT attempts.signature FROM attempts JOIN copy_trades USING (intent_id)
         WHERE attempts.signature = ANY ($1::text[]) AND copy_trades.side = 'buy'`,
        [signatures],
      );
      return new Set(rows.map(({ signature }) => signature));
    },
    findTrade: ({ copyId, signature, leg }) =>
      one(`SELECT ${DECIDED} FROM copy_trades WHERE copy_id = $1 AND signature = $2 AND leg = $3`, [
        copyId,
        signature,
        leg,
      ]),
    trades: (copyId, mint) =>
      many(
        `SELECT ${DECIDED} FROM copy_trades WHERE copy_id = $1 AND ($2::text IS NULL OR mint = $2) AND status <> 'SKIPPED'
         ORDER BY seen_at, signature, leg`,
        [copyId, mint],
      ),
    latest: (copyId, limit) =>
      many(
        `SELECT ${DECIDED} FROM copy_trades WHERE copy_id = $1 ORDER BY seen_at DESC, signature, leg LIMIT $2::int`,
        [copyId, limit],
      ),
    owed: (dueAtMost, limit) =>
      many(
        `SELECT ${DECIDED} FROM copy_trades WHERE status = 'OWED' AND due_at <= $1::timestamptz ORDER BY due_at, signature, leg LIMIT $2::int`,
        [toTime(dueAtMost), limit],
      ),
  };
}

function ofSpending(query: Query): Pick<CopyStore, 'spent' | 'spentByMint'> {
  return {
    spent: async (copyId, since) => {
      const [row] = await query<{ readonly today: string; readonly inAll: string }>(
        `SELECT coalesce(sum(amount) FILTER (WHERE seen_at > $2::timestamptz), 0)::text AS today, coalesce(sum(amount), 0)::text AS "inAll"
         FROM copy_trades WHERE copy_id = $1 AND status IN ('BUYING', 'BOUGHT')`,
        [copyId, toTime(since)],
      );
      return { today: BigInt(row?.today ?? 0), inAll: BigInt(row?.inAll ?? 0) };
    },
    spentByMint: async (copyIds, since) => {
      const rows = await query<{
        readonly copyId: string;
        readonly mint: string;
        readonly today: string;
        readonly inAll: string;
      }>(
        `SELECT copy_id AS "copyId", mint, coalesce(sum(amount) FILTER (WHERE seen_at > $2::timestamptz), 0)::text AS today,
           sum(amount)::text AS "inAll"
         FROM copy_trades WHERE copy_id = ANY ($1::text[]) AND status IN ('BUYING', 'BOUGHT') GROUP BY copy_id, mint`,
        [copyIds, toTime(since)],
      );
      return rows.map(({ copyId, mint, today, inAll }) => ({
        copyId,
        mint: storedAddress(mint),
        today: BigInt(today),
        inAll: BigInt(inAll),
      }));
    },
  };
}

function ofSums(query: Query): Pick<CopyStore, 'crowd' | 'slotsBehind' | 'failures'> {
  return {
    crowd: async (leader, mint) => {
      const [row] = await query<{ readonly crowd: string }>(
        `SELECT coalesce(sum(CASE WHEN bought = 0 THEN paid ELSE div(paid * greatest(bought - sold, 0), bought) END), 0)::text AS crowd
         FROM (SELECT coalesce(sum(amount) FILTER (WHERE status IN ('BUYING', 'BOUGHT')), 0) AS paid,
             coalesce(sum(moved) FILTER (WHERE status IN ('BUYING', 'BOUGHT')), 0) AS bought,
             coalesce(sum(moved) FILTER (WHERE status = 'SOLD'), 0) AS sold
           FROM copy_trades WHERE leader = $1 AND mint = $2 GROUP BY copy_id) AS by_copy`,
        [leader, mint],
      );
      return BigInt(row?.crowd ?? 0);
    },
    slotsBehind: async (limit) => {
      const rows = await query<{ readonly tradeId: string; readonly landed: string }>(
        `SELECT trade.trade_id::text AS "tradeId", attempt.landed_slot::text AS landed
         FROM copy_trades AS decided JOIN leader_trades AS trade USING (leader, signature, mint, side)
           JOIN attempts AS attempt ON attempt.intent_id = decided.intent_id
         WHERE decided.side = 'buy' AND trade.trade_id > 0 AND NOT trade.taken_back AND attempt.landed_slot IS NOT NULL
           AND attempt.status IN ('CONFIRMED', 'FINALIZED')
         ORDER BY decided.seen_at DESC, decided.signature, decided.copy_id LIMIT $1::int`,
        [limit],
      );
      return rows.map(({ tradeId, landed }) => Number(BigInt(landed) - slotOfTrade(BigInt(tradeId))));
    },
    failures: async (copyId, since) => {
      const [row] = await query<{ readonly count: number; readonly burnt: string }>(
        `SELECT count(*)::int AS count, coalesce(sum(burnt), 0)::text AS burnt FROM copy_trades
         WHERE copy_id = $1 AND burnt > 0 AND seen_at > $2::timestamptz`,
        [copyId, toTime(since)],
      );
      return { count: row?.count ?? 0, burnt: BigInt(row?.burnt ?? 0) };
    },
  };
}

export function toCopy({ leader, rules, until, since, createdAt, ...row }: CopyRow): Copy {
  return {
    ...row,
    leader: storedAddress(leader),
    rules: COPY_RULES.decode(row.id, rules),
    until: fromTime(until),
    since: fromTime(since),
    createdAt: fromTime(createdAt),
  };
}

function toDecided({
  leader,
  mint,
  skip,
  amount,
  moved,
  burnt,
  dueAt,
  seenAt,
  ...row
}: DecidedRow): CopyTrade {
  return {
    ...row,
    leader: storedAddress(leader),
    mint: storedAddress(mint),
    skip: skip === null ? null : COPY_SKIP.decode(row.copyId, skip),
    amount: BigInt(amount),
    moved: BigInt(moved),
    burnt: BigInt(burnt),
    dueAt: fromTimeOrNull(dueAt),
    seenAt: fromTime(seenAt),
  };
}

import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { PAPER_RULES, PAPER_SKIP } from '../../../platform/db/json/copy-json.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import { TRADE, type TradeRow, toTrade } from '../../follows/store.ts';
import type { PaperCopy, PaperTrade } from '../rules/paper-copy.ts';
import type { PaperCopyStore } from './paper-store-port.ts';

// SQL: trades that no row decides on, and writes that keep the first one.

const COPY = `paper.user_id AS "userId", paper.leader, paper.follow_id AS "followId", paper.wallet_id AS "walletId", paper.rules, paper.since`;

type CopyRow = Omit<PaperCopy, 'leader' | 'rules' | 'since'> & {
  readonly leader: string;
  readonly rules: unknown;
  readonly since: Date;
};
type DecidedRow = Omit<
  PaperTrade,
  'leader' | 'mint' | 'skip' | 'lamports' | 'network' | 'units' | 'seenAt'
> & {
  readonly leader: string;
  readonly mint: string;
  readonly skip: unknown;
  readonly lamports: string;
  readonly network: string;
  readonly units: string;
  readonly seenAt: Date;
};

/** Paper copies in Postgres. */
export function createPaperCopyStore({ query }: Pick<Connection, 'query'>): PaperCopyStore {
  const end: PaperCopyStore['end'] = async ({ userId, leader }) =>
    (
      await query(
        `WITH decided AS (DELETE FROM paper_copy_trades WHERE user_id = $1 AND leader = $2)
         DELETE FROM paper_copies WHERE user_id = $1 AND leader = $2 RETURNING 1`,
        [userId, leader],
      )
    ).length > 0;
  return {
    begin: async (copy) => {
      await end(copy);
      await query(
        `INSERT INTO paper_copies (user_id, leader, follow_id, wallet_id, rules, since)
         VALUES ($1, $2, $3, $4, $5::jsonb, $6::timestamptz) ON CONFLICT (user_id, leader) DO NOTHING`,
        [
          copy.userId,
          copy.leader,
          copy.followId,
          copy.walletId,
          PAPER_RULES.encode(copy.userId, copy.rules),
          toTime(copy.since),
        ],
      );
    },
    find: async ({ userId, leader }) => {
      const [row] = await query<CopyRow>(
        `SELECT ${COPY} FROM paper_copies AS paper WHERE user_id = $1 AND leader = $2`,
        [userId, leader],
      );
      return row === undefined ? null : toCopy(row);
    },
    listByUser: async (userId) =>
      (
        await query<CopyRow>(`SELECT ${COPY} FROM paper_copies AS paper WHERE user_id = $1 ORDER BY leader`, [
          userId,
        ])
      ).map(toCopy),
    end,
    isAny: async () => (await query(`SELECT 1 FROM paper_copies LIMIT 1`, [])).length > 0,
    ...ofDecisions({ query }),
  };
}

function ofDecisions({
  query,
}: Pick<Connection, 'query'>): Pick<PaperCopyStore, 'undecided' | 'decide' | 'trades'> {
  return {
    undecided: async (atMost, limit) =>
      (
        await query<TradeRow & CopyRow>(
          `SELECT ${TRADE}, ${COPY} FROM paper_copies AS paper JOIN leader_trades USING (leader)
           WHERE at >= paper.since AND at <= $1::timestamptz AND NOT taken_back AND NOT EXISTS (
             SELECT 1 FROM paper_copy_trades decided WHERE decided.user_id = paper.user_id AND decided.leader = paper.leader
               AND decided.signature = leader_trades.signature AND decided.leg = side || '-' || leader_trades.mint)
           ORDER BY at, trade_id, side DESC, signature, leader_trades.mint, paper.user_id LIMIT $2::int`,
          [toTime(atMost), limit],
        )
      ).map(({ userId, followId, walletId, rules, since, ...row }) => ({
        copy: toCopy({ userId, leader: row.leader, followId, walletId, rules, since }),
        trade: toTrade(row),
      })),
    decide: async (row) =>
      (
        await query(
          `INSERT INTO paper_copy_trades (user_id, leader, signature, leg, mint, side, skip, lamports, network, units, seen_at)
           SELECT $1, $2, $3, $4, $5, $6, $7::jsonb, $8::numeric, $9::numeric, $10::numeric, $11::timestamptz
           FROM paper_copies WHERE user_id = $1 AND leader = $2
           ON CONFLICT (user_id, leader, signature, leg) DO NOTHING RETURNING 1`,
          [
            row.userId,
            row.leader,
            row.signature,
            row.leg,
            row.mint,
            row.side,
            row.skip === null ? null : PAPER_SKIP.encode(row.userId, row.skip),
            row.lamports.toString(),
            row.network.toString(),
            row.units.toString(),
            toTime(row.seenAt),
          ],
        )
      ).length > 0,
    trades: async ({ userId, leader }) =>
      (
        await query<DecidedRow>(
          `SELECT user_id AS "userId", leader, signature, leg, mint, side, skip, lamports::text AS lamports, network::text AS network,
             units::text AS units, seen_at AS "seenAt" FROM paper_copy_trades
           WHERE user_id = $1 AND leader = $2 ORDER BY seen_at, signature, leg`,
          [userId, leader],
        )
      ).map(({ leader: of, mint, skip, lamports, network, units, seenAt, ...row }) => ({
        ...row,
        leader: storedAddress(of),
        mint: storedAddress(mint),
        skip: skip === null ? null : PAPER_SKIP.decode(row.userId, skip),
        lamports: BigInt(lamports),
        network: BigInt(network),
        units: BigInt(units),
        seenAt: fromTime(seenAt),
      })),
  };
}

function toCopy({ leader, rules, since, ...row }: CopyRow): PaperCopy {
  return {
    ...row,
    leader: storedAddress(leader),
    rules: PAPER_RULES.decode(row.userId, rules),
    since: fromTime(since),
  };
}

import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { Deposit, DepositCursor, DepositStore, WatchedWallet } from './deposit-store-port.ts';
import { createUnreadRows } from './unread-rows.ts';

// SQL: deposits go in as one array and only new ones come back; wallets are read with their cursors and mints at once.

type WalletRow = {
  readonly walletId: string;
  readonly userId: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly mints: readonly string[];
};
type CursorRow = {
  readonly account: string;
  readonly walletId: string;
  readonly signature: string | null;
  readonly held: string | null;
  readonly since: Date;
};

type DepositRow = {
  readonly walletId: string;
  readonly asset: string;
  readonly signature: string;
  readonly userId: string;
  readonly units: string;
  readonly slot: string;
  readonly at: Date;
  readonly told: boolean;
};

export function createDepositStore({ query }: Pick<Connection, 'query'>): DepositStore {
  return {
    walletIds: async (fromId) =>
      (
        await query<{ readonly id: string }>(
          'SELECT id FROM wallets WHERE id >= $1 AND user_id IS NOT NULL ORDER BY id',
          [fromId],
        )
      ).map(({ id }) => id),
    load: (walletIds) => load(query, walletIds),
    add: async (deposits) => {
      if (deposits.length === 0) return [];
      const rows = await query<{
        readonly asset: string;
        readonly signature: string;
        readonly walletId: string;
      }>(
        `INSERT INTO deposits (wallet_id, asset, signature, user_id, units, slot, at, told, state)
         SELECT wallet_id, asset, signature, user_id, units, slot, at, told, CASE WHEN told THEN 'TOLD' ELSE 'STANDS' END FROM jsonb_to_recordset($1::jsonb)
           AS d(wallet_id text, asset text, signature text, user_id text, units numeric, slot bigint, at timestamptz, told boolean)
         ON CONFLICT DO NOTHING RETURNING wallet_id AS "walletId", asset, signature`,
        [JSON.stringify(deposits.map(encodeDeposit))],
      );
      const added = new Set(rows.map(keyOf));
      return deposits.filter((deposit) => added.has(keyOf(deposit)));
    },
    toldBefore: async (at, limit) =>
      (
        await query<DepositRow>(
          `SELECT wallet_id AS "walletId", asset, signature, user_id AS "userId", units::text AS units, slot::text AS slot, at, told
             FROM deposits WHERE state = 'TOLD' AND at <= $1::timestamptz ORDER BY at, signature LIMIT $2`,
          [toTime(at), limit],
        )
      ).map(toDeposit),
    settle: async ({ walletId, asset, signature }, as) =>
      (
        await query(
          `UPDATE deposits SET state = $4 WHERE wallet_id = $1 AND asset = $2 AND signature = $3 AND state = 'TOLD' RETURNING asset`,
          [walletId, asset, signature, as],
        )
      ).length === 1,
    ...createUnreadRows(query),
    toldSince: async (userId, since) => {
      const [row] = await query<{ readonly count: number }>(
        'SELECT count(*)::int AS count FROM deposits WHERE user_id = $1 AND at >= $2::timestamptz AND told',
        [userId, toTime(since)],
      );
      return row?.count ?? 0;
    },
    saveCursors: (cursors) => saveCursors(query, cursors),
  };
}

async function saveCursors(query: Connection['query'], cursors: readonly DepositCursor[]): Promise<void> {
  if (cursors.length === 0) return;
  await query(
    `INSERT INTO deposit_cursors (account, wallet_id, signature, held, since)
         SELECT account, wallet_id, signature, held, since FROM jsonb_to_recordset($1::jsonb)
           AS c(account text, wallet_id text, signature text, held numeric, since timestamptz) ORDER BY account
         ON CONFLICT (account) DO UPDATE SET signature = excluded.signature, held = excluded.held`,
    [JSON.stringify(cursors.map(encodeCursor))],
  );
}

async function load(
  query: Connection['query'],
  walletIds: readonly string[],
): Promise<readonly WatchedWallet[]> {
  const [wallets, cursors] = await Promise.all([
    query<WalletRow>(
      `SELECT w.id AS "walletId", w.user_id AS "userId", w.address, w.created_at AS "createdAt",
             ARRAY(SELECT p.mint FROM positions p WHERE p.wallet_id = w.id AND (p.units > 0 OR p.stale)
               ORDER BY p.mint COLLATE "C") AS mints
           FROM wallets w WHERE w.id = ANY($1::text[]) AND w.user_id IS NOT NULL ORDER BY w.id`,
      [walletIds],
    ),
    query<CursorRow>(
      `SELECT account, wallet_id AS "walletId", signature, held::text AS held, since FROM deposit_cursors
           WHERE wallet_id = ANY($1::text[]) ORDER BY account COLLATE "C"`,
      [walletIds],
    ),
  ]);
  const cursorsOf = new Map<string, DepositCursor[]>();
  for (const row of cursors) {
    const cursor = toCursor(row);
    cursorsOf.set(cursor.walletId, [...(cursorsOf.get(cursor.walletId) ?? []), cursor]);
  }
  return wallets.map(
    ({ address, createdAt, mints, ...ids }): WatchedWallet => ({
      ...ids,
      address: storedAddress(address),
      createdAt: fromTime(createdAt),
      mints: mints.map(storedAddress),
      cursors: cursorsOf.get(ids.walletId) ?? [],
    }),
  );
}

const keyOf = ({
  walletId,
  asset,
  signature,
}: Readonly<Record<'walletId' | 'asset' | 'signature', string>>) => `${walletId}/${asset}/${signature}`;

const encodeDeposit = (deposit: Deposit): unknown => ({
  wallet_id: deposit.walletId,
  asset: deposit.asset,
  signature: deposit.signature,
  user_id: deposit.userId,
  units: deposit.units.toString(),
  slot: deposit.slot.toString(),
  at: toTime(deposit.at),
  told: deposit.told,
});

const encodeCursor = (cursor: DepositCursor): unknown => ({
  account: cursor.account,
  wallet_id: cursor.walletId,
  signature: cursor.signature,
  held: cursor.held?.toString() ?? null,
  since: toTime(cursor.since),
});

const toCursor = ({ account, held, since, ...row }: CursorRow): DepositCursor => ({
  ...row,
  account: storedAddress(account),
  held: held === null ? null : BigInt(held),
  since: fromTime(since),
});

const toDeposit = ({ asset, units, slot, at, ...row }: DepositRow): Deposit => ({
  ...row,
  asset: asset === 'SOL' ? 'SOL' : storedAddress(asset),
  units: BigInt(units),
  slot: BigInt(slot),
  at: fromTime(at),
});

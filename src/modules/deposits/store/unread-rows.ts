import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { DepositStore, UnreadCause } from './deposit-store-port.ts';

// SQL: a row is taken up once, whichever account lists it, and those to be read again come by the index of their next look.

type Row = {
  readonly walletId: string;
  readonly account: string;
  readonly signature: string;
  readonly cause: UnreadCause;
  readonly seenAt: Date;
  readonly nextLook: Date | null;
};

/** The part of the store of deposits that keeps transactions which could not be read. */
export function createUnreadRows(
  query: Connection['query'],
): Pick<DepositStore, 'setAside' | 'unread' | 'lookLater' | 'endUnread'> {
  return {
    setAside: async ({ walletId, account, signature, cause, seenAt, nextLook }) => {
      await query(
        `INSERT INTO unread_deposits (wallet_id, signature, account, cause, seen_at, next_look)
         VALUES ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz) ON CONFLICT DO NOTHING`,
        [walletId, signature, account, cause, toTime(seenAt), toTimeOrNull(nextLook)],
      );
    },
    unread: async (limit) =>
      (
        await query<Row>(
          `SELECT wallet_id AS "walletId", account, signature, cause, seen_at AS "seenAt", next_look AS "nextLook"
             FROM unread_deposits WHERE next_look IS NOT NULL ORDER BY next_look, signature COLLATE "C" LIMIT $1`,
          [limit],
        )
      ).map(({ account, seenAt, nextLook, ...row }) => ({
        ...row,
        account: storedAddress(account),
        seenAt: fromTime(seenAt),
        nextLook: fromTimeOrNull(nextLook),
      })),
    lookLater: async ({ walletId, signature }, cause, nextLook) => {
      await query(
        'UPDATE unread_deposits SET cause = $3, next_look = $4::timestamptz WHERE wallet_id = $1 AND signature = $2',
        [walletId, signature, cause, toTimeOrNull(nextLook)],
      );
    },
    endUnread: async ({ walletId, signature }) => {
      await query('DELETE FROM unread_deposits WHERE wallet_id = $1 AND signature = $2', [
        walletId,
        signature,
      ]);
    },
  };
}

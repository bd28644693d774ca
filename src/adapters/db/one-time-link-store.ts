import type { LinkPurpose, OneTimeLinkStore } from '../../core/ports/one-time-link-store.ts';
import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from './codec.ts';
import type { Connection } from './connection.ts';

type Row = {
  readonly hash: Uint8Array;
  readonly purpose: LinkPurpose;
  readonly subject: string;
  readonly expires: Date;
  readonly used: Date | null;
};

export function createOneTimeLinkStore({ query }: Pick<Connection, 'query'>): OneTimeLinkStore {
  return {
    insert: async ({ hash, purpose, subject, expiresAt, usedAt }) => {
      await query(
        `INSERT INTO one_time_links (hash, purpose, subject, expires_at, used_at)
         VALUES ($1::bytea, $2, $3, $4::timestamptz, $5::timestamptz)`,
        [Uint8Array.from(hash), purpose, subject, toTime(expiresAt), toTimeOrNull(usedAt)],
      );
    },
    find: async (hash) => {
      const [row] = await query<Row>(
        `SELECT hash, purpose, subject, expires_at AS expires, used_at AS used FROM one_time_links WHERE hash = $1::bytea`,
        [Uint8Array.from(hash)],
      );
      if (row === undefined) return null;
      const { purpose, subject } = row;
      return {
        hash: Uint8Array.from(row.hash),
        purpose,
        subject,
        expiresAt: fromTime(row.expires),
        usedAt: fromTimeOrNull(row.used),
      };
    },
    use: async (hash, at) =>
      (
        await query(
          `UPDATE one_time_links SET used_at = $2::timestamptz
           WHERE hash = $1::bytea AND used_at IS NULL AND expires_at > $2::timestamptz RETURNING purpose`,
          [Uint8Array.from(hash), toTime(at)],
        )
      ).length > 0,
    end: async (purpose, subject, at) => {
      await query(
        `UPDATE one_time_links SET expires_at = $3::timestamptz
         WHERE purpose = $1 AND subject = $2 AND used_at IS NULL AND expires_at > $3::timestamptz`,
        [purpose, subject, toTime(at)],
      );
    },
    deleteExpired: async (before) =>
      (
        await query('DELETE FROM one_time_links WHERE expires_at < $1::timestamptz RETURNING purpose', [
          toTime(before),
        ])
      ).length,
  };
}

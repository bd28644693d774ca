import type { KeyRequest, KeyRequestStatus } from '../../core/keys/key-request.ts';
import { API_SCOPES } from '../../core/ports/api-key-store.ts';
import type { KeyRequestStore } from '../../core/ports/key-request-store.ts';
import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from './codec.ts';
import type { Connection, Parameter } from './connection.ts';
import { GRANTED } from './json/key-json.ts';

type Row = {
  readonly id: string;
  readonly email: string;
  readonly project: string;
  readonly use: string;
  readonly per_day: number;
  readonly peak: number;
  readonly scopes: string;
  readonly status: KeyRequestStatus;
  readonly created_at: Date;
  readonly confirmed_at: Date | null;
  readonly decided_at: Date | null;
  readonly decided_by: string | null;
  readonly reason: string | null;
  readonly question: string | null;
  readonly answer: string | null;
  readonly granted: unknown;
  readonly key_id: string | null;
  readonly claimed_at: Date | null;
};

const COLUMNS = `id, email, project, intended_use AS "use", per_day, peak, scopes, status, created_at, confirmed_at, decided_at,
  decided_by, reason, question, answer, granted, key_id, claimed_at`;

type Patch = Parameters<KeyRequestStore['change']>[2];
type Column = readonly [
  name: string,
  cast: string,
  value: (patch: Patch, id: string) => Parameter | undefined,
];

/** What may change; a field that the patch leaves out keeps its value. */
const CHANGES: readonly Column[] = [
  ['status', 'text', ({ status }) => status],
  ['confirmed_at', 'timestamptz', ({ confirmedAt: at }) => (at === undefined ? at : toTimeOrNull(at))],
  ['decided_at', 'timestamptz', ({ decidedAt: at }) => (at === undefined ? at : toTimeOrNull(at))],
  ['decided_by', 'text', ({ decidedBy }) => decidedBy],
  ['reason', 'text', ({ reason }) => reason],
  ['question', 'text', ({ question }) => question],
  ['answer', 'text', ({ answer }) => answer],
  ['granted', 'jsonb', ({ granted }, id) => granted && GRANTED.encode(id, granted)],
  ['key_id', 'text', ({ keyId }) => keyId],
  ['claimed_at', 'timestamptz', ({ claimedAt: at }) => (at === undefined ? at : toTimeOrNull(at))],
];

export function createKeyRequestStore({ query }: Pick<Connection, 'query'>): KeyRequestStore {
  const rows = async (text: string, values: readonly Parameter[]): Promise<readonly KeyRequest[]> =>
    (await query<Row>(text, values)).map(requestOf);
  return {
    insert: async (request) =>
      (
        await query(
          `INSERT INTO api_key_requests (id, email, project, intended_use, per_day, peak, scopes, status, created_at)
           VALUES ($1, $2, $3, $4, $5::integer, $6::integer, $7, $8, $9::timestamptz)
           ON CONFLICT (email) WHERE status IN ('unconfirmed', 'confirmed') DO NOTHING RETURNING id`,
          [
            request.id,
            request.email,
            request.project,
            request.use,
            request.perDay,
            request.peakPerSecond,
            request.scopes.join(','),
            request.status,
            toTime(request.createdAt),
          ],
        )
      ).length > 0,
    find: async (id) =>
      (await rows(`SELECT ${COLUMNS} FROM api_key_requests WHERE id = $1`, [id]))[0] ?? null,
    change: async (id, from, patch) => {
      const changes = CHANGES.map(([name, cast, value]) => ({ name, cast, value: value(patch, id) })).filter(
        (change): change is { name: string; cast: string; value: Parameter } => change.value !== undefined,
      );
      const set = changes.map(({ name, cast }, index) => `${name} = $${index + 3}::${cast}`).join(', ');
      const changed = await rows(
        `UPDATE api_key_requests SET ${set} WHERE id = $1 AND status = ANY($2::text[]) RETURNING ${COLUMNS}`,
        [id, from, ...changes.map(({ value }) => value)],
      );
      return changed[0] ?? null;
    },
    list: (status, limit) =>
      rows(
        `SELECT ${COLUMNS} FROM api_key_requests WHERE status = $1 ORDER BY created_at, id LIMIT $2::int`,
        [status, limit],
      ),
    listByEmail: (email, limit) =>
      rows(
        `SELECT ${COLUMNS} FROM api_key_requests WHERE email = $1 ORDER BY created_at DESC, id LIMIT $2::int`,
        [email, limit],
      ),
    dropUnconfirmed: async (email, before) => {
      await query(
        `DELETE FROM api_key_requests WHERE email = $1 AND status = 'unconfirmed' AND created_at < $2::timestamptz`,
        [email, toTime(before)],
      );
    },
    deleteOld: async ({ unconfirmed, refused }) =>
      (
        await query(
          `DELETE FROM api_key_requests
           WHERE (status IN ('unconfirmed', 'bounced') AND decided_at IS NULL AND created_at < $1::timestamptz)
             OR (status IN ('refused', 'bounced') AND decided_at < $2::timestamptz) RETURNING id`,
          [toTime(unconfirmed), toTime(refused)],
        )
      ).length,
  };
}

function requestOf(row: Row): KeyRequest {
  const { id, email, project, use, status, reason, question, answer, granted } = row;
  return {
    id,
    email,
    project,
    use,
    perDay: row.per_day,
    peakPerSecond: row.peak,
    scopes: API_SCOPES.filter((scope) => row.scopes.split(',').includes(scope)),
    status,
    createdAt: fromTime(row.created_at),
    confirmedAt: fromTimeOrNull(row.confirmed_at),
    decidedAt: fromTimeOrNull(row.decided_at),
    decidedBy: row.decided_by,
    reason,
    question,
    answer,
    granted: granted === null ? null : GRANTED.decode(id, granted),
    keyId: row.key_id,
    claimedAt: fromTimeOrNull(row.claimed_at),
  };
}

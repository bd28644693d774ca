import {
  type BigintColumn,
  fromTime,
  fromTimeOrNull,
  toTime,
  toTimeOrNull,
} from '../../../platform/db/codec.ts';
import type { Connection, Parameter } from '../../../platform/db/connection.ts';
import { DEATH_PROOF, LANDING_PROOF, TERMS } from '../../../platform/db/json/intent-json.ts';
import type { JsonColumn } from '../../../platform/db/json/json-column.ts';
import type { Attempt } from '../rules/intent.ts';
import type { IntentStore } from './intent-store-port.ts';

// SQL: the money path: an attempt's status changes by compare-and-set, in the transaction of its intent.

export const ATTEMPT_COLUMNS = `id, intent_id AS "intentId", n, signed_transaction AS "signedTransaction", signature, blockhash,
  last_valid_block_height AS "lastValidBlockHeight", signed_slot AS "signedSlot", signed_at AS "signedAt", status,
  send_count AS "sendCount", last_sent_at AS "lastSentAt", landed_slot AS "landedSlot", chain_error AS "chainError",
  death_proof AS "deathProof", landing_proof AS "landingProof", terms`;

export type AttemptRow = Omit<
  Attempt,
  | 'lastValidBlockHeight'
  | 'signedSlot'
  | 'signedAt'
  | 'lastSentAt'
  | 'landedSlot'
  | 'deathProof'
  | 'landingProof'
  | 'terms'
> & {
  readonly lastValidBlockHeight: BigintColumn;
  readonly signedSlot: BigintColumn;
  readonly signedAt: Date;
  readonly lastSentAt: Date | null;
  readonly landedSlot: BigintColumn | null;
  readonly deathProof: unknown;
  readonly landingProof: unknown;
  readonly terms: unknown;
};

type AttemptStore = Pick<IntentStore, 'attempts' | 'insertAttempt' | 'updateAttempt'>;

/** The attempts of intents: the half of the intent store that holds signed bytes. */
export function createAttemptStore(connection: Connection): AttemptStore {
  return {
    attempts: attemptsOf(connection),
    insertAttempt: insertAttempt(connection),
    updateAttempt: updateAttempt(connection),
  };
}

/** The attempts of one intent, the oldest first. */
function attemptsOf({ query }: Pick<Connection, 'query'>): AttemptStore['attempts'] {
  return async (intentId) =>
    (
      await query<AttemptRow>(`SELECT ${ATTEMPT_COLUMNS} FROM attempts WHERE intent_id = $1 ORDER BY n`, [
        intentId,
      ])
    ).map(toAttempt);
}

/** A new attempt; false when its number or its signature is taken. */
function insertAttempt({ query }: Pick<Connection, 'query'>): AttemptStore['insertAttempt'] {
  return async (attempt) => {
    const rows = await query(
      `INSERT INTO attempts (id, intent_id, n, signed_transaction, signature, blockhash, last_valid_block_height,
         signed_slot, signed_at, status, send_count, last_sent_at, landed_slot, chain_error, death_proof, terms, landing_proof)
       VALUES ($1, $2, $3::int, $4::bytea, $5, $6, $7::bigint, $8::bigint, $9::timestamptz, $10, $11::int,
         $12::timestamptz, $13::bigint, $14, $15::jsonb, $16::jsonb,
         $17::jsonb)
       ON CONFLICT DO NOTHING RETURNING id`,
      [
        attempt.id,
        attempt.intentId,
        attempt.n,
        Uint8Array.from(attempt.signedTransaction),
        attempt.signature,
        attempt.blockhash,
        attempt.lastValidBlockHeight.toString(),
        attempt.signedSlot.toString(),
        toTime(attempt.signedAt),
        attempt.status,
        attempt.sendCount,
        toTimeOrNull(attempt.lastSentAt),
        attempt.landedSlot?.toString() ?? null,
        attempt.chainError,
        orNull(DEATH_PROOF, attempt.id, attempt.deathProof),
        orNull(TERMS, attempt.id, attempt.terms),
        orNull(LANDING_PROOF, attempt.id, attempt.landingProof),
      ],
    );
    return rows.length > 0;
  };
}

/** Updates an attempt that is as expected; false when it is not. */
function updateAttempt({ query }: Pick<Connection, 'query'>): AttemptStore['updateAttempt'] {
  return async (id, expect, patch) => {
    const values: Parameter[] = [id, expect.statuses];
    const changes: string[] = [];
    const set = (column: string, type: string, value: Parameter) => {
      changes.push(`${column} = $${values.push(value)}::${type}`);
    };
    if (patch.status !== undefined) set('status', 'text', patch.status);
    if (patch.sendCount !== undefined) set('send_count', 'int', patch.sendCount);
    if (patch.lastSentAt !== undefined) set('last_sent_at', 'timestamptz', toTimeOrNull(patch.lastSentAt));
    if (patch.landedSlot !== undefined) set('landed_slot', 'bigint', patch.landedSlot?.toString() ?? null);
    if (patch.chainError !== undefined) set('chain_error', 'text', patch.chainError);
    if (patch.deathProof !== undefined)
      set('death_proof', 'jsonb', orNull(DEATH_PROOF, id, patch.deathProof));
    if (patch.landingProof !== undefined)
      set('landing_proof', 'jsonb', orNull(LANDING_PROOF, id, patch.landingProof));
    if (changes.length === 0) changes.push('status = status');
    const conditions = ['id = $1', 'status = ANY($2::text[])'];
    if (expect.epoch !== undefined) conditions.push(fencedBy(values.push(expect.epoch)));
    const sql = `UPDATE attempts SET ${changes.join(', ')} WHERE ${conditions.join(' AND ')} RETURNING id`;
    return (await query(sql, values)).length > 0;
  };
}

/**
 * Holds the intent's row as an update of it would: who is about to take the lease is waited for, and its epoch then compared; who
 * comes later waits for this transaction.
 */
const fencedBy = (epoch: number): string =>
  `intent_id = (SELECT intents.id FROM intents WHERE intents.id = attempts.intent_id AND lease_epoch = $${epoch}::int FOR NO KEY UPDATE)`;

function orNull<T>(column: JsonColumn<T>, id: string, value: T | null | undefined): string | null {
  return value === null || value === undefined ? null : column.encode(id, value);
}

export function toAttempt(row: AttemptRow): Attempt {
  return {
    ...row,
    signedTransaction: Uint8Array.from(row.signedTransaction),
    lastValidBlockHeight: BigInt(row.lastValidBlockHeight),
    signedSlot: BigInt(row.signedSlot),
    signedAt: fromTime(row.signedAt),
    lastSentAt: fromTimeOrNull(row.lastSentAt),
    landedSlot: row.landedSlot === null ? null : BigInt(row.landedSlot),
    deathProof: row.deathProof === null ? null : DEATH_PROOF.decode(row.id, row.deathProof),
    landingProof: row.landingProof === null ? null : LANDING_PROOF.decode(row.id, row.landingProof),
    terms: row.terms === null ? null : TERMS.decode(row.id, row.terms),
  };
}

import { decodeLooks, encodeLooks } from '../../engine/intents/rules/death.ts';
import { decodeLandingLooks, encodeLandingLooks } from '../../engine/intents/rules/verdict.ts';
import {
  type BigintColumn,
  fromTime,
  fromTimeOrNull,
  toTime,
  toTimeOrNull,
} from '../../platform/db/codec.ts';
import type { Connection, Parameter } from '../../platform/db/connection.ts';
import { SUBMISSION_DEATH_PROOF, SUBMISSION_LANDING_PROOF } from '../../platform/db/json/intent-json.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import { eventOf } from './rules/record.ts';
import { decodeSenders, encodeSenders } from './rules/send-way.ts';
import type { Submission } from './rules/submission.ts';
import type { SubmissionStore, UnderWay } from './store-port.ts';

// SQL: the events for webhooks are written in the statement that changes the row. A row is inserted once and changed only as it was read.
// Statuses are spelled as in the partial index.

const COLUMNS = `signature, transaction, fee_payer AS "feePayer", account, reference, blockhash, senders, alone,
  last_valid_block_height AS "lastValidBlockHeight", slot_floor AS "slotFloor", status, version, sends,
  last_sent_at AS "lastSentAt", slot, err, death_proof AS "deathProof", landing_proof AS "landingProof",
  received_at AS "receivedAt", changed_at AS "changedAt"`;
const OPEN = `status IN ('received', 'sent', 'processed', 'confirmed', 'disputed')`;
const FOLLOWS_DISPUTED_MS = 86_400_000;

type Row = Omit<
  Submission,
  | 'feePayer'
  | 'lastValidBlockHeight'
  | 'slotFloor'
  | 'way'
  | 'slot'
  | 'lastSentAt'
  | 'deaths'
  | 'landings'
  | 'receivedAt'
  | 'changedAt'
> & {
  readonly feePayer: string;
  readonly senders: string;
  readonly alone: boolean;
  readonly lastValidBlockHeight: BigintColumn | null;
  readonly slotFloor: BigintColumn;
  readonly slot: BigintColumn | null;
  readonly lastSentAt: Date | null;
  readonly deathProof: unknown;
  readonly landingProof: unknown;
  readonly receivedAt: Date;
  readonly changedAt: Date;
};

export function createSubmissionStore({ query }: Pick<Connection, 'query'>): SubmissionStore {
  return {
    find: async (signature) => {
      const [row] = await query<Row>(`SELECT ${COLUMNS} FROM submissions WHERE signature = $1`, [signature]);
      return row === undefined ? null : toSubmission(row);
    },
    findAll: async (signatures) => {
      const rows = await query<Row>(`SELECT ${COLUMNS} FROM submissions WHERE signature = ANY($1::text[])`, [
        signatures,
      ]);
      return rows.map(toSubmission);
    },
    insert: async (submission) => {
      const { signature, transaction, feePayer, account, reference, blockhash, slotFloor, way } = submission;
      const rows = await query(
        `INSERT INTO submissions (signature, status, version, sends, last_sent_at, last_valid_block_height, slot, err, death_proof,
           landing_proof, changed_at, transaction, fee_payer, account, reference, blockhash, slot_floor, received_at,
           senders, alone)
         VALUES ($1, $2, $3, $4, $5::timestamptz, $6, $7, $8, $9::jsonb, $10::jsonb, $11::timestamptz, $12, $13, $14, $15, $16, $17,
           $18::timestamptz, $19, $20)
         ON CONFLICT (signature) DO NOTHING RETURNING 1`,
        [
          ...changing(signature, submission),
          transaction === null ? null : Buffer.from(transaction),
          feePayer,
          account,
          reference,
          blockhash,
          slotFloor.toString(),
          toTime(submission.receivedAt),
          encodeSenders(way),
          way.alone,
        ],
      );
      return rows.length === 1;
    },
    replace: (submission) => replace(query, submission),
    open: async (now, limit) => {
      const rows = await query<Row>(
        `SELECT ${COLUMNS} FROM submissions WHERE ${OPEN} AND (status <> 'disputed' OR changed_at > $1::timestamptz)
         ORDER BY received_at, signature LIMIT $2`,
        [toTime(now - FOLLOWS_DISPUTED_MS), limit],
      );
      return rows.map(toSubmission);
    },
    underWay: async ({ feePayer, account }) => {
      const [row] = await query<UnderWay>(
        `SELECT count(*)::int AS "all", count(*) FILTER (WHERE fee_payer = $1)::int AS "ofPayer",
           count(*) FILTER (WHERE account = $2)::int AS "ofAccount"
         FROM submissions WHERE ${OPEN} AND status <> 'disputed'`,
        [feePayer, account],
      );
      return row ?? { all: 0, ofPayer: 0, ofAccount: 0 };
    },
  };
}

async function replace(query: Connection['query'], submission: Submission): Promise<boolean> {
  const event = eventOf(submission);
  const rows = await query(
    `WITH changed AS (UPDATE submissions SET status = $2, version = $3, sends = $4, last_sent_at = $5::timestamptz,
       last_valid_block_height = $6, slot = $7, err = $8, death_proof = $9::jsonb, landing_proof = $10::jsonb,
       changed_at = $11::timestamptz, transaction = CASE WHEN $12::boolean THEN NULL ELSE transaction END
       WHERE signature = $1 AND version = $3 - 1 RETURNING account),
     told AS (INSERT INTO webhook_deliveries (webhook_id, event_id, type, body, status, error, attempts, due_at, created_at)
       SELECT webhook.id, $13, $14, $15, CASE WHEN webhook.disabled_at IS NULL THEN 'waiting' ELSE 'failed' END,
         CASE WHEN webhook.disabled_at IS NOT NULL THEN 'the webhook was disabled' END, 0, $11::timestamptz, $11::timestamptz
       FROM changed JOIN webhooks AS webhook ON webhook.account = changed.account
       WHERE $13::text IS NOT NULL AND $14 = ANY(string_to_array(webhook.events, ','))
       ON CONFLICT DO NOTHING)
     SELECT 1 FROM changed`,
    [
      ...changing(submission.signature, submission),
      submission.transaction === null,
      event?.id ?? null,
      event?.type ?? null,
      event?.body ?? null,
    ],
  );
  return rows.length === 1;
}

/** The columns that change over a row's life, as $1 to $11 of both statements. */
function changing(id: string, submission: Submission): readonly Parameter[] {
  const { status, version, sends, lastSentAt, lastValidBlockHeight, slot, err, deaths, landings } =
    submission;
  return [
    id,
    status,
    version,
    sends,
    toTimeOrNull(lastSentAt),
    lastValidBlockHeight === null ? null : lastValidBlockHeight.toString(),
    slot === null ? null : slot.toString(),
    err,
    deaths.length === 0 ? null : SUBMISSION_DEATH_PROOF.encode(id, encodeLooks(deaths)),
    landings.length === 0 ? null : SUBMISSION_LANDING_PROOF.encode(id, encodeLandingLooks(landings)),
    toTime(submission.changedAt),
  ];
}

function toSubmission({ deathProof, landingProof, senders, alone, ...row }: Row): Submission {
  const { signature: id } = row;
  return {
    ...row,
    feePayer: storedAddress(row.feePayer),
    way: { senders: decodeSenders(senders), alone },
    lastValidBlockHeight: row.lastValidBlockHeight === null ? null : BigInt(row.lastValidBlockHeight),
    slotFloor: BigInt(row.slotFloor),
    slot: row.slot === null ? null : BigInt(row.slot),
    lastSentAt: fromTimeOrNull(row.lastSentAt),
    deaths: deathProof === null ? [] : decodeLooks(SUBMISSION_DEATH_PROOF.decode(id, deathProof)),
    landings:
      landingProof === null ? [] : decodeLandingLooks(SUBMISSION_LANDING_PROOF.decode(id, landingProof)),
    receivedAt: fromTime(row.receivedAt),
    changedAt: fromTime(row.changedAt),
  };
}

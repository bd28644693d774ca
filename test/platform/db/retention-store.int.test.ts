import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuditStore } from '../../../src/engine/audit/store/audit-store.ts';
import type { Attempt, Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { Notice } from '../../../src/engine/notices/store-port.ts';
import { createIdempotencyStore } from '../../../src/modules/keys/store/idempotency-store.ts';
import { NOTICE_DAYS } from '../../../src/modules/operations/rules/retention.ts';
import { createRetentionStore } from '../../../src/modules/operations/store/retention-store.ts';
import { randomIds } from '../../../src/platform/clock/ids.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import {
  attemptRow,
  intentRow,
  newAddress,
  newId,
  noticeRow,
  storedPerson,
  userRow,
} from '../../conformance/store-rows.ts';
import { retentionTable } from '../../docs/retention-table.ts';
import { createTestDatabase } from '../../support/database.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2027, 0, 1);
const [OLD, YOUNG] = [NOW - 31 * DAY, NOW - 29 * DAY];

let url: string;
let db: PrismaDatabase;
let other: PrismaDatabase;
beforeAll(async () => {
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  other = await createPrismaDatabase({ url });
});
afterAll(async () => {
  await db?.close();
  await other?.close();
});

const idAt = (at: number): string => randomIds(() => at).ulid();
const clean = (now = NOW) => createRetentionStore(db.query).clean(now);
const ended = (at: number, change: Partial<Intent> = {}): Partial<Intent> => ({
  id: idAt(at),
  status: 'SUCCEEDED',
  createdAt: at,
  updatedAt: at,
  ...change,
});

/** An intent with all that a removal may touch: how much of it is left. */
async function leaves(intent: Partial<Intent>, attempt: Partial<Attempt> = {}): Promise<object> {
  const { user, wallet } = await storedPerson(db);
  const row = intentRow(wallet, intent);
  const { id: intentId } = row;
  const countsAt = row.createdAt;
  await db.transact(async (stores) => {
    await stores.guards.addUse({ intentId, userId: user.id, lamports: 1n, countsAt });
    await stores.guards.addSpending({ intentId, userId: user.id, lamports: 1n, countsAt });
    await stores.intents.insert(row);
    await stores.notices.setProgressMessage({ intentId, chatId: 1n, messageId: 1 });
  });
  const landingProof = { looks: [] };
  const signed = attemptRow(row, { status: 'FINALIZED', signedAt: countsAt, landingProof, ...attempt });
  await db.intents.insertAttempt(signed);
  await clean();
  const [stored] = await db.intents.attempts(intentId);
  const { signedTransaction = null } = stored ?? {};
  const isEmpty = signedTransaction?.length === 0;
  expect(stored).toEqual({ ...signed, signedTransaction, ...(isEmpty ? { landingProof: null } : {}) });
  return {
    bytes: signedTransaction?.length,
    message: (await db.notices.progressMessage(intentId)) !== null,
    withdrawn: (await db.guards.usedSince(user.id, 0)).lamports,
    spent: (await db.guards.sumsSince(user.id, 0)).s > 0n,
  };
}

const ALL = { bytes: 200, message: true, withdrawn: 1n, spent: true };
const NONE = { bytes: 0, message: false, withdrawn: 0n, spent: false };

it('an intent that ended 30 days ago loses its signed bytes, message and allowances, and keeps all that its receipt shows', async () => {
  expect(await leaves(ended(OLD))).toEqual(NONE);
  expect(await leaves(ended(YOUNG))).toEqual(ALL);
  expect(await leaves(ended(OLD, { status: 'FAILED' }), { status: 'DEAD' })).toEqual({ ...NONE });
});

it('nothing that may still be sent or looked at loses its bytes, however old', async () => {
  for (const status of ['CREATED', 'ACTIVE', 'NEEDS_REVIEW'] as const)
    expect(await leaves(ended(OLD, { status }))).toMatchObject({ bytes: 200, message: true });
  // Written yesterday by somebody who looked at it.
  expect(await leaves(ended(OLD, { updatedAt: NOW - DAY }))).toMatchObject({ bytes: 200, message: true });
  for (const status of ['SIGNED', 'SEEN', 'CONFIRMED', 'UNKNOWN'] as const)
    expect(await leaves(ended(OLD), { status })).toMatchObject({ bytes: 200 });
});

it('notices go a week after delivery, and never before it', async () => {
  const { user } = await storedPerson(db);
  const notice = async (change: Partial<Notice>): Promise<string> => {
    const row = noticeRow(user.id, { createdAt: OLD, ...change });
    await db.notices.add([row]);
    return row.id;
  };
  const ids = [
    await notice({ deliveredAt: OLD }),
    await notice({ deliveredAt: NOW - (NOTICE_DAYS - 1) * DAY }),
    await notice({ deliveredAt: null }),
  ];
  await clean();
  const left = await Promise.all(ids.map(async (id) => (await db.notices.find(id)) !== null));
  expect(left).toEqual([false, true, true]);
});

it('kept answers go when they expire', async () => {
  const store = db.open(createIdempotencyStore);
  const answer = async (expiresAt: number) => {
    const request = { scope: 'a'.repeat(64), key: newId(), requestHash: 'b'.repeat(64), owner: 'o' };
    await store.start(request, { now: NOW - 2 * DAY, leaseUntil: NOW - DAY });
    await store.finish(request, '{}', expiresAt);
  };
  await answer(NOW);
  await answer(NOW + 1);
  expect((await clean()).get('idempotency_keys')).toBe(1);
});

it('taps are booked when the person stopped for a day: the same points, and books that add up', async () => {
  const people = await Promise.all(
    [NOW - DAY - 1, NOW - DAY].map(async (lastAt) => {
      const { user } = await db.users.insert(userRow());
      const tap = { id: newId(), key: newId(), ref: '1', created_at: new Date(lastAt).toISOString() };
      await db.query('SELECT points_mined($1, $2::jsonb, 7)', [user.id, JSON.stringify(tap)]);
      return user.id;
    }),
  );
  const unbooked = async () =>
    (await db.query<{ id: string }>('SELECT user_id AS id FROM unbooked_points', [])).map(({ id }) => id);
  expect(await unbooked()).toHaveLength(2);
  await clean();
  expect(await unbooked()).toEqual([people[1]]);
  for (const owner of people) expect(await db.ledger.balance({ kind: 'points', owner })).toBe(7n);
  const mismatches = await createAuditStore(db.query).mismatches();
  // Of the intents above, that are no more than rows.
  expect(mismatches.filter(({ rule }) => rule !== 'landed-once')).toEqual([]);
});

it('two workers at once remove each row once, in batches, and do not wait for a row that somebody holds', async () => {
  const { user } = await storedPerson(db);
  const row = noticeRow(user.id, { deliveredAt: OLD, createdAt: OLD });
  await db.notices.add([row]);
  await db.query(
    `INSERT INTO notices (id, user_id, kind, payload, created_at, delivered_at, attempts)
     SELECT id || n, user_id, kind, payload, created_at, delivered_at, attempts
     FROM notices, generate_series(1, 14999) AS n WHERE id = $1`,
    [row.id],
  );
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM notices WHERE id = $1 FOR UPDATE', [row.id]);
  const rounds = await Promise.all([clean(), createRetentionStore(other.query).clean(NOW)]);
  // A round is bounded, two are together.
  for (const round of rounds) expect(round.get('notices')).toBeLessThanOrEqual(10_000);
  let sum = rounds.reduce((all, round) => all + (round.get('notices') ?? 0), 0);
  for (let round = await clean(); round.has('notices'); round = await clean())
    sum += round.get('notices') ?? 0;
  expect(sum).toBe(14_999);
  await holder.query('ROLLBACK');
  await holder.end();
  expect((await clean()).get('notices')).toBe(1);
});

it('forgets deposits after a month, told or not', async () => {
  const { user, wallet } = await storedPerson(db);
  const row = {
    walletId: wallet.id,
    userId: user.id,
    asset: 'SOL' as const,
    units: 1n,
    slot: 1n,
    told: true,
  };
  await db.deposits.add([
    { ...row, signature: 'old', at: OLD },
    { ...row, signature: 'young', at: YOUNG },
  ]);
  expect((await clean()).get('deposits')).toBe(1);
  expect(await db.deposits.toldSince(user.id, 0)).toBe(1);
});

it('forgets the window of a signal a month after its end, and no newer one', async () => {
  const { user } = await storedPerson(db);
  const [old, young] = [newAddress(), newAddress()];
  const hit = (mint: typeof old, until: number) => ({
    userId: user.id,
    mint,
    beganAt: until - 60_000,
    until,
  });
  await db.signals.addHit(hit(old, OLD));
  await db.signals.addHit(hit(young, YOUNG));
  expect((await clean()).get('signal_hits')).toBe(1);
  expect(await db.signals.hits([user.id], [old, young])).toEqual([hit(young, YOUNG)]);
});

it('each table that it touches is in the table of docs/operations.md', async () => {
  const names = new Set(retentionTable().flatMap(({ name, by }) => (by === 'the worker' ? [name] : [])));
  const round = await createRetentionStore(async <Row>() => [{}] as Row[]).clean(NOW);
  expect([...round.keys()].filter((name) => !names.has(name))).toEqual([]);
  expect(round.size).toBe(22);
});

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../../src/compose/create-worker.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { PACE } from '../../../src/engine/intents/rules/pace.ts';
import { createDeliverNotice } from '../../../src/engine/transactions/use/deliver-notice.ts';
import { newIntent } from '../../../src/engine/transactions/use/new-intent.ts';
import { createRelay } from '../../../src/engine/transactions/use/relay-outbox.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { isNews } from '../../../src/engine/watch/use/is-news.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { noticeRow, outboxRow } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type MoneyRig, startMoneyRig } from './money-rig.ts';

/** What a worker does with rows that an older release, a person's hand or an attacker left behind. */
describe('a stored row that cannot be read', () => {
  let db: PrismaDatabase;
  let rig: MoneyRig;
  const said: unknown[] = [];
  beforeAll(async () => {
    db = await createPrismaDatabase({ url: await createTestDatabase() });
    rig = await startMoneyRig(db, 'unreadable');
  });
  afterAll(async () => {
    await rig?.stop();
    await db?.close();
  });

  const log = { info: () => undefined, warn: (fields: unknown) => said.push(fields) };
  const step = (stretchMs = 0) => createStepIntent({ ...rig.deps, log }, { stretchMs });

  /** Stepped until nothing is left to do, by nobody else. */
  async function carriedOut(id: string): Promise<void> {
    for (;;) {
      const result = await step(2_500)(id);
      if (result.kind === 'done') return;
      await pause(Math.min(result.afterMs, 500));
    }
  }

  /** A withdrawal that is wanted; no job knows of it. */
  async function wanted(): Promise<string> {
    const { userId, wallet } = await rig.person('Ann', 1_000_000_000n);
    const { wallet: other } = await rig.person('Bob', 1_000_000n);
    const params: IntentParams = {
      kind: 'withdraw-sol',
      destination: other.address,
      lamports: 1_000_000n,
      everything: false,
      tier: 'economy',
    };
    const id = rig.deps.ids.ulid();
    const request = { id, userId, walletId: wallet.id, idemKey: id, params };
    const confirmation = await rig.deps.vault.confirm(request, null);
    await db.intents.insert(newIntent(rig.deps, { ...request, confirmation, notBefore: null }));
    return id;
  }
  const patch = (id: string, fields: unknown) =>
    db.query('UPDATE intents SET params = params || $2::jsonb WHERE id = $1', [id, JSON.stringify(fields)]);
  async function row(id: string) {
    const [intent] = await db.query<{ status: string; outcome: unknown; tier: string }>(
      `SELECT status, outcome, params ->> 'tier' AS tier FROM intents WHERE id = $1`,
      [id],
    );
    const attempts = await db.query<{ status: string; bytes: number }>(
      'SELECT status, octet_length(signed_transaction) AS bytes FROM attempts WHERE intent_id = $1',
      [id],
    );
    return { ...intent, attempts };
  }

  it('signs nothing of an intent, and leaves it for a person with the field as its reason', async () => {
    const id = await wanted();
    await patch(id, { tier: 'warp' });
    expect(await step()(id)).toEqual({ kind: 'done' });
    const fault = { table: 'intents', row: id, field: 'params.tier' };
    expect(await row(id)).toMatchObject({
      status: 'NEEDS_REVIEW',
      outcome: { reason: 'ROW_INVALID', details: fault },
      tier: 'warp',
      attempts: [],
    });
    expect(said).toContainEqual(expect.objectContaining({ intentId: id, ...fault, set: true }));
    // It is final: no sweep brings it back, and the next intent is carried out.
    expect(await db.intents.due(Date.now() + 60_000, 100)).not.toContain(id);
    const next = await wanted();
    await carriedOut(next);
    expect((await rig.settled(next)).status).toBe('SUCCEEDED');
  });

  it('keeps what was signed before the row was spoiled, unsent and unjudged', async () => {
    const id = await wanted();
    await step()(id);
    const before = await row(id);
    expect(before).toMatchObject({ status: 'ACTIVE', attempts: [{ status: 'SIGNED' }] });
    await db.query(`UPDATE attempts SET terms = '{"minOut":5}'::jsonb WHERE intent_id = $1`, [id]);
    await db.query('UPDATE intents SET lease_until = NULL WHERE id = $1', [id]);
    const sent = rig.network.sent;
    expect(await step()(id)).toEqual({ kind: 'done' });
    expect(await row(id)).toMatchObject({ status: 'NEEDS_REVIEW', attempts: before.attempts });
    expect(rig.network.sent).toBe(sent);
  });

  it('of a later release is left as it is for the workers that can read it', async () => {
    const id = await wanted();
    await patch(id, { v: 2 });
    await expect(step()(id)).rejects.toMatchObject({ code: 'ROW_INVALID', details: { field: 'params.v' } });
    expect(await row(id)).toMatchObject({ status: 'CREATED', attempts: [] });
    // The job ends with a line for the operator and does not spin.
    const lines: unknown[] = [];
    const services = { stepIntent: step() } as unknown as Parameters<typeof jobHandlers>[0]['services'];
    const handlers = jobHandlers({
      services,
      log: { warn: (fields) => lines.push(fields), error: () => undefined },
    });
    await db.query('UPDATE intents SET lease_until = NULL WHERE id = $1', [id]);
    expect(await handlers['intent.step']({ intentId: id })).toEqual({ kind: 'done' });
    expect(lines).toMatchObject([{ code: 'ROW_INVALID', table: 'intents', row: id, field: 'params.v' }]);
    await patch(id, { v: 1 });
    await db.query('UPDATE intents SET lease_until = NULL WHERE id = $1', [id]);
    await carriedOut(id);
    expect((await rig.settled(id)).status).toBe('SUCCEEDED');
  });

  it('in the outbox is named and passed over; the rows behind it are dispatched', async () => {
    await rig.deps.relay.run();
    const [spoiled, unknown, good] = [outboxRow(), outboxRow(), outboxRow()];
    await db.outbox.add([spoiled, unknown, good]);
    await db.query(`UPDATE outbox SET data = '{"intentId":5}' WHERE id = $1`, [spoiled.id]);
    await db.query(`UPDATE outbox SET job = 'coffee.make' WHERE id = $1`, [unknown.id]);
    const [lines, added]: [unknown[], string[]] = [[], []];
    const queue = {
      add: async (_name: string, _data: unknown, { key }: { key: string }) => void added.push(key),
    };
    const relay = createRelay({
      db,
      queue,
      clock: rig.deps.clock,
      log: { warn: (fields) => lines.push(fields) },
    });
    await relay.run();
    expect(added).toEqual([good.key]);
    expect(lines).toMatchObject([
      { table: 'outbox', row: spoiled.id, field: 'data.intentId' },
      { table: 'outbox', row: unknown.id, field: 'job' },
    ]);
    await relay.run();
    expect(lines).toHaveLength(2);
  });

  it('of an attempt hides no other attempt from the watcher', async () => {
    const ids = [await wanted(), await wanted()];
    for (const id of ids) while ((await row(id)).attempts.length === 0) await step(1_000)(id);
    await db.query(
      `UPDATE attempts SET send_count = 1, status = 'SIGNED', landing_proof = '{"v":99}' WHERE intent_id = $1`,
      [ids[0] ?? ''],
    );
    await db.query(`UPDATE attempts SET send_count = 1, status = 'SIGNED' WHERE intent_id = $1`, [
      ids[1] ?? '',
    ]);
    await db.query(`UPDATE intents SET status = 'ACTIVE' WHERE id = ANY($1::text[])`, [ids]);
    const now = Date.now();
    const { attempts } = await db.watch.beat({
      owner: 'here',
      now,
      until: now + 5_000,
      watchedSince: now,
      noticesBefore: now,
      limit: 100,
    });
    const seen = attempts.filter(({ intentId }) => ids.includes(intentId));
    expect(seen.map(({ intentId }) => intentId).sort()).toEqual([...ids].sort());
    for (const attempt of seen)
      expect(() =>
        isNews(attempt, { slot: 1n, level: 'finalized', err: null }, now, { pace: PACE }),
      ).not.toThrow();
    await db.watch.leave('here');
  });

  it('of a notice is named once and given up; the result stands in the history', async () => {
    const { userId } = await rig.person('Cid', 0n);
    const notice = noticeRow(userId, { createdAt: 1 });
    await db.notices.add([notice]);
    await db.query(`UPDATE notices SET payload = payload || '{"lamports":5}' WHERE id = $1`, [notice.id]);
    const told: string[] = [];
    const deliver = createDeliverNotice({
      db,
      clock: rig.deps.clock,
      notifier: {
        deliver: async ({ notice: { id } }) => {
          told.push(id);
          return { kind: 'delivered' };
        },
      },
    });
    await expect(deliver(notice.id)).rejects.toMatchObject({
      code: 'ROW_INVALID',
      details: { table: 'notices', row: notice.id, field: 'payload.lamports' },
    });
    expect(told).toEqual([]);
    expect(await db.notices.undelivered(Date.now(), 100)).not.toContain(notice.id);
  });
});

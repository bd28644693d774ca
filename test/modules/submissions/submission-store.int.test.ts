import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRetentionStore } from '../../../src/modules/operations/store/retention-store.ts';
import type { Submission } from '../../../src/modules/submissions/rules/submission.ts';
import { createSubmissionStore } from '../../../src/modules/submissions/store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describeSubmissionStore, submissionRow } from '../../conformance/submission-store.ts';
import { createTestDatabase } from '../../support/database.ts';

const DAY = 86_400_000;

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('submissions in Postgres', () => {
  describeSubmissionStore(async () => createSubmissionStore(db));

  it('go 30 days after their end, and never while they are under way', async () => {
    const store = createSubmissionStore(db);
    const now = Date.UTC(2030, 0, 1);
    const row = async (change: Partial<Submission>) => {
      const submission = submissionRow(change);
      await store.insert(submission);
      return async () => (await store.find(submission.signature)) !== null;
    };
    const old = { changedAt: now - 31 * DAY };
    const isThere = await Promise.all([
      row({ ...old, status: 'expired', transaction: null }),
      row({ ...old, status: 'disputed' }),
      row({ ...old, status: 'sent' }),
      row({ changedAt: now - 29 * DAY, status: 'expired', transaction: null }),
    ]);
    await createRetentionStore(db.query).clean(now);
    expect(await Promise.all(isThere.map((look) => look()))).toEqual([false, false, true, true]);
  });

  it('have bytes exactly until their end is final', async () => {
    const store = createSubmissionStore(db);
    await expect(store.insert(submissionRow({ status: 'failed' }))).rejects.toThrow();
    await expect(store.insert(submissionRow({ transaction: null }))).rejects.toThrow();
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigningBooks } from '../../../src/engine/signing/store/signing-books.ts';
import { createQuarantineStore } from '../../../src/engine/transactions/store/quarantine-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { newId } from '../../conformance/store-rows.ts';
import { administer, createTestDatabase } from '../../support/database.ts';

let url: string;
let db: PrismaDatabase;
beforeAll(async () => {
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
});
afterAll(() => db.close());
const books = () => createSigningBooks(db.query);

describe('what the signer asks of the database', () => {
  it('knows nothing of an intent that is not there, and says what the server keeps all the same', async () => {
    const { intents, signatures, server } = await books().known({ intentIds: [newId()] });
    expect([intents.size, signatures.size]).toEqual([0, 0]);
    expect(server.inRecovery).toBe(false);
    expect(await books().known({ intentIds: [] })).toMatchObject({ server });
  });

  it('sees that a server forgets what it has confirmed', async () => {
    const name = new URL(url).pathname.slice(1);
    await administer(url, `ALTER DATABASE "${name}" SET synchronous_commit = off`);
    const other = await createPrismaDatabase({ url });
    const { server } = await createSigningBooks(other.query).known({ intentIds: [] });
    await other.close();
    await administer(url, `ALTER DATABASE "${name}" RESET synchronous_commit`);
    expect(server.synchronousCommit).toBe('off');
  });

  it('remembers the newest line of each journal, and an earlier one changes nothing', async () => {
    const [a, b] = [newId(), newId()];
    await books().saveHead({ journalId: a, seq: 7, hash: 'seven' });
    await books().saveHead({ journalId: a, seq: 6, hash: 'six' });
    await books().saveHead({ journalId: b, seq: 1, hash: 'one' });
    const heads = await books().heads();
    expect(heads).toContainEqual({ journalId: a, seq: 7, hash: 'seven' });
    expect(heads).toContainEqual({ journalId: b, seq: 1, hash: 'one' });
    await books().saveHead({ journalId: a, seq: 8, hash: 'eight' });
    expect(await books().heads()).toContainEqual({ journalId: a, seq: 8, hash: 'eight' });
  });

  it('says that nothing was ever signed, and which server answers', async () => {
    expect(await books().hasAttempts()).toBe(false);
    const { systemIdentifier, timeline } = await books().identity();
    expect(systemIdentifier).toMatch(/^\d+$/);
    expect(timeline).toBeGreaterThan(0);
  });

  it('reads the reports of quarantines that were lifted since, and no older ones', async () => {
    const quarantines = createQuarantineStore(db.query);
    const id = newId();
    await quarantines.enter({ id, reason: 'a test', dataAsOf: 1, enteredAt: 1_000 });
    expect(await books().reportsSince(0)).toEqual([]);
    const report = { findings: [], mismatches: [] };
    await quarantines.lift(id, 2_000, report);
    expect(await books().reportsSince(2_000)).toMatchObject([report]);
    expect(await books().reportsSince(2_001)).toEqual([]);
  });
});

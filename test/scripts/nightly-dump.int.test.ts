import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { storedPerson } from '../conformance/store-rows.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';

describe('nightly dumps', () => {
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nightly-'));
    url = await createTestDatabase();
    const db = await createPrismaDatabase({ url });
    await storedPerson(db);
    await db.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const ops = (args: readonly string[], DATABASE_URL = url) => runOpsHere(args, { DATABASE_URL });

  it('are encrypted, checked by age, thinned out, and come back', async () => {
    const dumps = join(folder, 'dumps');
    const identity = await generateX25519Identity();
    const to = await identityToRecipient(identity);
    expect(await ops(['dump-check', folder])).toMatchObject({ code: 1 });
    expect(await ops(['dump-nightly', dumps, '--to', to, '--once'])).toMatchObject({ code: 0 });
    expect(await ops(['dump-check', dumps])).toMatchObject({ code: 0 });
    const [name = ''] = await readdir(dumps);
    expect(name).toMatch(/\.dump\.age$/);

    const file = join(folder, 'identity');
    await writeFile(file, `# public key: ${to}\n${identity}\n`);
    const empty = await createEmptyDatabase();
    const closed = await ops(['restore', join(dumps, name)], empty);
    expect(closed.code).toBe(1);
    expect(await ops(['restore', join(dumps, name), '--identity', file], empty)).toMatchObject({ code: 0 });

    // A day and three hours later the alarm rings; the next dump ends it, and the older one goes.
    const old = new Date(Date.now() - 27 * 3_600_000);
    await utimes(join(dumps, name), old, old);
    const late = await ops(['dump-check', dumps]);
    expect(late.code).toBe(1);
    expect(late.notes.join()).toContain('ALERT the newest backup is 27.0 hours old');
    expect(await ops(['dump-nightly', dumps, '--to', to, '--keep', '1', '--once'])).toMatchObject({
      code: 0,
    });
    const left = await readdir(dumps);
    expect(left).toHaveLength(1);
    expect(left).not.toContain(name);
    await writeFile(join(dumps, 'somebody-elses'), '');
  });

  it('tell a failure and leave no half file', async () => {
    const dumps = join(folder, 'failing');
    const end = await ops(['dump-nightly', dumps, '--to', 'age1nobody', '--once']);
    expect(end.code).toBe(1);
    expect(end.notes.join()).toContain('ALERT the backup failed');
    expect(await readdir(dumps)).toEqual([]);
    expect(await ops(['dump-nightly', dumps, '--keep', '0', '--once'])).toMatchObject({ code: 2 });
  });
});

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownAct } from '../../../src/engine/audit/rules.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { runOpsHere } from '../../modules/operations/run-ops.ts';
import { administer, copyDatabase, createTestDatabase } from '../../support/database.ts';

describe('the audit log', () => {
  let url: string;
  let db: PrismaDatabase;
  beforeAll(async () => {
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
    const { user } = await storedPerson(db);
    // Eight transactions at once, five acts each, some of them rolled back.
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; n < 5; n += 1) {
          await db
            .transact(async ({ auditLog }) => {
              await auditLog.record(ownAct(user.id, 1_000 * writer + n, 'frozen', {}));
              if (n === 3) throw new Error('rolled back');
            })
            .catch((error: unknown) => {
              if (n !== 3) throw error;
            });
        }
      }),
    );
  });
  afterAll(() => db.close());

  const audit = async (at: string) => {
    const { code, out } = await runOpsHere(['audit', '--books-only'], { DATABASE_URL: at });
    return { code, out };
  };

  it('is one chain without gaps, whoever writes at the same time', async () => {
    const links = await db.auditLog.links(0n, 100);
    expect((await db.auditLog.list({}, { limit: 2, offset: 0 })).map(({ id }) => id)).toEqual([32n, 31n]);
    expect(links.map(({ id }) => id)).toEqual(Array.from({ length: 32 }, (_, n) => BigInt(n + 1)));
    for (const [n, link] of links.entries())
      expect(link.prev).toBe(n === 0 ? '0'.repeat(64) : links[n - 1]?.hash);
    const { code, out } = await audit(url);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        `audit log: 32 acts, compared with 0 that others saw, head 32:${links.at(-1)?.hash}`,
      ),
    ]);
  });

  it('cannot be changed, emptied or shortened by the role that the service has', async () => {
    for (const sql of [
      `UPDATE audit_log SET act = 'x' WHERE id = 2`,
      'DELETE FROM audit_log WHERE id = 2',
      'TRUNCATE audit_log',
    ])
      await expect(db.query(sql, [])).rejects.toThrow(/permission denied|never changed or removed/);
    await expect(db.query(`SELECT 1 FROM audit_log WHERE act <> 'frozen'`, [])).resolves.toEqual([]);
    const [row] = await db.query<{ readonly can: boolean }>(
      `SELECT has_table_privilege('audit_log', 'UPDATE') OR has_table_privilege('audit_log', 'DELETE')
         OR has_table_privilege('audit_log', 'TRUNCATE') AS can FROM pg_roles WHERE rolname = current_user AND NOT rolsuper`,
      [],
    );
    expect(row?.can ?? false).toBe(false);
  });

  it('takes no field that the act does not have', async () => {
    const act = ownAct('somebody', 1, 'pin-set', { pin: '402971' } as Record<never, never>);
    await expect(db.auditLog.record(act)).rejects.toMatchObject({
      code: 'ROW_INVALID',
      details: { table: 'audit_log', field: 'details.pin', expected: 'no such field' },
    });
    expect(await db.auditLog.list({ act: 'pin-set' }, { limit: 9, offset: 0 })).toEqual([]);
  });

  // Whoever owns the table can give themselves the right and take the triggers away: the chain is what tells.
  it.each([
    ['a changed act', `UPDATE audit_log SET details = '{"lamports":"1"}' WHERE id = 7`, /act 7: was changed/],
    ['another actor', `UPDATE audit_log SET actor = 'user:x' WHERE id = 9`, /act 9: was changed/],
    [
      'a missing act',
      'DELETE FROM audit_log WHERE id = 12',
      /act 13: follows act 11: the acts between are gone/,
    ],
    [
      'an act made anew with its hash',
      `UPDATE audit_log SET outcome = 'refused' WHERE id = 5;
       UPDATE audit_log SET hash = encode(sha256(convert_to(audit_log_text(audit_log), 'UTF8')), 'hex') WHERE id = 5`,
      /act 6: does not continue the chain/,
    ],
    [
      'one that was slipped in',
      `INSERT INTO audit_log SELECT 33, at, actor, act, subject, outcome, details, repeat('0', 64), hash FROM audit_log WHERE id = 32`,
      /act 33: does not continue the chain[\s\S]*act 33: was changed/,
    ],
  ])('%s is told by ops audit', async (_, sql, told) => {
    await db.close();
    const copy = await copyDatabase(url);
    db = await createPrismaDatabase({ url });
    await administer(
      copy,
      `GRANT ALL ON audit_log TO CURRENT_USER; ALTER TABLE audit_log DISABLE TRIGGER USER; ${sql};
       ALTER TABLE audit_log ENABLE TRIGGER USER`,
    );
    const { code, out } = await audit(copy);
    expect([code, out]).toEqual([1, expect.stringMatching(told)]);
  });

  describe('held against the last line of an earlier audit', () => {
    const lastLine = async () => (await audit(url)).out.trim().split('\n').at(-1) ?? '';
    const headOf = (line: string): string => /head (\S+)$/.exec(line)?.[1] ?? '';
    const auditWith = (at: string, ...args: readonly string[]) =>
      runOpsHere(['audit', '--books-only', ...args], { DATABASE_URL: at });

    it('is right, and named when its end was cut or all of it was made anew', async () => {
      const line = await lastLine();
      const head = headOf(line);
      expect(head).toMatch(/^32:[0-9a-f]{64}$/);
      const file = join(await mkdtemp(join(tmpdir(), 'witness-')), 'lines');
      await writeFile(file, `2026-11-01 ${line}\n2026-11-02 ${line}\n`);
      expect(await auditWith(url, '--head', head, '--witness', file)).toMatchObject({
        code: 0,
        out: expect.stringContaining('compared with 3 that others saw'),
      });
      for (const [sql, told] of [
        [
          'DELETE FROM audit_log WHERE id > 30',
          /act 32: --head saw it, and the log ends at act 30: its end was cut/,
        ],
        [
          `UPDATE audit_log SET outcome = 'refused' WHERE id = 5;
           DO $$ DECLARE link record; before text; BEGIN
             SELECT hash INTO before FROM audit_log WHERE id = 4;
             FOR link IN SELECT id FROM audit_log WHERE id > 4 ORDER BY id LOOP
               UPDATE audit_log SET prev = before WHERE id = link.id;
               UPDATE audit_log SET hash = encode(sha256(convert_to(audit_log_text(audit_log), 'UTF8')), 'hex')
                 WHERE id = link.id RETURNING hash INTO before;
             END LOOP; END $$`,
          /act 32: --head saw another one: the chain was made anew/,
        ],
      ] as const) {
        await db.close();
        const copy = await copyDatabase(url);
        db = await createPrismaDatabase({ url });
        await administer(
          copy,
          `GRANT ALL ON audit_log TO CURRENT_USER; ALTER TABLE audit_log DISABLE TRIGGER USER; ${sql};
           ALTER TABLE audit_log ENABLE TRIGGER USER`,
        );
        // Without a witness it is a whole chain.
        expect((await audit(copy)).code).toBe(0);
        expect(await auditWith(copy, '--head', head)).toMatchObject({
          code: 1,
          out: expect.stringMatching(told),
        });
      }
    });

    it.each([
      [['--head', '32'], /--head: expected a number, a colon and 64 hexadecimal digits, got "32"/],
      [['--witness', '/nowhere/at/all'], /--witness: cannot read \/nowhere\/at\/all/],
      [['--witness', '/dev/null'], /--witness: \/dev\/null has no line with a head/],
    ])('refuses %j before anything is opened', async (args, says) => {
      const { code, out } = await auditWith('postgresql://127.0.0.1:1/none', ...args);
      expect([code, out]).toEqual([2, expect.stringMatching(says)]);
    });
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { DATABASE_ROLES } from '../../src/platform/db/grants.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { administer, createEmptyDatabase } from '../support/database.ts';

/** Roles belong to the server: this run has its own. */
const PREFIX = `r${inject('templateName').slice(-8)}_`;
let url: string;
let folder: string;
const run = (args: readonly string[], databaseUrl = url) =>
  runOpsHere(['db', 'roles', '--prefix', PREFIX, ...args], { DATABASE_URL: databaseUrl });
const as = (name: string, password: string): string => {
  const at = new URL(url);
  at.username = name;
  at.password = encodeURIComponent(password);
  return at.href;
};

beforeAll(async () => {
  url = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'passwords-'));
  for (const role of DATABASE_ROLES)
    await writeFile(join(folder, `postgres_${role}`), `%s'\\ of ${role} 0123\n`, { mode: 0o400 });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  for (const name of DATABASE_ROLES.map((role) => `${PREFIX}${role}`)) {
    const [known] = await administer(url, `SELECT 1 AS known FROM pg_roles WHERE rolname = '${name}'`);
    if (known === undefined) continue;
    await administer(url, `DROP OWNED BY ${name}`);
    await administer(url, `DROP ROLE ${name}`);
  }
});

it('makes nothing without --yes, and says of an empty database what --yes does first', async () => {
  expect(await run([])).toMatchObject({
    code: 1,
    out: expect.stringContaining('--yes makes its tables first'),
  });
  expect(await administer(url, `SELECT 1 FROM pg_roles WHERE rolname LIKE '${PREFIX}%'`)).toEqual([]);
});

it('refuses wrong words and folders before anything is opened', async () => {
  expect(await run(['--passwords', join(folder, 'none')])).toMatchObject({
    code: 2,
    out: expect.stringContaining('has no file postgres_signer'),
  });
  expect(await runOpsHere(['db', 'roles', '--prefix', 'Tp-'], { DATABASE_URL: url })).toMatchObject({
    code: 2,
    out: expect.stringContaining('--prefix: expected'),
  });
  const short = await mkdtemp(join(tmpdir(), 'short-'));
  await writeFile(join(short, 'postgres_bot'), 'hush\n');
  const said = await run(['--passwords', short]);
  expect(said).toMatchObject({ code: 2, out: expect.stringContaining('holds 4 characters') });
  expect(said.out).not.toContain('hush');
  await rm(short, { recursive: true });
});

it('makes schema, roles and rights, once; each role logs in by its own password', async () => {
  const made = await run(['--passwords', folder, '--yes']);
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ statements carried out\.$/m) });
  // A password is in no statement: Postgres may write statements into its log.
  expect(made.out).toContain(`ALTER ROLE ${PREFIX}bot PASSWORD 'SCRAM-SHA-256$4096:`);
  expect(made.out).not.toContain('0123');
  for (const role of DATABASE_ROLES) {
    const client = new pg.Client({ connectionString: as(`${PREFIX}${role}`, `%s'\\ of ${role} 0123`) });
    await client.connect();
    expect((await client.query('SELECT count(*)::int AS n FROM wallets')).rows).toEqual([{ n: 0 }]);
    await client.end();
  }
  expect(await run(['--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('Nothing differs') });
  const acts = await administer(url, `SELECT details ->> 'command' AS command FROM audit_log ORDER BY id`);
  expect(acts).toEqual([{ command: 'db roles' }]);
});

it('prints what differs, with 1, and leaves it', async () => {
  await administer(url, `GRANT DELETE ON audit_log TO ${PREFIX}api`);
  for (let time = 0; time < 2; time += 1)
    expect(await run([])).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        new RegExp(`^REVOKE DELETE ON TABLE audit_log FROM ${PREFIX}api;\n1 statements. Nothing was done`),
      ),
    });
  expect(await run(['--yes'])).toMatchObject({ code: 0 });
  expect(await run([])).toMatchObject({ code: 0 });
});

it('refuses a role of its own as the one who runs it, with the statements for who may', async () => {
  await administer(url, `REVOKE SELECT ON alerts FROM ${PREFIX}bot`);
  // With its remaining rights it sees the difference, and a GRANT of a stranger only warns.
  const said = await run(['--yes'], as(`${PREFIX}ops`, `%s'\\ of ops 0123`));
  expect(said).toMatchObject({ code: 1, out: expect.stringMatching(/Run this as|run this as the owner/) });
  expect(said.out).toContain(`GRANT SELECT ON TABLE alerts TO ${PREFIX}bot;`);
  expect(await run(['--yes'])).toMatchObject({ code: 0 });
});

it('lets no process of a bounded role migrate: the sentence names the command of the owner', async () => {
  const [{ name = '' } = {}] = await administer(
    url,
    'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1 DESC LIMIT 1',
  );
  await administer(
    url,
    `UPDATE _prisma_migrations SET migration_name = migration_name, rolled_back_at = now() WHERE migration_name = '${name}'`,
  );
  try {
    const said = await runOpsHere(['status'], { DATABASE_URL: as(`${PREFIX}ops`, `%s'\\ of ops 0123`) });
    expect(said).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        new RegExp(
          `lacks migration ${name}, which the role "${PREFIX}ops" may not make\\. Run .*db roles --yes`,
        ),
      ),
    });
  } finally {
    await administer(url, 'UPDATE _prisma_migrations SET rolled_back_at = NULL');
  }
});

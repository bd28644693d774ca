import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startLocalPostgres } from '../../src/local/postgres/index.ts';
import { createTemplate, dropTestDatabases } from './database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server where databases may be created; see `createTestDatabase`. */
    readonly postgresUrl: string;
    readonly templateName: string;
    readonly redisUrl: string | null;
  }
}

/** Several test files run at once, and some start several products. */
const CONNECTIONS = 200;

/** Vitest's global set-up of the project `int`: one Postgres for the run, DATABASE_URL's or an embedded one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redisUrl = process.env['REDIS_URL'] || null;
  if (!redisUrl) process.stderr.write('Tests of the Redis adapters are skipped: REDIS_URL is not set.\n');
  project.provide('redisUrl', redisUrl);

  const given = process.env['DATABASE_URL'];
  const folder = given ? null : await mkdtemp(join(tmpdir(), 'tradepost-test-'));
  // Run as root, the server is another user, who must be able to walk here.
  if (folder) await chmod(folder, 0o711);
  const local = folder
    ? await startLocalPostgres({ dir: join(folder, 'postgres'), connections: CONNECTIONS })
    : null;
  const url = given || (local?.url ?? '');

  const templateName = await createTemplate(url);
  project.provide('postgresUrl', url);
  project.provide('templateName', templateName);
  return async () => {
    if (local === null) await dropTestDatabases(url, templateName);
    // Hundreds of databases, of which each takes a checkpoint to drop: they go with their server's folder.
    await local?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  };
}

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createClient } from '@clickhouse/client';
import { createEngine, type Engine } from '../../src/platform/tape/clickhouse/engine.ts';

const HOME = fileURLToPath(new URL('../clickhouse', import.meta.url));

/** ClickHouse as a library is 550 MB and stands in a folder of its own, which not everybody has filled. */
export const hasClickHouse = existsSync(`${HOME}/node_modules/chdb`);
if (!hasClickHouse) process.stdout.write('skipped: run npm ci --ignore-scripts in test/clickhouse\n');

/** ClickHouse in this process, behind the client that production uses. */
export function openClickHouseHere(): Engine {
  const load = createRequire(`${HOME}/package.json`);
  const { createChdbConnection } = load('chdb/connection');
  return createEngine(
    createClient({ connection: createChdbConnection({ path: ':memory:' }) }),
    'this process',
  );
}

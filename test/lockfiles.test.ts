import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Builds of the local chain's machine and of ClickHouse whose hashes were not to be had. An update to another version must bring them. */
const WITHOUT_HASH = [
  'node_modules/@chdb/lib-darwin-arm64@26.7.3-stable.1',
  'node_modules/@chdb/lib-darwin-x64@26.7.3-stable.1',
  'node_modules/@chdb/lib-linux-arm64-gnu@26.7.3-stable.1',
  'node_modules/litesvm-darwin-arm64@1.5.0',
  'node_modules/litesvm-darwin-x64@1.5.0',
  'node_modules/litesvm-linux-arm64-gnu@1.5.0',
  'node_modules/litesvm-linux-arm64-musl@1.5.0',
  'node_modules/litesvm-linux-x64-musl@1.5.0',
];

const lockfile = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
});
type Packages = z.infer<typeof lockfile>['packages'];

/** What npm would take from a registry without comparing it to anything, and where a file says which registry. */
function weaknesses(packages: Packages): readonly string[] {
  const found: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    // The project itself and the packages in its folder `packages` come from no registry.
    if (!path.includes('node_modules/') || entry.link === true) continue;
    const name = `${path}@${entry.version}`;
    if (entry.resolved !== undefined) found.push(`${name} names a host`);
    if (/^sha512-[\w+/]{86}==( |$)/.test(entry.integrity ?? '')) continue;
    if (entry.optional === true && WITHOUT_HASH.includes(name)) continue;
    found.push(`${name} has no hash`);
  }
  return found;
}

function lockfiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return lockfiles(path);
    return entry.name === 'package-lock.json' ? [path] : [];
  });
}

describe('lockfiles', () => {
  const files = lockfiles(ROOT);

  it('are the seven that are known', () => {
    expect(files.map((path) => relative(ROOT, path)).toSorted()).toEqual([
      'package-lock.json',
      'test/clickhouse/package-lock.json',
      'test/clients/package-lock.json',
      'test/differential/package-lock.json',
      'test/geyser/package-lock.json',
      'test/mcp/package-lock.json',
      'test/mutation/package-lock.json',
    ]);
  });

  it.each(files)('%s: every package has its hash, and none names a registry', (path) => {
    expect(weaknesses(lockfile.parse(JSON.parse(readFileSync(path, 'utf8'))).packages)).toEqual([]);
  });

  it('notices a package without a hash, with a weak one, or with a host', () => {
    const integrity = `sha512-${'A'.repeat(86)}==`;
    expect(weaknesses({ 'node_modules/a': { version: '1.0.0', integrity } })).toEqual([]);
    expect(
      weaknesses({
        'node_modules/a': { version: '1.0.0', optional: true },
        'node_modules/b': { version: '1.0.0', integrity: 'sha1-AAAA' },
        'node_modules/c': { version: '1.0.0', integrity, resolved: 'https://registry.example/c.tgz' },
        'node_modules/litesvm-darwin-arm64': { version: '1.6.0', optional: true },
      }),
    ).toHaveLength(4);
  });
});

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url));
const GRAMMY = { version: '1.0.0', integrity: 'sha512-a' };
const FOR_MACS = { version: '2.0.0', integrity: 'sha512-b', optional: true };
const WANTED = { '': { name: 'desk' }, 'node_modules/grammy': GRAMMY, 'node_modules/fsevents': FOR_MACS };

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'tradepost-setup-'));
  for (const folder of [
    'scripts',
    'prisma/schema',
    'node_modules/.tradepost',
    'src/platform/db/generated',
    'bin',
  ])
    mkdirSync(join(checkout, folder), { recursive: true });
  cpSync(SCRIPT, join(checkout, 'scripts/setup.mjs'));
  write('package-lock.json', { packages: WANTED });
  writeFileSync(join(checkout, 'src/platform/db/generated/client.ts'), '');
  // The client is made already.
  const lock = readFileSync(join(checkout, 'package-lock.json'));
  writeFileSync(
    join(checkout, 'node_modules/.tradepost/prisma'),
    createHash('sha256').update(lock).digest('hex'),
  );
  // In npm's place: what it was asked for.
  writeFileSync(join(checkout, 'bin/npm'), '#!/bin/sh\necho "npm $1"\n');
  chmodSync(join(checkout, 'bin/npm'), 0o755);
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const write = (path: string, value: unknown): void =>
  writeFileSync(join(checkout, path), JSON.stringify(value));

function setUp(): string {
  const { stdout, status } = spawnSync(process.execPath, [join(checkout, 'scripts/setup.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(checkout, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  expect(status).toBe(0);
  return stdout;
}

it("does not install again after anybody's own npm ci", () => {
  write('node_modules/.package-lock.json', { packages: { 'node_modules/grammy': GRAMMY } });
  expect(setUp()).toBe('');
});

it.each([
  ['nothing is installed', null],
  ['a package is missing', {}],
  ['a package is of another version', { 'node_modules/grammy': { ...GRAMMY, version: '0.9.0' } }],
  ['a package has other bytes', { 'node_modules/grammy': { ...GRAMMY, integrity: 'sha512-c' } }],
])('installs when %s', (_, found) => {
  if (found !== null) write('node_modules/.package-lock.json', { packages: found });
  expect(setUp()).toContain('npm ci');
});

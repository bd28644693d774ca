import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { ROLES } from '../../src/config/process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const systemd = join(root, 'deploy', 'systemd');
const unit = join(systemd, 'tradepost@.service');

/** The values of a setting, over the lines that repeat it. */
const settings = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

/** What the folder of a role adds to the unit. */
function ownPartOf(role: string): string {
  const folder = join(systemd, `tradepost@${role}.service.d`);
  const files = readdirSync(systemd).includes(`tradepost@${role}.service.d`) ? readdirSync(folder) : [];
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

/** The credentials that a role gets: its name and its file, of the unit and of the role's folder. */
function credentialsOf(role: string): readonly { readonly name: string; readonly path: string }[] {
  const lines = [readFileSync(unit, 'utf8'), ownPartOf(role)].flatMap((text) =>
    settings(text, 'LoadCredential').map((line) => line.replaceAll('%i', role)),
  );
  return lines.map((line) => ({
    name: line.slice(0, line.indexOf(':')),
    path: line.slice(line.indexOf(':') + 1),
  }));
}

let desk: string;
beforeAll(() => {
  desk = mkdtempSync(join(tmpdir(), 'units-'));
  writeFileSync(
    join(desk, '.env'),
    'DATABASE_URL=postgresql://tradepost@db.example:5432/tradepost?sslmode=require\n',
  );
  // In the place of Node: prints the environment that the role would have.
  writeFileSync(join(desk, 'node'), '#!/bin/sh\nexec env -0\n');
  chmodSync(join(desk, 'node'), 0o700);
  execFileSync('mkdir', ['-p', join(desk, 'deploy')]);
  execFileSync('cp', [join(root, 'deploy', 'roles.sh'), join(desk, 'deploy')]);
});
afterAll(() => rmSync(desk, { recursive: true, force: true }));

/** The environment of a role under its unit, whose credentials lie in this folder. */
function environmentOf(role: string, credentials: string): Readonly<Record<string, string>> {
  const parts = [readFileSync(unit, 'utf8'), ownPartOf(role)];
  const given = parts.flatMap((text) => settings(text, 'Environment')).map((pair) => pair.split('=', 2));
  const printed = execFileSync(join(desk, 'deploy', 'roles.sh'), ['run', role], {
    env: {
      ...Object.fromEntries(given),
      PATH: `${desk}:${process.env['PATH'] ?? ''}`,
      CREDENTIALS_DIRECTORY: credentials,
    },
    encoding: 'utf8',
  });
  const pairs = printed.split('\0').filter((line) => line !== '');
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

describe('the unit of a witness', () => {
  const text = readFileSync(join(systemd, 'tradepost-witness.service'), 'utf8');

  it('has an environment that the program accepts, once its port is named', () => {
    const given = settings(text, 'Environment').flatMap((line) =>
      line.split(' ').map((pair) => pair.replace('%d', '/run/credentials/x').split('=', 2)),
    );
    expect(loadConfig({ ...Object.fromEntries(given), SIGNER_LISTEN: 'tls://10.0.0.9:4440' })).toMatchObject({
      production: true,
      roles: ['witness'],
      kek: null,
      databaseUrl: null,
      journalDir: '/var/lib/tradepost-witness',
    });
  });

  it('gets its certificate and no secret of another process, and hardens as the units of the roles do', () => {
    expect(settings(text, 'LoadCredential').map((line) => line.split(':')[0])).toEqual([
      'witness.crt',
      'witness.key',
      'ca.crt',
    ]);
    const hardening = (unitText: string) =>
      [
        ...unitText.matchAll(
          /^(Protect|Private|Restrict[A-Z]|SystemCall|NoNew|Capab|Lock|Remove|Limit|UMask|Inacc).*$/gm,
        ),
      ]
        .map(([line]) => line)
        .toSorted();
    expect(hardening(text)).toEqual(hardening(readFileSync(unit, 'utf8')));
    expect(hardening(text).length).toBeGreaterThan(20);
  });
});

describe('the units of systemd', () => {
  it('run each role as a user of its own, who exists', () => {
    expect(settings(readFileSync(unit, 'utf8'), 'User')).toEqual(['tp-%i']);
    const users = [...readFileSync(join(systemd, 'tradepost.sysusers'), 'utf8').matchAll(/^u\s+tp-(\S+)/gm)];
    expect(users.map(([, role = '']) => role).toSorted()).toEqual([...ROLES].toSorted());
  });

  it.each(ROLES)('hand %s the secrets that it asks for, and no others', (role) => {
    const handed = credentialsOf(role);
    for (const { name, path } of handed) expect(path).toBe(`/opt/tradepost/secrets/${name}`);
    const asked = Object.entries(environmentOf(role, '/run/credentials/x'))
      .filter(([name]) => name.endsWith('_FILE'))
      .map(([, path]) => path);
    expect(asked.toSorted()).toEqual(handed.map(({ name }) => `/run/credentials/x/${name}`).toSorted());
    expect(asked.some((path) => path.endsWith('/kek'))).toBe(role === 'signer');
  });

  it.each(ROLES)('give %s an environment that the program accepts in production', (role) => {
    const folder = mkdtempSync(join(desk, 'credentials-'));
    const token = `1:${'a'.repeat(35)}`;
    for (const { name } of credentialsOf(role))
      writeFileSync(join(folder, name), name === 'telegram_bot_token' ? token : 'ab'.repeat(32));
    const { PATH: _path, CREDENTIALS_DIRECTORY: _folder, ...own } = environmentOf(role, folder);
    const config = loadConfig({
      ...own,
      REDIS_URL: 'redis://redis.example:6379',
      SOLANA_RPC_URL: 'https://rpc.example',
    });
    expect(config).toMatchObject({
      production: true,
      roles: [role],
      signerSocket: '/run/tradepost/signer.sock',
      databaseUrl: `postgresql://tp_${role}:${'ab'.repeat(32)}@db.example:5432/tradepost?sslmode=require`,
      databaseRoles: 'own',
    });
  });

  it('let the group call the signer, and the signer alone read its journal', () => {
    const own = ownPartOf('signer');
    expect(settings(own, 'RuntimeDirectoryMode')).toEqual(['0710']);
    expect(settings(own, 'StateDirectoryMode')).toEqual(['0700']);
    expect(environmentOf('signer', '/run/credentials/x')['JOURNAL_DIR']).toBe('/var/lib/tradepost/journal');
    for (const role of ROLES.filter((one) => one !== 'signer'))
      expect(ownPartOf(role)).not.toMatch(/Directory/);
  });
});

const judged = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!judged && process.env['REQUIRE_ALL'] === '1')
  throw new Error('REQUIRE_ALL=1, but systemd-analyze is missing');

describe.skipIf(!judged)('the units by the judgement of systemd itself', () => {
  const judge = (path: string) =>
    spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', path], {
      encoding: 'utf8',
    });

  it('are exposed to 2.0 at most', () => {
    const { status, stdout } = judge(unit);
    expect(stdout).toMatch(/Overall exposure level/);
    expect(status, stdout.split('\n').at(-2)).toBe(0);
  });

  it('let a witness be exposed to 2.0 at most', () => {
    const { status, stdout } = judge(join(systemd, 'tradepost-witness.service'));
    expect(stdout).toMatch(/Overall exposure level/);
    expect(status, stdout.split('\n').at(-2)).toBe(0);
  });

  it('would be refused without their list of system calls', () => {
    const weaker = join(desk, 'weaker@.service');
    writeFileSync(weaker, readFileSync(unit, 'utf8').replaceAll(/^(SystemCall|Restrict).*$/gm, ''));
    expect(judge(weaker).status).not.toBe(0);
  });
});

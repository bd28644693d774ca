import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../src/config/process.ts';
import { DATABASE_ROLES } from '../../src/platform/db/grants.ts';
import { readCompose } from '../support/compose-file.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compose = readCompose();

/** Secrets that several roles read: each sender of messages has the token, and one opens the seals of the other. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  telegram_bot_token: ['bot', 'worker'],
  chat_key: ['bot', 'worker'],
  // A key that the operator issues is checked by the api.
  api_key_secret: ['api', 'ops'],
};

/** User and groups of a service. */
function identityOf(service: string): { readonly uid: number; readonly gids: readonly number[] } {
  const { user = '0:0', group_add: more = [] } = compose.services[service] ?? {};
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  return { uid, gids: [gid, ...more.map(Number)] };
}

const ours = Object.keys(compose.services).filter((name) => compose.services[name]?.image === 'tradepost');
const secretsOf = (service: string): readonly string[] => compose.services[service]?.secrets ?? [];

describe('the services of docker-compose.yml', () => {
  it('are users of their own, and nobody is root', () => {
    const roles = ROLES.map((role) => identityOf(role).uid);
    expect(new Set(roles).size).toBe(ROLES.length);
    expect(roles).not.toContain(0);
    // The operator's own three are one user, and no role of the product is it.
    for (const name of ours.filter((one) => !ROLES.some((role) => role === one))) {
      expect(identityOf(name), name).toEqual({ uid: 1005, gids: [1005] });
      expect(roles).not.toContain(1005);
    }
  });

  it('are roles of their own on the database server', () => {
    for (const name of ours) {
      const { DATABASE_URL: url = '', POSTGRES_PASSWORD_FILE: file = '' } =
        compose.services[name]?.environment ?? {};
      const role = DATABASE_ROLES.find((one) => one === name);
      const [user, secret] =
        role === undefined ? ['tradepost', 'postgres_password'] : [`tp_${role}`, `postgres_${role}`];
      expect(new URL(url).username, name).toBe(user);
      expect(file, name).toBe(`/run/secrets/${secret}`);
      if (ROLES.some((one) => one === name))
        expect(compose.services[name]?.environment?.['DATABASE_ROLES']).toBe('own');
    }
  });

  it('share no secret but those whose reason is written here', () => {
    for (const secret of Object.keys(compose.secrets)) {
      // The owner makes the roles with their passwords.
      const readers = ours.filter((name) => name !== 'database' && secretsOf(name).includes(secret));
      expect(readers, secret).toHaveLength(SHARED[secret] === undefined ? Math.min(readers.length, 1) : 2);
      if (SHARED[secret] !== undefined) expect(readers.toSorted(), secret).toEqual(SHARED[secret]);
    }
    expect(ours.filter((name) => secretsOf(name).includes('kek'))).toEqual(['signer']);
  });

  it('write nothing but what is named, and keep no right', () => {
    const writable: Readonly<Record<string, readonly string[]>> = {
      signer: [
        ...ROLES.filter((role) => role !== 'signer').map((role) => `/run/tradepost/${role}`),
        '/var/lib/tradepost/journal',
      ],
      backup: ['/backups'],
      ops: ['/backups'],
      database: ['/backups'],
    };
    for (const name of ours) {
      const service = compose.services[name];
      expect(service?.read_only, name).toBe(true);
      expect(service?.cap_drop, name).toEqual(['ALL']);
      expect(service?.security_opt, name).toEqual(['no-new-privileges:true']);
      const mounts = (service?.volumes ?? []).filter((volume) => !volume.endsWith(':ro'));
      expect(mounts.map((volume) => volume.split(':')[1] ?? '').toSorted(), name).toEqual(
        [...(writable[name] ?? [])].toSorted(),
      );
    }
  });
});

describe.runIf(process.getuid?.() === 0)('the files of deploy/make-secrets.sh, made by root', () => {
  let folder: string;
  const backups = (): string => join(folder, 'backups');
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    execFileSync(join(root, 'deploy/make-secrets.sh'), [join(folder, 'secrets'), backups()], {
      input: `1:${'a'.repeat(35)}\n`,
      stdio: 'pipe',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Whether the kernel would let this service read the file, were it mounted. */
  function mayRead(service: string, secret: string): boolean {
    const { uid, gids } = identityOf(service);
    const { mode, uid: owner, gid } = statSync(join(folder, 'secrets', secret));
    if (owner === uid) return (mode & 0o400) !== 0;
    return gids.includes(gid) ? (mode & 0o040) !== 0 : (mode & 0o004) !== 0;
  }

  it('are those that the compose file mounts', () => {
    expect(readdirSync(join(folder, 'secrets')).toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
  });

  it.each(ROLES)('let %s read its own and no secret of another', (role: Role) => {
    for (const secret of Object.keys(compose.secrets))
      expect([secret, mayRead(role, secret)]).toEqual([secret, secretsOf(role).includes(secret)]);
  });

  it('let the tools of the operator read theirs, never the master key, and write their folder', () => {
    for (const name of ours)
      for (const secret of secretsOf(name))
        expect([name, secret, mayRead(name, secret)]).toEqual([name, secret, true]);
    expect(ours.filter((name) => mayRead(name, 'kek'))).toEqual(['signer']);
    const { uid, mode } = statSync(backups());
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 1005, mode: 0o700 });
  });
});

describe('the units of systemd', () => {
  const read = (name: string): string => readFileSync(join(root, 'deploy/systemd', name), 'utf8');

  it('hand each role the password of its own role on the database server, never that of the owner', () => {
    const unit = read('tradepost@.service');
    expect(unit).toMatch(/^Environment=DATABASE_ROLES=own$/m);
    expect(unit).toMatch(/^LoadCredential=postgres_%i:\/opt\/tradepost\/secrets\/postgres_%i$/m);
    const texts = [
      unit,
      ...ROLES.flatMap((role) => {
        const folder = `tradepost@${role}.service.d`;
        return readdirSync(join(root, 'deploy/systemd')).includes(folder)
          ? readdirSync(join(root, 'deploy/systemd', folder)).map((file) => read(join(folder, file)))
          : [];
      }),
    ];
    for (const text of texts) expect(text).not.toContain('postgres_password');
  });
});

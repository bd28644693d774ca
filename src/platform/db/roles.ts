import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { AppError } from '../../core/errors/app-error.ts';
import type { Query } from './connection.ts';
import { quoted } from './dump-format.ts';
import { DATABASE_ROLES, type DatabaseRole, FUNCTIONS, rightsOf, SEQUENCES, TABLES } from './grants.ts';

// SQL: roles and their rights are no rows.

/** The finding of `rolesPlan` on one role of the server. */
type KnownRole = {
  readonly name: string;
  readonly login: boolean;
  /** It may more than log in: a superuser, makes roles or databases, replicates, or passes row security. */
  readonly strong: boolean;
};

type Acl = { readonly object: string; readonly grantee: string; readonly right: string };

export type RolesOptions = {
  /** The beginning of a role's name: two installations on one server have two. */
  readonly prefix: string;
  /** Passwords to set, by role. */
  readonly passwords?: ReadonlyMap<DatabaseRole, string>;
};

/** Memberships that an operator gives for looks at replicas; they hold no table. */
const HARMLESS: ReadonlySet<string> = new Set(['pg_monitor', 'pg_read_all_stats', 'pg_read_all_settings']);

/** Throws CONFIG_INVALID for a prefix that would need quotes, or would make a name that Postgres cuts. */
export function assertPrefix(prefix: string): void {
  if (/^[a-z][a-z0-9_]{0,30}$/.test(prefix)) return;
  throw new AppError('CONFIG_INVALID', {
    problems: [`--prefix: expected at most 31 small letters, digits and _, a letter first, not "${prefix}".`],
  });
}

/**
 * The statements that bring the roles of this database to the table of grants, in order; none when nothing differs. Passwords are set
 * whenever they are given, as SCRAM verifiers. Run by the owner of the tables. Throws CONFIG_INVALID when a role owns a table: its rights
 * could not be bounded.
 */
export async function rolesPlan(query: Query, options: RolesOptions): Promise<readonly string[]> {
  assertPrefix(options.prefix);
  const names = new Map(DATABASE_ROLES.map((role) => [role, `${options.prefix}${role}`] as const));
  const all = [...names.values()];
  await assertOwnNothing(query, all);
  const [row] = await query<{ readonly database: string }>(
    'SELECT quote_ident(current_database()) AS database',
    [],
  );
  const database = row?.database ?? '';
  return [
    ...(await roleStatements(query, all)),
    ...passwordStatements(names, options.passwords ?? new Map()),
    ...(await aclStatements(query, names, wantedOn(database))),
  ];
}

async function assertOwnNothing(query: Query, names: readonly string[]): Promise<void> {
  const rows = await query<{ readonly owner: string; readonly table: string }>(
    `SELECT r.rolname AS owner, c.relname AS "table" FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
     WHERE c.relnamespace = 'public'::regnamespace AND r.rolname = ANY ($1::text[]) ORDER BY 1, 2 LIMIT 1`,
    [names],
  );
  const [owned] = rows;
  if (owned === undefined) return;
  throw new AppError('CONFIG_INVALID', {
    problems: [
      `--prefix: the role "${owned.owner}" owns the table ${owned.table}, and an owner may do anything with it. Give the tables to the role that migrates (REASSIGN OWNED BY ${owned.owner} TO …), or name another prefix.`,
    ],
  });
}

/** Roles that log in and may nothing else, members of nothing. */
async function roleStatements(query: Query, names: readonly string[]): Promise<readonly string[]> {
  const known = await query<KnownRole>(
    `SELECT rolname AS name, rolcanlogin AS login,
       rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS strong
     FROM pg_roles WHERE rolname = ANY ($1::text[])`,
    [names],
  );
  const memberships = await query<{ readonly member: string; readonly of: string }>(
    `SELECT m.rolname AS member, g.rolname AS "of" FROM pg_auth_members a
       JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid
     WHERE m.rolname = ANY ($1::text[]) ORDER BY 1, 2`,
    [names],
  );
  return [
    ...names.flatMap((name) => {
      const role = known.find((one) => one.name === name);
      if (role === undefined) return [`CREATE ROLE ${name} LOGIN`];
      return [
        ...(role.login ? [] : [`ALTER ROLE ${name} LOGIN`]),
        ...(role.strong
          ? [`ALTER ROLE ${name} NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS`]
          : []),
      ];
    }),
    ...memberships
      .filter(({ of }) => !HARMLESS.has(of))
      .map(({ member, of }) => `REVOKE ${quoted(of)} FROM ${member}`),
  ];
}

function passwordStatements(
  names: ReadonlyMap<DatabaseRole, string>,
  passwords: ReadonlyMap<DatabaseRole, string>,
): readonly string[] {
  return [...passwords].map(
    ([role, password]) => `ALTER ROLE ${names.get(role) ?? ''} PASSWORD '${scramVerifier(password)}'`,
  );
}

/** The form that Postgres itself would store: the password is in no statement and in no log. */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(16)): string {
  const rounds = 4_096;
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, rounds, 32, 'sha256');
  const key = (label: string): Buffer => createHmac('sha256', salted).update(label).digest();
  const stored = createHash('sha256').update(key('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${Buffer.from(salt).toString('base64')}$${stored}:${key('Server Key').toString('base64')}`;
}

/** A right as a statement names it, by the object that it is on. */
type Wanted = {
  /** `TABLE alerts`, as GRANT names it. */
  readonly object: string;
  readonly of: (role: DatabaseRole) => readonly string[];
};

function wantedOn(database: string): readonly Wanted[] {
  return [
    { object: `DATABASE ${database}`, of: () => ['CONNECT'] },
    { object: 'SCHEMA public', of: () => ['USAGE'] },
    ...TABLES.map((table) => ({
      object: `TABLE ${table}`,
      of: (role: DatabaseRole) => rightsOf(role, table),
    })),
    ...Object.entries(SEQUENCES).map(([name, roles]) => ({
      object: `SEQUENCE ${name}`,
      of: (role: DatabaseRole) => (roles.includes(role) ? ['USAGE', 'SELECT', 'UPDATE'] : []),
    })),
    ...Object.entries(FUNCTIONS).map(([name, roles]) => ({
      object: `FUNCTION ${name}`,
      of: (role: DatabaseRole) => (roles.includes(role) ? ['EXECUTE'] : []),
    })),
  ];
}

/** Every right that one of the roles or PUBLIC has, on anything of this database that a right can be given on. */
const HELD = `WITH held (object, acl) AS (
    SELECT 'DATABASE ' || quote_ident(datname), coalesce(datacl, acldefault('d', datdba))
      FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT 'SCHEMA ' || quote_ident(nspname), coalesce(nspacl, acldefault('n', nspowner))
      FROM pg_namespace WHERE nspname = 'public'
    UNION ALL SELECT CASE WHEN relkind = 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || quote_ident(relname),
        coalesce(relacl, acldefault(CASE WHEN relkind = 'S' THEN 's' ELSE 'r' END::"char", relowner))
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    UNION ALL SELECT 'FUNCTION ' || p.oid::regprocedure, coalesce(proacl, acldefault('f', proowner))
      FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND p.prosecdef
  )
  SELECT object, CASE WHEN e.grantee = 0 THEN 'PUBLIC' ELSE r.rolname::text END AS grantee, e.privilege_type AS "right"
  FROM held, aclexplode(acl) e LEFT JOIN pg_roles r ON r.oid = e.grantee
  WHERE e.grantee = 0 OR r.rolname = ANY ($1::text[]) ORDER BY 1, 2, 3`;

/** Rights on single columns, named as GRANT names them. */
const COLUMNS = `SELECT 'TABLE ' || quote_ident(c.relname) AS object,
    CASE WHEN e.grantee = 0 THEN 'PUBLIC' ELSE r.rolname::text END AS grantee,
    e.privilege_type || ' (' || quote_ident(a.attname) || ')' AS "right"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid, aclexplode(a.attacl) e LEFT JOIN pg_roles r ON r.oid = e.grantee
  WHERE c.relnamespace = 'public'::regnamespace AND a.attacl IS NOT NULL
    AND (e.grantee = 0 OR r.rolname = ANY ($1::text[])) ORDER BY 1, 2, 3`;

async function aclStatements(
  query: Query,
  names: ReadonlyMap<DatabaseRole, string>,
  wanted: readonly Wanted[],
): Promise<readonly string[]> {
  const roles = [...names.values()];
  const held = [...(await query<Acl>(HELD, [roles])), ...(await query<Acl>(COLUMNS, [roles]))];
  const key = (object: string, grantee: string): string => `${object} / ${grantee}`;
  const has = new Map<string, Acl[]>();
  for (const acl of held) {
    const at = key(acl.object, acl.grantee);
    has.set(at, [...(has.get(at) ?? []), acl]);
  }
  const wants = new Map(
    wanted.flatMap(({ object, of }) =>
      [...names].map(([role, name]) => [key(object, name), of(role)] as const),
    ),
  );
  const takes = [...has].flatMap(([at, acls]) => {
    const [{ object, grantee } = { object: '', grantee: '' }] = acls;
    const surplus = acls.map(({ right }) => right).filter((right) => wants.get(at)?.includes(right) !== true);
    // A right that is taken from a table is taken from its columns, too: those that stay are given again.
    const kept = acls.filter(({ right }) => !surplus.some((taken) => right.startsWith(`${taken} (`)));
    has.set(at, kept);
    return surplus.length === 0 ? [] : [`REVOKE ${surplus.join(', ')} ON ${object} FROM ${grantee}`];
  });
  const gives = wanted.flatMap(({ object }) =>
    roles.flatMap((name) => {
      const had = has.get(key(object, name))?.map(({ right }) => right) ?? [];
      const missing = (wants.get(key(object, name)) ?? []).filter((right) => !had.includes(right));
      return missing.length === 0 ? [] : [`GRANT ${missing.join(', ')} ON ${object} TO ${name}`];
    }),
  );
  return [...takes, ...gives];
}

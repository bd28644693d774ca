import type { OwnRole } from '../../modules/operations/rules/database-role.ts';
import type { Query } from './connection.ts';

// SQL: the server's facts on the role; there is no table behind it.

const OF_ROLE = `r.rolname AS name, r.rolsuper AS "isSuperuser",
  EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS "ownsTables"`;

/** The role of this connection. */
export async function readOwnRole(query: Query): Promise<OwnRole> {
  const [role] = await query<OwnRole>(`SELECT ${OF_ROLE} FROM pg_roles r WHERE r.rolname = current_user`, []);
  return role ?? { name: 'unknown', isSuperuser: true, ownsTables: true };
}

/** The roles of the service's processes that are connected to this database now, by name. */
export function readConnectedRoles(query: Query): Promise<readonly OwnRole[]> {
  return query<OwnRole>(
    `SELECT ${OF_ROLE} FROM pg_roles r WHERE r.rolname IN (SELECT usename FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'tradepost') ORDER BY 1`,
    [],
  );
}

import { AppError } from '../../../core/errors/app-error.ts';

/** The role that a process has on the database server. */
export type OwnRole = {
  readonly name: string;
  readonly isSuperuser: boolean;
  /** True for the owner of a table and for its members: they may change every row and switch every trigger off. */
  readonly ownsTables: boolean;
};

/** The operator's setting for the roles: each process has one of its own, or they may share the owner's. Null: none. */
type Wish = { readonly databaseRoles: 'own' | 'one' | null };

const isLoose = ({ isSuperuser, ownsTables }: OwnRole): boolean => isSuperuser || ownsTables;

/**
 * Throws CONFIG_INVALID for a process that grants do not bound, where the operator wants that or the money is real. `one` lets it pass
 * everywhere.
 */
export function assertBoundedRole(role: OwnRole, isMainnet: boolean, { databaseRoles }: Wish): void {
  const isWanted = databaseRoles === 'own' || (databaseRoles === null && isMainnet);
  if (!isWanted || !isLoose(role)) return;
  const what = role.isSuperuser ? 'a superuser' : 'the owner of the tables';
  const problem = `DATABASE_ROLES: this process is "${role.name}" on the database server, ${what}: its password alone rewrites the ledger and the audit log. Run "npm run ops -- db roles --yes" as the owner and give each process its own role, or set DATABASE_ROLES=one if you mean it.`;
  throw new AppError('CONFIG_INVALID', { problems: [problem] });
}

/** The roles of the processes that are connected now: one that grants do not bound is looked at, unless the operator means it. */
export function judgeRoles(
  roles: readonly OwnRole[],
  { databaseRoles }: Wish,
): { readonly state: 'ok' | 'warn'; readonly fact: string } {
  if (roles.length === 0) return { state: 'ok', fact: 'no process is connected' };
  const loose = roles.filter(isLoose);
  const names = (some: readonly OwnRole[]): string => some.map(({ name }) => `"${name}"`).join(', ');
  if (loose.length === 0) return { state: 'ok', fact: `bounded by grants: ${names(roles)}` };
  const fact = `processes are ${names(loose)}, who may change every row`;
  return databaseRoles === 'one'
    ? { state: 'ok', fact: `${fact}, as DATABASE_ROLES=one says` }
    : { state: 'warn', fact };
}

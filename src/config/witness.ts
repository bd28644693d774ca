import type { Environment } from './environment.ts';
import { SECRET_VARIABLES } from './secret-files.ts';

export function isWitness(env: Environment): boolean {
  return env.ROLES.includes('witness');
}

/** Beside the secrets: what leads to a key, to the database or to another signer. */
const FOREIGN = [
  'KEK',
  'KEK_FILE',
  'KEK_PROVIDER',
  'KEK_OLD_FILES',
  'VAULT_ADDR',
  'VAULT_TOKEN',
  'VAULT_TOKEN_FILE',
  'AWS_KMS_KEY_ARN',
  'SIGNER_SOCKET',
  'SIGNER_SOCKETS',
  'SIGNER_URLS',
  'SIGNER_PEERS',
  'SIGNER_WITNESSES',
] as const;

/** A witness has a port, three files and a folder, and nothing that a thief of its machine could use. */
export function witnessProblems(env: Environment): string[] {
  const problems: string[] = [];
  if (env.ROLES.length > 1)
    problems.push('ROLES: the witness runs on a machine of its own. Name it alone, or leave it out.');
  if (env.SIGNER_LISTEN === undefined)
    problems.push(
      'SIGNER_LISTEN: missing. ROLES=witness needs the port that signers come to, such as tls://10.0.0.9:4440.',
    );
  if (env.JOURNAL_DIR === undefined && env.NODE_ENV !== 'production')
    problems.push('JOURNAL_DIR: missing. ROLES=witness needs the folder of its copy.');
  for (const name of [...FOREIGN, ...SECRET_VARIABLES])
    if (env[name] !== undefined)
      problems.push(
        `${name}: a witness has no key, no database and no secret of others. Remove ${name} here.`,
      );
  return problems;
}

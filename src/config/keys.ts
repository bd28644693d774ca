import { z } from 'zod';
import type { Environment } from './environment.ts';
import { hexKey, list, transitName, url } from './fields.ts';
import { isWitness, witnessProblems } from './witness.ts';

export type KekConfig =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'env'; readonly hex: string }
  | {
      readonly kind: 'vault-transit';
      readonly address: string;
      readonly token: { readonly text: string } | { readonly path: string };
      readonly mount: string;
      readonly key: string;
    }
  | { readonly kind: 'aws-kms'; readonly keyArn: string }
  /** A key file beside the embedded database, made by the start that made the database. Never in production. */
  | { readonly kind: 'local' }
  /** None is named where production's rules hold: only a command of the operator comes this far. */
  | { readonly kind: 'missing' };

/** `tls://host:port`, as a signer is named on the network. */
const tlsPlace = z.string().regex(/^tls:\/\/(\[[0-9a-f:]+\]|[a-z0-9.-]+):\d{1,5}$/i, {
  error: 'expected tls://host:port, such as tls://signer-a:4440',
});

/** The holder of the keys, and their seals. */
export const keysVariables = {
  SIGNER_SOCKET: z
    .string()
    .regex(/^.{1,100}$/, { error: 'expected a path of at most 100 characters' })
    .optional(),
  SIGNER_SOCKETS: z
    .string()
    .regex(/^.{1,80}$/, { error: 'expected a folder whose path has at most 80 characters' })
    .optional(),
  SIGNER_LISTEN: tlsPlace.optional(),
  SIGNER_URLS: list(tlsPlace).optional(),
  SIGNER_PEERS: list(tlsPlace).optional(),
  SIGNER_WITNESSES: list(tlsPlace).optional(),
  SIGNER_TLS_CERT: z.string().min(1).optional(),
  SIGNER_TLS_KEY: z.string().min(1).optional(),
  SIGNER_TLS_CA: z.string().min(1).optional(),
  KEK_PROVIDER: z.enum(['file', 'env', 'vault-transit', 'aws-kms']).optional(),
  KEK_FILE: z.string().min(1).optional(),
  KEK: hexKey.optional(),
  KEK_OLD_FILES: list(z.string().min(1)).optional(),
  JOURNAL_DIR: z.string().min(1).optional(),
  VAULT_ADDR: url(['https:', 'http:'], 'https://vault.example.org:8200').optional(),
  VAULT_TOKEN_FILE: z.string().min(1).optional(),
  VAULT_TOKEN: z.string().min(1).optional(),
  VAULT_TRANSIT_MOUNT: transitName.default('transit'),
  VAULT_TRANSIT_KEY: transitName.optional(),
  AWS_KMS_KEY_ARN: z
    .string()
    .startsWith('arn:aws', { error: 'expected arn:aws:kms:<region>:<account>:key/<id>' })
    .optional(),
};

export const KEY_FILE_HINT =
  'Name a file of mode 0400 holding 64 hexadecimal digits (make one with "openssl rand -hex 32").';

export const OTHER_HOLDER_HINT =
  ' Or set SIGNER_SOCKET to the socket of a process with ROLES=signer, which has the key.';

/** Each of them leads to the master key. */
export const KEY_VARIABLES = ['KEK', 'KEK_FILE', 'KEK_PROVIDER'] as const;

const ALL_KEY_VARIABLES = [
  ...KEY_VARIABLES,
  'KEK_OLD_FILES',
  'VAULT_TOKEN',
  'VAULT_TOKEN_FILE',
  'AWS_KMS_KEY_ARN',
] as const;

export function isSigner(env: Environment): boolean {
  return env.ROLES.includes('signer');
}

/** True for every process but the signer where there is one. */
export function asksSigner(env: Environment): boolean {
  return (env.SIGNER_SOCKET ?? env.SIGNER_URLS) !== undefined && !isSigner(env);
}

/** The signer alone has its key. */
export function signerProblems(env: Environment): string[] {
  if (isWitness(env)) return [...witnessProblems(env), ...tlsProblems(env)];
  const problems: string[] = [];
  if (isSigner(env)) {
    if (env.ROLES.length > 1)
      problems.push('ROLES: the signer runs in a process of its own. Name it alone, or leave it out.');
    if ((env.SIGNER_SOCKET ?? env.SIGNER_SOCKETS ?? env.SIGNER_LISTEN) === undefined)
      problems.push(
        'SIGNER_SOCKET: missing. ROLES=signer needs the path of the socket that it listens at, SIGNER_SOCKETS, a folder with one for each role, or SIGNER_LISTEN, a port.',
      );
    if (env.SIGNER_PEERS !== undefined && env.SIGNER_LISTEN === undefined)
      problems.push('SIGNER_LISTEN: missing. SIGNER_PEERS names other signers, and they come to this port.');
    if (env.SIGNER_URLS !== undefined)
      problems.push(
        'SIGNER_URLS: is for the processes that ask. The signer names the others in SIGNER_PEERS.',
      );
    if (env.SIGNER_SOCKET !== undefined && env.SIGNER_SOCKETS !== undefined)
      problems.push('SIGNER_SOCKET: SIGNER_SOCKETS is set too. Keep one of the two.');
    if (env.DATABASE_URL === undefined && env.NODE_ENV !== 'production')
      problems.push('DATABASE_URL: missing. ROLES=signer needs the database of the other roles.');
  }
  problems.push(...tlsProblems(env));
  if (!isSigner(env)) {
    for (const name of ['SIGNER_LISTEN', 'SIGNER_PEERS', 'SIGNER_WITNESSES'] as const)
      if (env[name] !== undefined)
        problems.push(`${name}: is the signer's. Name the signers of this process in SIGNER_URLS.`);
    if (env.SIGNER_URLS !== undefined && env.SIGNER_SOCKET !== undefined)
      problems.push('SIGNER_SOCKET: SIGNER_URLS is set too. Keep one of the two.');
  }
  if (!isSigner(env) && env.SIGNER_SOCKETS !== undefined)
    problems.push(
      "SIGNER_SOCKETS: is the signer's. Set SIGNER_SOCKET to the socket of this role in it, such as /run/tradepost/bot/signer.sock.",
    );
  if (asksSigner(env)) {
    for (const name of ALL_KEY_VARIABLES.filter((one) => env[one] !== undefined))
      problems.push(
        `${name}: belongs to the signer alone. This process asks it (SIGNER_SOCKET, SIGNER_URLS): remove ${name} here.`,
      );
  }
  return problems;
}

/** Both sides of a port show a certificate. */
function tlsProblems(env: Environment): string[] {
  if ((env.SIGNER_LISTEN ?? env.SIGNER_URLS ?? env.SIGNER_WITNESSES) === undefined) return [];
  return (['SIGNER_TLS_CERT', 'SIGNER_TLS_KEY', 'SIGNER_TLS_CA'] as const)
    .filter((name) => env[name] === undefined)
    .map(
      (name) =>
        `${name}: missing. A signer on the network needs it: make the files with deploy/make-signer-certs.sh.`,
    );
}

/** A signer on the network, and the files with which this process shows itself. */
export type TlsPlaceConfig = {
  readonly host: string;
  readonly port: number;
  readonly files: { readonly cert: string; readonly key: string; readonly ca: string };
};

/** The places of these names; none where the files are missing, which `signerProblems` says. */
export function tlsPlaces(env: Environment, names: readonly string[] | undefined): readonly TlsPlaceConfig[] {
  const { SIGNER_TLS_CERT: cert, SIGNER_TLS_KEY: key, SIGNER_TLS_CA: ca } = env;
  if (names === undefined || cert === undefined || key === undefined || ca === undefined) return [];
  return names.map((name) => {
    const { hostname, port } = new URL(name.replace(/^tls:/i, 'https:'));
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port === '' ? 443 : port),
      files: { cert, key, ca },
    };
  });
}

/** The settings that the chosen provider lacks. */
export function kekProblems(env: Environment): string[] {
  const problems: string[] = [];
  const provider = env.KEK_PROVIDER;
  const needs = (
    name: 'KEK_FILE' | 'KEK' | 'AWS_KMS_KEY_ARN' | 'VAULT_TRANSIT_KEY' | 'VAULT_ADDR',
    what: string,
  ) => {
    if (env[name] === undefined) problems.push(`${name}: missing. ${what}`);
  };
  if (provider === 'file') needs('KEK_FILE', 'KEK_PROVIDER=file needs the path of the key file.');
  if (provider === 'env') needs('KEK', 'KEK_PROVIDER=env needs 64 hexadecimal digits.');
  if (provider === 'aws-kms') needs('AWS_KMS_KEY_ARN', 'KEK_PROVIDER=aws-kms needs the ARN of the key.');
  if (provider === 'vault-transit')
    needs('VAULT_TRANSIT_KEY', 'KEK_PROVIDER=vault-transit needs the name of the key.');
  if (env.VAULT_TRANSIT_KEY !== undefined) {
    needs('VAULT_ADDR', 'VAULT_TRANSIT_KEY needs the address of the Vault server.');
    if (env.VAULT_TOKEN === undefined && env.VAULT_TOKEN_FILE === undefined)
      problems.push('VAULT_TOKEN_FILE: missing. VAULT_TRANSIT_KEY needs a token or the file that holds it.');
  }
  return problems;
}

export function kekConfig(env: Environment): KekConfig {
  const provider = env.KEK_PROVIDER;
  if (provider === 'vault-transit' || provider === 'aws-kms') {
    const service = keyServices(env).find(({ kind }) => kind === provider);
    if (service !== undefined) return service;
  }
  if (env.KEK_FILE !== undefined && provider !== 'env') return { kind: 'file', path: env.KEK_FILE };
  if (env.KEK !== undefined) return { kind: 'env', hex: env.KEK };
  return { kind: env.NODE_ENV === 'production' ? 'missing' : 'local' };
}

/** The files named as old, and every key service that is configured without being the current key. */
export function olderKeks(env: Environment): readonly KekConfig[] {
  return [
    ...(env.KEK_OLD_FILES ?? []).map((path): KekConfig => ({ kind: 'file', path })),
    ...keyServices(env).filter(({ kind }) => kind !== env.KEK_PROVIDER),
  ];
}

function keyServices(env: Environment): readonly KekConfig[] {
  const token =
    env.VAULT_TOKEN_FILE !== undefined
      ? { path: env.VAULT_TOKEN_FILE }
      : env.VAULT_TOKEN !== undefined
        ? { text: env.VAULT_TOKEN }
        : null;
  const services: KekConfig[] = [];
  if (env.VAULT_ADDR !== undefined && env.VAULT_TRANSIT_KEY !== undefined && token !== null) {
    const { VAULT_ADDR: address, VAULT_TRANSIT_MOUNT: mount, VAULT_TRANSIT_KEY: key } = env;
    services.push({ kind: 'vault-transit', address, token, mount, key });
  }
  if (env.AWS_KMS_KEY_ARN !== undefined) services.push({ kind: 'aws-kms', keyArn: env.AWS_KMS_KEY_ARN });
  return services;
}

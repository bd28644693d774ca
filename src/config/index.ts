import { AppError } from '../core/errors/app-error.ts';
import { aggregatorProblems } from './aggregators.ts';
import type { Config } from './config.ts';
import { envFileNames } from './env-file-names.ts';
import { ENVIRONMENT, type Environment } from './environment.ts';
import { kekProblems, signerProblems } from './keys.ts';
import { unknownNames } from './known-names.ts';
import { mailProblems } from './mail.ts';
import { configOf } from './make-config.ts';
import { sunsetProblems } from './market.ts';
import { productionProblems } from './production.ts';
import { withSecretFiles } from './secret-files.ts';
import { sendersProblems } from './senders.ts';
import { chatKeyProblems, webhookProblems } from './telegram.ts';

export { AGGREGATORS } from './aggregators.ts';
export type { Config } from './config.ts';

/**
 * Reads the environment once. Throws CONFIG_INVALID with one sentence per problem, all at once, each naming the variable and the expected
 * value.
 */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>>,
  inFile: ReadonlySet<string> = new Set(),
): Config {
  const env = readEnvironment(environment, inFile);
  return configOf(env, [...productionProblems(env), ...problemsOf(env)]);
}

/**
 * The configuration of an operator's command. It has production's rules where DATABASE_URL names a database that no local world on this
 * machine runs, for any NODE_ENV: `databaseOfWorld` returns the database that the world of a LOCAL_DIR runs. Settings that only a role
 * needs are not required; a setting that a command needs is missed where it is opened. Throws CONFIG_INVALID as `loadConfig` does.
 */
export function loadOpsConfig(
  environment: Readonly<Record<string, string | undefined>>,
  databaseOfWorld: (dir: string) => string | null,
  inFile: ReadonlySet<string> = new Set(),
): Config {
  const read = readEnvironment(environment, inFile);
  const isForeign = read.DATABASE_URL !== undefined && databaseOfWorld(read.LOCAL_DIR) !== read.DATABASE_URL;
  const env: Environment = isForeign ? { ...read, NODE_ENV: 'production' } : read;
  return configOf(env, problemsOf(env));
}

/** `inFile` are the names that stand in an env file, where every unknown one is refused. */
function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  inFile: ReadonlySet<string>,
): Environment {
  const files = withSecretFiles(environment);
  const given = Object.fromEntries(
    Object.entries(files.given).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const allowed = new Set((given['TRADEPOST_ALLOW_ENV'] ?? '').split(',').map((name) => name.trim()));
  const unknown = unknownNames(environment, { known: Object.keys(ENVIRONMENT.shape), inFile, allowed });
  const mistyped = [...unknown, ...files.problems, ...typingProblems(given)];
  if (mistyped.length > 0) throw new AppError('CONFIG_INVALID', { problems: mistyped });
  const parsed = ENVIRONMENT.safeParse(given);
  if (!parsed.success) {
    throw new AppError('CONFIG_INVALID', {
      problems: parsed.error.issues.map(
        ({ path, message }) => `${path[0]?.toString() ?? 'environment'}: ${message}`,
      ),
    });
  }
  return parsed.data;
}

/** The contradictions, for a role and for a command alike. */
function problemsOf(env: Environment): readonly string[] {
  return [
    ...webhookProblems(env),
    ...chatKeyProblems(env),
    ...kekProblems(env),
    ...signerProblems(env),
    ...aggregatorProblems(env),
    ...sendersProblems(env),
    ...mailProblems(env),
    ...sunsetProblems(env),
  ];
}

/** The environment of this process: the one place that reads it. The key-encryption key is taken out once it is read. */
export function loadProcessConfig(): Config {
  return withoutSecrets(loadConfig(process.env, envFileNames(process.execArgv)));
}

/** The same for an operator's command: see `loadOpsConfig`. */
export function loadProcessOpsConfig(
  databaseOfWorld: (dir: string) => string | null,
  inFile: ReadonlySet<string>,
): Config {
  return withoutSecrets(loadOpsConfig(process.env, databaseOfWorld, inFile));
}

function withoutSecrets(config: Config): Config {
  // A child process, a crash report or a dependency that dumps its environment must not find the key there.
  delete process.env['KEK'];
  delete process.env['API_KEY_SECRET'];
  delete process.env['CHAT_KEY'];
  delete process.env['CHAT_KEY_OLD'];
  delete process.env['SMTP_URL'];
  delete process.env['VAULT_TOKEN'];
  delete process.env['JUPITER_API_KEY'];
  delete process.env['OKX_SECRET_KEY'];
  delete process.env['OKX_PASSPHRASE'];
  delete process.env['IPFS_API_TOKEN'];
  delete process.env['POSTGRES_PASSWORD'];
  return config;
}

/** Where a quotation mark or a space at an end may be meant. */
const FREE_TEXT: ReadonlySet<string> = new Set(['POSTGRES_PASSWORD', 'OKX_PASSPHRASE']);

/** Quotes and spaces that a shell or a YAML file would have taken away and an env file keeps. */
function typingProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(ENVIRONMENT.shape)) {
    const value = given[name];
    if (value === undefined || FREE_TEXT.has(name)) continue;
    if (value !== value.trim())
      problems.push(`${name}: the value begins or ends with a space or a line break. Take it away.`);
    else if (/^(["']).*\1$/s.test(value))
      problems.push(`${name}: the value stands in quotes, which count as part of it. Take them away.`);
  }
  return problems;
}

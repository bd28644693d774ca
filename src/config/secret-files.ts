import { readFileSync } from 'node:fs';

/**
 * The variables that hold a secret. For each there is `<NAME>_FILE`, a file that holds the value: everyone who may list processes or
 * inspect a container can read an environment, only the owner a file. (`KEK_FILE` and `VAULT_TOKEN_FILE` are read by their adapters.)
 */
export const SECRET_VARIABLES = [
  'TELEGRAM_BOT_TOKEN',
  'WEBHOOK_SECRET',
  'SOLANA_RPC_URL',
  'SOLANA_WS_URL',
  'GEYSER_TOKEN',
  'DATABASE_URL',
  'SCRATCH_DATABASE_URL',
  'TAPE_DATABASE_URL',
  'CLICKHOUSE_URL',
  'POSTGRES_PASSWORD',
  'REDIS_URL',
  'API_KEY_SECRET',
  'CHAT_KEY',
  'CHAT_KEY_OLD',
  'SMTP_URL',
  'IPFS_API_TOKEN',
  'JUPITER_API_KEY',
  'OKX_API_KEY',
  'OKX_SECRET_KEY',
  'OKX_PASSPHRASE',
] as const;

type Given = Readonly<Record<string, string | undefined>>;

/** The environment with the files' values in their variables' place, without the line's end, and a sentence per file that is no use. */
export function withSecretFiles(environment: Given): {
  readonly given: Given;
  readonly problems: readonly string[];
} {
  const given: Record<string, string | undefined> = { ...environment };
  const problems: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const variable = `${name}_FILE`;
    const path = environment[variable]?.trim() ?? '';
    if (path === '') continue;
    if ((environment[name]?.trim() ?? '') !== '') {
      problems.push(`${variable}: ${name} is set too. Keep one of the two.`);
      continue;
    }
    try {
      const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (value.trim() === '')
        problems.push(`${variable}: ${path} is empty. Put the value of ${name} into it.`);
      else given[name] = value;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      problems.push(`${variable}: ${path} cannot be read: ${fileProblem(code)}`);
    }
  }
  return { given, problems };
}

/** The meaning of a file system's code, and its mend. */
export function fileProblem(code: string): string {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file. Correct the path, or make the file.';
    case 'EACCES':
    case 'EPERM':
      return `this process runs as user ${process.getuid?.() ?? '?'}, who may not read it. Give it to that user (chown) and keep its mode 0400.`;
    case 'EISDIR':
      return 'it is a folder. Name the file in it.';
    default:
      return `${code}. Look at the file and its disk.`;
  }
}

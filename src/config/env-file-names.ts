import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The names in the env files that Node itself was started with (`--env-file`), as far as they can be read. */
export function envFileNames(execArgv: readonly string[]): ReadonlySet<string> {
  const paths = execArgv.flatMap((arg, at) => {
    const [, path] = /^--env-file(?:-if-exists)?=(.*)$/.exec(arg) ?? [];
    if (path !== undefined) return [path];
    return /^--env-file(-if-exists)?$/.test(arg) ? [execArgv[at + 1] ?? ''] : [];
  });
  return new Set(paths.flatMap(namesIn));
}

/** The names in one env file; none where it cannot be read. */
export function namesIn(path: string): readonly string[] {
  try {
    return Object.keys(parseEnv(readFileSync(path, 'utf8')));
  } catch {
    return [];
  }
}

/**
 * `npm run ops -- <command>`: the operator's tools, each loaded when it is asked for. Each prints its result; exit code 1 = look at it, 2 =
 * wrong use.
 */

import { namesIn } from '../src/config/env-file-names.ts';
import { loadProcessOpsConfig } from '../src/config/index.ts';
import { readRunFile } from '../src/local/run-file.ts';
import { readEnvFile } from './ops/env-file.ts';
import { describeFailure, runCommand } from './ops/run-command.ts';

async function main(): Promise<number> {
  const envFile = readEnvFile('.env');
  return runCommand(
    process.argv.slice(2),
    () =>
      loadProcessOpsConfig(
        (dir) => readRunFile(dir)?.databaseUrl ?? null,
        new Set(envFile ? namesIn('.env') : []),
      ),
    (line) => void process.stdout.write(`${line}\n`),
    {
      note: (line) => void process.stderr.write(`${line}\n`),
      envFile,
    },
  );
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const { text, code } = describeFailure(error);
    process.stderr.write(text);
    process.exit(code);
  },
);

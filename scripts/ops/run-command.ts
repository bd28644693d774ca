import { describeStartFailure } from '../../src/compose/start-failure.ts';
import type { Config } from '../../src/config/index.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';
import { type Io, usageOf } from './command.ts';
import { COMMANDS } from './commands.ts';
import { OpsError, UsageError } from './ops-error.ts';

/** The table of commands. */
export function usageText(): string {
  const lines = COMMANDS.map((command) => {
    const usage = usageOf(command);
    return `  ${usage.length > 38 ? `${usage}\n${' '.repeat(41)}` : usage.padEnd(39)}${command.text}`;
  });
  return `npm run ops -- COMMAND [--help] [--local]\n\n${lines.join('\n')}\n\nExit code 0 = fine, 1 = look at what was printed, 2 = wrong use.\n`;
}

/** Carries out one command; the exit code it asks for. `config` is asked by the commands that need one. */
export async function runCommand(
  args: readonly string[],
  config: () => Config,
  print: (line: string) => void,
  around: Partial<Pick<Io, 'note' | 'envFile'>> = {},
): Promise<number> {
  const [first, second] = args;
  if (first === undefined) throw new UsageError(`A command is missing.\n\n${usageText()}`);
  if (first === '--help' || first === '-h' || first === 'help') {
    print(usageText());
    return 0;
  }
  const io: Io = { config, print, note: () => undefined, local: false, envFile: false, ...around };
  for (const command of COMMANDS) {
    const [one, two] = command.name.split(' ');
    if (one !== first || (two !== undefined && two !== second)) continue;
    return command.run(args.slice(two === undefined ? 1 : 2), io);
  }
  return group(first, second, print);
}

/** The first word alone, or with a second one that it does not have. */
function group(first: string, second: string | undefined, print: (line: string) => void): number {
  const members = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  const lines = members
    .map((command) => `npm run ops -- ${usageOf(command)}\n    ${command.text}`)
    .join('\n');
  if (members.length === 0) throw new UsageError(`There is no command "${first}".\n\n${usageText()}`);
  if (second === '--help' || second === '-h') {
    print(lines);
    return 0;
  }
  const wanted = members.map(({ name }) => `"${name.slice(first.length + 1)}"`).join(' or ');
  throw new UsageError(`${first}: expected ${wanted}, not "${second ?? ''}".\n\n${lines}`);
}

/** The operator's message when a command threw, and the exit code that goes with it. */
export function describeFailure(error: unknown): { readonly text: string; readonly code: 1 | 2 } {
  const text =
    error instanceof OpsError ||
    (error instanceof Error && ['DumpError', 'LookupTableError'].includes(error.name))
      ? error.message
      : describeStartFailure(error).replaceAll('Tradepost cannot start: ', '');
  // A variable that is missing or wrong is a wrong use: nothing was changed.
  const isWrongUse = error instanceof UsageError || hasCode(error, 'CONFIG_INVALID');
  return { text: `${text.trimEnd()}\n`, code: isWrongUse ? 2 : 1 };
}

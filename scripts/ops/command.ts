import { parseArgs } from 'node:util';
import type { Config } from '../../src/config/index.ts';
import type { Declared } from '../../src/modules/guard/rules/acts.ts';
import { UsageError } from './ops-error.ts';

/** The input of every command beside its own words and options. */
export type Io = {
  readonly config: () => Config;
  /** The result, on standard output. */
  readonly print: (line: string) => void;
  /** Useful facts that are no result, on standard error. */
  readonly note: (line: string) => void;
  /** `--local`: the embedded database of LOCAL_DIR may be started for the length of the command. */
  readonly local: boolean;
  /** Whether an `.env` file was read for this command. */
  readonly envFile: boolean;
};

/** A secret of the service, by the variable that names it. */
export type Secret = 'KEK_FILE' | 'API_KEY_SECRET';

type Option =
  | { readonly type: 'boolean'; readonly text: string }
  /** `value` is its name in the help. */
  | { readonly type: 'string'; readonly value: string; readonly multiple?: true; readonly text: string };
type Options = Readonly<Record<string, Option>>;

type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends { readonly type: 'boolean' }
    ? boolean
    : O[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string | undefined;
};

/** `words` are as many as the command names; a word in brackets may be missing. */
type Input<O extends Options> = { readonly words: readonly string[]; readonly values: Values<O> };

type Spec<O extends Options> = {
  /** One or two words, like `kek rotate`. */
  readonly name: string;
  /** The words after the name, e.g. `['FILE']`; the last ones may be in brackets: `['[SWITCH]']`. */
  readonly words?: readonly string[];
  readonly options?: O;
  /** The act that it carries out. */
  readonly act: Declared;
  /** One line for the table of commands and for `--help`. */
  readonly text: string;
  /** The secrets of the service that it cannot do without; without one it changes nothing and ends with 2. No command makes one. */
  readonly secrets?: readonly Secret[];
  /** Resolves to the exit code: 0 = fine, 1 = look at the output. Wrong values throw a UsageError before anything is opened. */
  readonly run: (input: Input<O>, io: Io) => Promise<number>;
};

export type Command = Omit<Spec<Options>, 'run'> & {
  readonly run: (args: readonly string[], io: Io) => Promise<number>;
};

/** Marks a word that begins with a minus and is no option. */
const WORD = '\u0000';
const HELP = ['--help', '-h'];
const USAGE = 'npm run ops -- ';

/** A command whose arguments are checked by its own description before it runs. */
export function command<const O extends Options = Record<never, never>>(spec: Spec<O>): Command {
  return {
    ...spec,
    run: (args, io) => {
      if (args.some((arg) => HELP.includes(arg))) {
        io.print(helpOf(spec));
        return Promise.resolve(0);
      }
      const { words, values, local } = read(spec, args);
      return spec.run({ words, values }, { ...io, local }).catch((error: unknown) => {
        // The error for a wrong value comes with the whole usage, as for a wrong option.
        if (!(error instanceof UsageError) || error.message.includes(USAGE)) throw error;
        throw new UsageError(`${error.message}\n\n${USAGE}${usageOf(spec)}`);
      });
    },
  };
}

/** `kek rotate [--batch N]`: as the table of commands and the documents write it. */
export function usageOf({
  name,
  words = [],
  options = {},
}: Pick<Command, 'name' | 'words' | 'options'>): string {
  const flags = Object.entries(options).map(([flag, option]) => {
    const several = option.type === 'string' && option.multiple === true ? ' …' : '';
    return `[--${flag}${option.type === 'string' ? ` ${option.value}` : ''}${several}]`;
  });
  return [name, ...words, ...flags].join(' ');
}

function helpOf(spec: Pick<Command, 'name' | 'words' | 'options' | 'text' | 'secrets'>): string {
  const lines = Object.entries(spec.options ?? {}).map(
    ([flag, option]) =>
      `  ${`--${flag}${option.type === 'string' ? ` ${option.value}` : ''}`.padEnd(24)} ${option.text}`,
  );
  return [
    `${USAGE}${usageOf(spec)}`,
    '',
    spec.text,
    ...(lines.length === 0 ? [] : ['', ...lines]),
    '',
    ...(spec.secrets ?? []).map((name) => `  ${'needs'.padEnd(24)} ${name}`),
    `  ${'--local'.padEnd(24)} start the embedded database of LOCAL_DIR for this command`,
  ].join('\n');
}

function read<O extends Options>(
  spec: Spec<O>,
  args: readonly string[],
): Input<O> & { readonly local: boolean } {
  const fail = (message: string): never => {
    throw new UsageError(`${message}\n\n${USAGE}${usageOf(spec)}`);
  };
  const options: Options = spec.options ?? {};
  const { values, positionals } = parse(options, args, fail);
  const words = spec.words ?? [];
  const needed = words.filter((word) => !word.startsWith('['));
  const missing = needed[positionals.length];
  if (missing !== undefined) fail(`${spec.name}: expected ${missing}, which is missing.`);
  const extra = positionals[words.length];
  if (extra !== undefined)
    fail(
      `${spec.name}: expected ${words.length === 0 ? 'no further word' : words.join(' ')}, not also "${extra}".`,
    );
  const filled = Object.entries(options).map(([name, option]) => {
    const value = values[name];
    return [name, option.type === 'boolean' ? value === true : (value ?? (option.multiple ? [] : undefined))];
  });
  return {
    words: positionals,
    values: Object.fromEntries(filled) as Values<O>,
    local: values['local'] === true,
  };
}

function parse(options: Options, args: readonly string[], fail: (message: string) => never) {
  const known = Object.entries(options).map(([name, option]) => [
    name,
    { type: option.type, multiple: option.type === 'string' && option.multiple === true },
  ]);
  try {
    const { values, positionals } = parseArgs({
      // A negative number is a word: its reader names the expected value.
      args: args.map((arg) => (/^-\d/.test(arg) ? `${WORD}${arg}` : arg)),
      allowPositionals: true,
      options: { ...Object.fromEntries(known), local: { type: 'boolean' } },
    }) as {
      readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
      readonly positionals: readonly string[];
    };
    return { values, positionals: positionals.map((word) => word.replace(WORD, '')) };
  } catch (error) {
    // Its own sentences go on about "--" and about escaping, which is no help here.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    return fail(`${sentence.replace(/\.$/, '')}.`);
  }
}

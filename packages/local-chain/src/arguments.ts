/** A command line that cannot be obeyed; the message is one line for the person who typed it. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

export type Arguments = {
  /** The last value given, undefined when the option is absent. */
  one(name: string): string | undefined;
  /** Every value given, in order. */
  all(name: string): readonly string[];
  /** A whole number from 0, or `fallback`. */
  integer(name: string, fallback: number): number;
};

/** Reads `--name value` pairs. Throws ArgumentError for an unknown option, a missing value or anything else. */
export function readArguments(argv: readonly string[], known: readonly string[]): Arguments {
  const values = new Map<string, string[]>();
  for (let i = 0; i < argv.length; i += 2) {
    const [option = '', value] = [argv[i], argv[i + 1]];
    const name = option.startsWith('--') ? option.slice(2) : '';
    if (!known.includes(name)) {
      throw new ArgumentError(
        `Unknown argument "${option}": expected ${known.map((one) => `--${one}`).join(', ')}.`,
      );
    }
    if (value === undefined || value.startsWith('--')) throw new ArgumentError(`--${name} needs a value.`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const one = (name: string): string | undefined => values.get(name)?.at(-1);
  return {
    one,
    all: (name) => values.get(name) ?? [],
    integer: (name, fallback) => {
      const value = one(name);
      if (value === undefined) return fallback;
      if (!/^\d{1,9}$/.test(value))
        throw new ArgumentError(`--${name} must be a whole number, not "${value}".`);
      return Number(value);
    },
  };
}

import type { LocalTelegramOptions } from './options.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The check of each option, and its text for a person. */
const EXPECTED: Readonly<Record<keyof LocalTelegramOptions, readonly [(value: unknown) => boolean, string]>> =
  {
    host: [isText, '127.0.0.1 or ::1'],
    port: [
      (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
      'a whole number from 0 to 65535',
    ],
    dir: [isText, 'the path of a folder'],
    botUsername: [
      (value) => typeof value === 'string' && /^\w{5,32}$/.test(value),
      '5 to 32 characters of A-Z, a-z, 0-9 and _',
    ],
    botName: [isText, 'a text'],
    clock: [isObject, 'an object with now() and after()'],
    refuse: [isObject, 'an object'],
    panel: [isObject, 'an object'],
    pages: [(value) => typeof value === 'function', 'a function'],
  };

/** Throws a RangeError that names the wrong option and the expected value. */
export function checkOptions(options: LocalTelegramOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const expected = Object.hasOwn(EXPECTED, name) ? EXPECTED[name as keyof LocalTelegramOptions] : null;
    if (expected === null) {
      throw new RangeError(
        `The local Telegram has no option "${name}": expected ${Object.keys(EXPECTED).join(', ')}.`,
      );
    }
    if (value !== undefined && !expected[0](value)) {
      throw new RangeError(
        `The local Telegram cannot start: ${name}: expected ${expected[1]}, got ${String(value)}.`,
      );
    }
  }
}

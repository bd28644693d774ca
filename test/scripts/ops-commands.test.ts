import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { usageOf } from '../../scripts/ops/command.ts';
import { COMMANDS } from '../../scripts/ops/commands.ts';
import { describeFailure, runCommand } from '../../scripts/ops/run-command.ts';
import { STEPS } from '../production/operator-steps.ts';

const noConfig = (): never => {
  throw new Error('the configuration was read');
};

async function ops(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  try {
    const code = await runCommand(args, noConfig, (line) => void lines.push(line));
    return { code, text: lines.join('\n') };
  } catch (error) {
    return describeFailure(error);
  }
}

describe('the table of commands', () => {
  it('is that of docs/operations.md, in the same words', () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [, table = ''] = page.split('| Command | What it does |\n|---|---|\n');
    const rows = table.split('\n\n')[0]?.split('\n');
    expect(rows).toEqual(
      COMMANDS.map((one) => `| \`${usageOf(one)}\` | ${one.text.replaceAll('|', '\\|')} |`),
    );
  });

  it('names each command once, and no command hides another', () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names.filter((one) => !one.includes(' ')))
      expect(names.filter((one) => one.startsWith(`${name} `))).toEqual([]);
  });

  it('is all tried in the image, each command once for real', () => {
    expect(STEPS.map(({ name }) => name).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  it.each(COMMANDS.map((one) => [one.name, one] as const))(
    '%s --help says how it is used and does nothing',
    async (name, one) => {
      const { code, text } = await ops(...name.split(' '), '--help');
      expect(code).toBe(0);
      expect(text).toContain(`npm run ops -- ${usageOf(one)}\n`);
      expect(text).toContain(one.text);
      // Help is wanted wherever it stands.
      expect(await ops(...name.split(' '), 'x', '--help')).toEqual({ code, text });
    },
  );

  it('shows all of it for --help, and with code 2 where the command is missing or unknown', async () => {
    const { code, text } = await ops('--help');
    expect(code).toBe(0);
    for (const one of COMMANDS) expect(text).toContain(usageOf(one));
    expect(await ops()).toEqual({ code: 2, text: `A command is missing.\n\n${text}` });
    expect(await ops('shout')).toEqual({ code: 2, text: `There is no command "shout".\n\n${text}` });
  });
});

describe('a wrong command line ends with code 2 and what was expected, before anything is read or opened', () => {
  it.each([
    [['kek'], 'kek: expected "status" or "rotate", not "".'],
    [['kek', 'turn'], 'kek: expected "status" or "rotate", not "turn".'],
    [['dump'], 'dump: expected FILE, which is missing.'],
    [['dump', 'a', 'b'], 'dump: expected FILE, not also "b".'],
    [['audit', 'now'], 'audit: expected no further word, not also "now".'],
    [['audit', '--book-only'], "Unknown option '--book-only'."],
    [['audit', '--books-only=yes'], "Option '--books-only' does not take an argument."],
    [['kek', 'rotate', '--batch'], "Option '--batch <value>' argument missing."],
    [['kek', 'rotate', '--batch', '0'], '--batch: expected a whole number from 1 to 5000, not "0".'],
    [['points', 'budget', 'much'], 'points budget: expected an amount of SOL like 0.5, not "much".'],
    [['points', 'stock', 'cake', '1'], 'points stock: expected one of '],
    [['convert', 'announce', '1', 'soon', 'later'], 'expected 2027-01-31 or 2027-01-31T12:00Z, not "soon".'],
    [['convert', 'cancel', '0'], 'convert cancel: expected a whole number from 1 to 999999, not "0".'],
    [['second-factor', 'end', '@ann'], 'second-factor end: expected a Telegram id in digits, not "@ann".'],
    [['freeze', 'end', '7'], '--reason: expected why, in 1 to 200 characters'],
    [
      ['freeze', 'end', '7', '--reason', 'a call', '--confirm', '8 may move money again'],
      '--confirm: expected the words "7 may move money again". Nothing was changed.',
    ],
    [['verify-receipt', 'xyz'], 'verify-receipt: expected the signature of one transaction'],
    [
      ['api-key', 'issue', 'acme', '--scopes', 'all'],
      '--scopes: expected one of swap, token, market, submit, not "all".',
    ],
  ])('%j', async (args, expected) => {
    const { code, text } = await ops(...args);
    expect([code, text]).toEqual([2, expect.stringContaining(expected)]);
    expect(text).not.toMatch(/\n\s+at /);
  });
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { type Hold, type Loss, mostLost, type Owner } from './most-lost.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SPANS = [HOUR, DAY, 14 * DAY] as const;
const SOL = 1_000_000_000n;

const DOC = readFileSync(fileURLToPath(new URL('../../docs/security.md', import.meta.url)), 'utf8');

/** The rows of the document: what the thief holds, the cell of each span, and for the last one what the owner does. */
const ROWS: readonly (readonly [string, Hold, readonly Owner[]])[] = [
  ['the account, over a day old, no PIN', 'no-pin', ['asleep', 'stopping']],
  [
    'the account; the PIN is not known, or known without the authenticator',
    'pin-unknown',
    ['asleep', 'typing'],
  ],
  ['the account while trades are unlocked', 'unlocked', ['asleep']],
  ['the account and the PIN; an account of today without a PIN', 'pin', ['asleep', 'stopping']],
  ['the account, frozen', 'frozen', ['asleep']],
];

const WORDS: Readonly<Record<Owner, string>> = {
  asleep: '',
  stopping: ' if each notice is stopped',
  typing: ' if the owner types it daily',
};

function cell(loss: Loss, owner: Owner): string {
  const text = 'allFrom' in loss ? `all after ${loss.allFrom / HOUR} h` : formatUnits(loss.lamports, 9);
  return `${text}${WORDS[owner]}`;
}

describe('what a thief can take at most', () => {
  it.each(ROWS)('stands in docs/security.md as the limits give it: %s', (name, hold, owners) => {
    const cells = SPANS.map((span) => {
      const each = owners.map((owner) => ({ owner, loss: mostLost(hold, owner, span, PRODUCTION_RULES) }));
      const [first] = each;
      const differs = each.filter(
        ({ loss }) => JSON.stringify(loss, plain) !== JSON.stringify(first?.loss, plain),
      );
      return [first, ...differs]
        .flatMap((one) => (one === undefined ? [] : [cell(one.loss, one.owner)]))
        .join('; ');
    });
    expect(DOC).toContain(`| ${name} | ${cells.join(' | ')} |`);
  });

  it('never falls when the span grows, and follows each limit', () => {
    for (const [, hold, owners] of ROWS)
      for (const owner of owners) {
        const sums = Array.from({ length: 14 * 24 }, (_, hour) =>
          mostLost(hold, owner, (hour + 1) * HOUR, PRODUCTION_RULES),
        );
        const lamports = sums.flatMap((loss) => ('lamports' in loss ? [loss.lamports] : []));
        expect(lamports).toEqual(lamports.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
      }
    const changed = { ...PRODUCTION_RULES, spendCapLamports: 7n * SOL };
    expect(mostLost('pin-unknown', 'asleep', HOUR, changed)).toEqual({ lamports: 7n * SOL + SOL / 20n });
  });
});

const plain = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

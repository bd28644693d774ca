import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  ACT_NAMES,
  ACTS,
  BUYS,
  GUARD_ACTS,
  isGuardAct,
  RATES,
  ruleOf,
  SALES,
  TRADES,
} from '../../../../src/modules/guard/rules/acts.ts';

const DOC = readFileSync(fileURLToPath(new URL('../../../../docs/acts.md', import.meta.url)), 'utf8');
const ROWS = DOC.split('\n').filter((line) => line.startsWith('| `'));
/** The first cell of the rows below a heading, without its quotes. */
const namesBelow = (heading: string): readonly string[] => {
  const [, section = ''] = DOC.split(`## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return body.split('\n').flatMap((line) => /^\| `([a-z-]+)` \|/.exec(line)?.[1] ?? []);
};
/** The words of a line that begins with this name. */
const namesAfter = (start: string): readonly string[] => {
  const line = DOC.split('\n').find((one) => one.startsWith(start)) ?? '';
  return [...line.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
};

describe('the table of acts', () => {
  it.each(ACT_NAMES)('says in docs/acts.md what the gate asks for: %s', (act) => {
    const { by, pin, caps, rate, wait, switches, notice, frozen } = ruleOf(act);
    const cells = [by, pin, caps, rate ?? 'none', wait, switches.join(', ') || 'none', notice, frozen];
    expect(ROWS).toContain(`| \`${act}\` | ${cells.join(' | ')} |`);
  });

  it('has a row for each act and no other, in the order of their list', () => {
    expect(namesBelow('Each act')).toEqual([...ACT_NAMES]);
    expect(Object.keys(ACTS).toSorted()).toEqual([...ACT_NAMES].toSorted());
  });

  it('names the rates, the trades, and the acts whose notice the gate itself sends', () => {
    expect(namesAfter('Rates: ')).toEqual([...RATES]);
    expect(namesAfter('A purchase is ')).toEqual([...BUYS]);
    expect(namesAfter('A sale is ')).toEqual([...SALES]);
    expect([...TRADES]).toEqual([...BUYS, ...SALES]);
    expect(namesAfter('The gate itself sends the notice of ')).toEqual([...GUARD_ACTS]);
    expect(ACT_NAMES.filter(isGuardAct).toSorted()).toEqual([...GUARD_ACTS].toSorted());
    expect(isGuardAct('withdraw')).toBe(false);
  });
});

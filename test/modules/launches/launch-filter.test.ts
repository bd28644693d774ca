import { describe, expect, it } from 'vitest';
import {
  type FilterFacts,
  filterText,
  passes,
  readFilter,
} from '../../../src/modules/launches/rules/launch-filter.ts';

const FACTS: FilterFacts = {
  age: 12,
  cap: 8_100,
  liq: 3_000,
  holders: 60,
  dev: 4,
  top10: 34,
  bundle: 0,
  curve: 51,
  verdict: 1,
};
const lets = (text: string, facts: Partial<FilterFacts> = FACTS): boolean => passes(readFilter(text), facts);

describe('a typed filter', () => {
  it('is read in both languages, and written as it is read again', () => {
    const english = 'age<30m cap>5k liq>2.5k holders>50 dev<5 top10<30 bundle<10 curve>20 verdict<careful';
    const spanish =
      'edad<30min cap>=5000 liquidez > 2,5k tenedores>50 dev<5% top<30 bundle<10 curva>20% veredicto<cuidado';
    expect(readFilter(spanish)).toEqual(readFilter(english));
    expect(filterText(readFilter(english))).toBe(english);
    expect(filterText(readFilter(filterText(readFilter(spanish))))).toBe(english);
    expect(filterText(readFilter('age<2h cap<1.5m'))).toBe('age<2h cap<1.5m');
    for (const nothing of ['', ' ', 'all', 'todo', 'TODOS']) expect(readFilter(nothing)).toEqual([]);
  });

  it('keeps the last word about one side of a figure, and both sides', () => {
    expect(filterText(readFilter('dev<5 dev<3 curve>20 curve<80'))).toBe('dev<3 curve>20 curve<80');
  });

  it.each([
    'age<-1',
    'cap>1e99',
    'cap>9999b',
    'dev<101',
    'dev<5k',
    'dev',
    'dev<',
    '<5',
    'dev<NaN',
    'curve>1,5,5',
    'verdict>ok',
    'verdict<good',
    'price<5',
    'age<5y',
    'constructor<5',
    'dev<5 '.repeat(10),
  ])('refuses %j with the part that is none', (text) => {
    expect(() => readFilter(text)).toThrowError(expect.objectContaining({ code: 'FILTER_INVALID' }));
  });

  it('holds with its bound, all conditions together, and is passed by no figure that is not known', () => {
    expect([lets('dev<4'), lets('dev<3.9'), lets('cap>8.1k'), lets('cap>8.2k')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([lets('age<12m'), lets('age<11m'), lets('curve>51 bundle<0'), lets('dev<4 cap>1m')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([lets('verdict<careful'), lets('verdict<ok')]).toEqual([true, false]);
    const unknown: FilterFacts = { ...FACTS, bundle: null, cap: Number.NaN };
    expect([lets('bundle<100', unknown), lets('cap>0', unknown), lets('dev<5', {}), lets('', {})]).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

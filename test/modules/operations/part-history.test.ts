import { expect, it } from 'vitest';
import { historyOf } from '../../../src/modules/operations/rules/part-history.ts';

const NOW = Date.UTC(2027, 0, 31, 6);
const of = (day: string, measured: number, down = 0) => ({ part: 'queue', day, measured, down });
const kinds = (...kept: readonly ReturnType<typeof of>[]) =>
  new Map(historyOf('queue', kept, NOW).days.map(({ day, kind }) => [day, kind]));

it('has every day up to today, and a day without a measurement has no data, whatever other parts have', () => {
  const { days, answeredBps } = historyOf('queue', [{ ...of('2027-01-31', 360), part: 'chain' }], NOW);
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([90, '2026-11-03', '2027-01-31']);
  expect(new Set(days.map(({ kind }) => kind))).toEqual(new Set(['none']));
  expect(answeredBps).toBeNull();
});

it('calls a day whole only where nine tenths of its minutes were measured; of today, of those that passed', () => {
  expect(
    kinds(of('2027-01-31', 324), of('2027-01-30', 1_296), of('2027-01-29', 1_295), of('2027-01-28', 1)),
  ).toEqual(
    new Map([
      ...kinds(),
      ['2027-01-31', 'whole'],
      ['2027-01-30', 'whole'],
      ['2027-01-29', 'thin'],
      ['2027-01-28', 'thin'],
    ]),
  );
  expect(kinds(of('2027-01-31', 323)).get('2027-01-31')).toBe('thin');
});

it('tells a short fault from one of an hour or of half of what was measured', () => {
  const found = kinds(of('2027-01-30', 1_440, 59), of('2027-01-29', 1_440, 60), of('2027-01-28', 10, 5));
  expect([...found.values()].filter((kind) => kind !== 'none')).toEqual(['bad', 'bad', 'some']);
});

it('never rounds a fault away', () => {
  expect(historyOf('queue', [of('2027-01-30', 1_440), of('2027-01-29', 100_000, 1)], NOW).answeredBps).toBe(
    9_999,
  );
  expect(historyOf('queue', [of('2027-01-30', 1_440)], NOW).answeredBps).toBe(10_000);
});

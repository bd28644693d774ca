import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  addUp,
  appendReport,
  type ReportLine,
  readReports,
  reportLineOf,
  shortfallsOf,
} from '../../scripts/torture/calls/report.ts';
import type { CallsRun } from '../../scripts/torture/calls/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'tradepost-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RUN: CallsRun = {
  calls: 600,
  seconds: 200,
  ends: {},
  answers: { given: 4_000, lost: 1_200, down: 30 },
  kills: 20,
  starts: 25,
  postgresKills: 1,
  commitsCut: 2,
  faults: { fork: 90, drop: 100 },
  lies: { error: 2, highHeight: 40 },
  landed: 700,
  signed: 610,
  events: { tries: 500, lost: 40, forged: 0, final: 480 },
  problems: [],
  violations: [],
  ownDeaths: [],
};
const line = (seed: number, change: Partial<CallsRun> = {}): ReportLine =>
  reportLineOf({ ...RUN, ...change }, { seed, callers: 60, endedAt: new Date(seed * 1_000) });
const shortfalls = (...lines: readonly ReportLine[]) => shortfallsOf(addUp(lines), 1_200);

describe('the sum of several runs', () => {
  it('has every number of its runs, and is enough with calls, a storm and no problem', () => {
    const total = addUp([line(2), line(1)]);
    expect(total).toEqual({
      runs: 2,
      seeds: [1, 2],
      calls: 1_200,
      seconds: 400,
      answersGiven: 8_000,
      answersLost: 2_400,
      forks: 180,
      lies: 84,
      kills: 40,
      postgresKills: 2,
      landed: 1_400,
      problems: {},
      violations: 0,
      ownDeaths: 0,
    });
    expect(shortfallsOf(total, 1_200)).toEqual([]);
    expect(shortfallsOf(total, 1_201)).toEqual(['1200 calls, not 1201']);
  });

  it.each<[string, Partial<CallsRun>, string]>([
    ['a problem', { problems: [{ rule: 'twice', detail: '' }] }, 'twice: 1'],
    ['a violation', { violations: [{ rule: 'x', detail: '' }] }, 'violations at the wire: 1'],
    ['a process that ended', { ownDeaths: ['api'] }, 'processes that ended by themselves: 1'],
    [
      'answers that arrived',
      { answers: { given: 4_000, lost: 700, down: 0 } },
      '1900 of 8000 answers were lost, which is too few',
    ],
  ])('is not enough with %s in one of them', (_, change, problem) => {
    expect(shortfalls(line(1), line(2, change))).toEqual([problem]);
  });

  it('is not enough in fair weather', () => {
    expect(
      shortfalls(line(1, { faults: {}, lies: {}, kills: 0 }), line(2, { faults: {}, lies: {}, kills: 0 })),
    ).toEqual(['no forks', 'no lies', 'no kills']);
  });
});

describe('a report', () => {
  it('keeps each run, and counts one that is in two files once', () => {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    appendReport(one, line(1));
    appendReport(one, line(2));
    appendReport(other, line(2));
    appendReport(other, line(3));
    expect(readReports([one, other])).toEqual([line(1), line(2), line(3)]);
  });

  it('is refused where a line is no run', () => {
    const file = join(folder, 'broken');
    appendReport(file, line(1));
    writeFileSync(file, '{"calls": 10000}\n', { flag: 'a' });
    expect(() => readReports([file])).toThrow(`${file}, line 2: expected the numbers of one run`);
  });

  it('is added up by a command that exits 1 where the calls are too few', () => {
    const file = join(folder, 'command');
    appendReport(file, line(1));
    appendReport(file, line(2));
    const ask = (...args: readonly string[]) =>
      spawnSync(
        process.execPath,
        ['--import', './scripts/register.mjs', 'scripts/torture-add-up.ts', ...args],
        {
          encoding: 'utf8',
        },
      );
    const enough = ask(file, '--least', '1200');
    expect([enough.status, enough.stderr]).toEqual([0, '']);
    expect(JSON.parse(enough.stdout)).toMatchObject({ runs: 2, calls: 1_200, forks: 180 });
    const few = ask(file, '--least', '10000');
    expect([few.status, few.stdout.split('\n').at(-2)]).toEqual([1, 'PROBLEM 1200 calls, not 10000']);
    const missing = ask(join(folder, 'none'));
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('no such file')]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeLine } from '../../../src/engine/signing/rules/line.ts';
import { lineSeal } from '../../../src/platform/journal/line-seal.ts';
import { readSegment } from '../../../src/platform/journal/read-segment.ts';
import { segmentPath, segmentsIn } from '../../../src/platform/journal/segments.ts';
import { signedEntry } from '../../conformance/journal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'segments-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the segments of a folder', () => {
  it('are those of one book, oldest first, and an original beside its packed copy counts once', async () => {
    const [first, second] = [segmentPath(folder, 'journal', 1, 100), segmentPath(folder, 'journal', 20, 200)];
    const others = [`${segmentPath(folder, 'keybook', 1, 100)}`, `${first}.torn`, `${second}.gz.part`];
    for (const path of [second, first, `${first}.gz`, ...others]) writeFileSync(path, '');
    expect(await segmentsIn(folder, 'journal')).toEqual([
      { path: first, firstSeq: 1, begunAt: 100 },
      { path: second, firstSeq: 20, begunAt: 200 },
    ]);
    rmSync(first);
    expect((await segmentsIn(folder, 'journal'))[0]?.path).toBe(`${first}.gz`);
  });
});

describe('a segment with a torn end', () => {
  const seal = lineSeal(Buffer.alloc(32, 7));
  const { line } = writeLine(seal, { seq: 1, epoch: 0, at: 0, prev: '', entry: signedEntry(1) });
  const bytes = Buffer.from(`${line}\n{"v":1`);
  const given = { path: 'journal', seal, last: null };

  it('is read to its last whole line where it is the newest', () => {
    const { records, wholeBytes } = readSegment(bytes, { ...given, mayBeTorn: true });
    expect(records).toHaveLength(1);
    expect(wholeBytes).toBe(line.length + 1);
  });

  it('is broken anywhere else', () => {
    expect(() => readSegment(bytes, { ...given, mayBeTorn: false })).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_BROKEN',
        details: { file: 'journal', after: 1, cause: 'a line was changed or cut' },
      }),
    );
  });
});

import { expect, it } from 'vitest';
import { createKeyedNotes } from '../../../src/engine/signing/rules/keyed-notes.ts';

const DAY = 86_400_000;

it('the end of a key is written again before the journal’s start is forgotten, and forgotten after the key is over', () => {
  const notes = createKeyedNotes();
  const line = { kind: 'key-ended', keyId: 'k', until: 90 * DAY } as const;
  notes.apply(line, 0);
  expect(notes.due(0, 20 * DAY)).toEqual([]);
  expect(notes.due(1, 20 * DAY)).toEqual([line]);
  expect(notes.due(19 * DAY, 20 * DAY)).toEqual([]);
  notes.forget(89 * DAY, 90 * DAY);
  expect([notes.isEnded('k'), notes.isEnded('other')]).toEqual([true, false]);
  notes.forget(92 * DAY, 92 * DAY);
  expect(notes.isEnded('k')).toBe(false);
});

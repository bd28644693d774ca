import { expect, it } from 'vitest';
import { storedWord } from '../../../src/platform/db/stored-word.ts';

const PLACE = { table: 'mails', row: '7', field: 'template' };

it('takes a word that is known, and names the row of any other', () => {
  expect(storedWord(['a', 'b'], 'b', PLACE)).toBe('b');
  expect(() => storedWord(['a', 'b'], 'toString', PLACE)).toThrow(
    expect.objectContaining({ code: 'ROW_INVALID', details: { ...PLACE, expected: 'one of a, b' } }),
  );
});

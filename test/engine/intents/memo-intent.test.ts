import { describe, expect, it } from 'vitest';
import { intentIdOfMemo, intentIdOfMemos } from '../../../src/engine/intents/rules/memo-intent.ts';
import { INTENT_ID } from './build.ts';

describe('the intent in memos', () => {
  it('is the first whole memo that is an id', () => {
    const later = `0${INTENT_ID.slice(1, 25)}Z`;
    expect(intentIdOfMemos(['hello', INTENT_ID, later])).toBe(INTENT_ID);
    expect(intentIdOfMemos([`[26] ${INTENT_ID}`, `${INTENT_ID} `, INTENT_ID.toLowerCase()])).toBeNull();
    expect(intentIdOfMemos([])).toBeNull();
  });
});

describe('the intent in a memo', () => {
  it('is found alone and among others', () => {
    expect(intentIdOfMemo(`[26] ${INTENT_ID}`)).toBe(INTENT_ID);
    expect(intentIdOfMemo(`[5] hello; [26] ${INTENT_ID}; [2] hi`)).toBe(INTENT_ID);
    expect(intentIdOfMemo(`[26] ${'!'.repeat(26)}; [26] ${INTENT_ID}`)).toBe(INTENT_ID);
  });

  it.each([
    ['no memo', null],
    ['nothing', ''],
    ['an id without its length', INTENT_ID],
    ['something before it', `x[26] ${INTENT_ID}`],
    ['something after it', `[26] ${INTENT_ID}x`],
    ['another length', `[27] ${INTENT_ID}`],
    ['lower case', `[26] ${INTENT_ID.toLowerCase()}`],
    ['a letter no id has', `[26] ${INTENT_ID.slice(0, 25)}U`],
    ['a first digit no time reaches', `[26] 8${INTENT_ID.slice(1)}`],
    ['25 letters', `[26] ${INTENT_ID.slice(1)}`],
    ['a joint without its blank', `[2] hi;[26] ${INTENT_ID}`],
  ])('is not in %s', (_, memo) => {
    expect(intentIdOfMemo(memo)).toBeNull();
  });
});

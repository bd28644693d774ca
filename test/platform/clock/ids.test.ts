import { describe, expect, it } from 'vitest';
import { randomIds } from '../../../src/platform/clock/ids.ts';

describe('randomIds', () => {
  it('makes ULIDs that sort by creation, within a millisecond and when the clock steps back', () => {
    const times = [5_000, 5_000, 5_000, 4_000, 6_000];
    const ids = randomIds(() => times.shift() ?? 7_000);
    const made = Array.from({ length: 200 }, () => ids.ulid());
    expect(made).toEqual(made.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(new Set(made).size).toBe(200);
    for (const id of made) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('writes the time as the specification says', () => {
    expect(
      randomIds(() => 1_469_918_176_385)
        .ulid()
        .slice(0, 10),
    ).toBe('01ARYZ6S41');
  });

  it('makes tokens of 16 random bytes and codes without look-alikes', () => {
    const ids = randomIds(() => 1);
    expect(ids.token()).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(ids.token()).not.toBe(ids.token());
    expect(ids.code(500)).toMatch(/^[2-9A-HJKMNP-Z]{500}$/);
  });
});

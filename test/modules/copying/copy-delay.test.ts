import { describe, expect, it } from 'vitest';
import { copyDelaySlots } from '../../../src/modules/copying/rules/copy-delay.ts';
import { decidePapers } from '../../../src/modules/copying/use/paper-copies.ts';

const many = (slots: number, count: number): number[] => Array.from({ length: count }, () => slots);

describe('the delay of a copy', () => {
  it('is the median of the desk’s own copies', () => {
    expect(copyDelaySlots([...many(2, 10), ...many(9, 9), 40])).toBe(2);
    expect(copyDelaySlots([...many(2, 9), ...many(9, 11)])).toBe(9);
  });

  it('is three slots where fewer than twenty were measured, and one at least', () => {
    expect(copyDelaySlots([])).toBe(3);
    expect(copyDelaySlots([...many(9, 19), -1])).toBe(3);
    expect(copyDelaySlots(many(0, 20))).toBe(1);
  });
});

describe('a copy on paper', () => {
  it('waits for the price after the measured delay', async () => {
    const asked: number[] = [];
    const slotMs = 250;
    const now = 1_000_000;
    const deps = {
      db: {
        copies: { slotsBehind: async (limit: number) => many(7, limit) },
        paperCopies: {
          isAny: async () => true,
          undecided: async (atMost: number) => {
            asked.push(atMost);
            return [];
          },
        },
      },
      chain: { slotMs: () => slotMs },
      clock: { now: () => now },
    };
    expect(await decidePapers(deps as never)).toBe(true);
    expect(asked).toEqual([now - 7 * slotMs]);
  });
});

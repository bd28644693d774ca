import { describe, expect, it } from 'vitest';
import { oldestSlot } from '../../../../src/platform/chain/transaction-source/oldest-slot.ts';

describe('the oldest slot of a node', () => {
  it.each([
    [0, 1n],
    [1, 1n],
    [400_000_123, 400_000_123n],
  ])('that answers %d is %d', async (answer, slot) => {
    const asked: string[] = [];
    const oldest = await oldestSlot(async (method) => {
      asked.push(method);
      return answer;
    });
    expect([asked, oldest]).toEqual([['getFirstAvailableBlock'], slot]);
  });
});

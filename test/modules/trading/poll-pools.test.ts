import { type Address, addressFromBytes } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPollFeed } from '../../../src/modules/trading/use/poll-pools.ts';

const keyOf = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const [MINT, OTHER, POOL, FOREIGN] = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)];

/** A feed over pools of which no state matters: each look is written down with its time in milliseconds. */
function createRig(perSecond = 100) {
  const looks: { readonly mint: Address; readonly at: number }[] = [];
  const listeners: ((pools: ReadonlySet<Address>) => void)[] = [];
  const feed = createPollFeed({
    load: async (mint) => {
      looks.push({ mint, at: performance.now() });
      const pools = [{ id: mint === MINT ? POOL : FOREIGN, slot: 1n } as Pool];
      return { pools, unasked: [], searching: [] };
    },
    clock: { now: () => Date.now(), mark: () => ({ steadyMs: performance.now() }) },
    perSecond,
    changes: { onChange: (listener) => void listeners.push(listener) },
    onProblem: (_mint, error) => {
      throw error;
    },
  });
  return {
    feed,
    looksOf: (mint: Address) => looks.filter((look) => look.mint === mint).map(({ at }) => at),
    change: (...pools: readonly Address[]) => {
      for (const listener of listeners) listener(new Set(pools));
    },
  };
}

describe('createPollFeed', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] }),
  );
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['far away', 1_001, 2],
    ['within ten percent', 1_000, 10],
    ['within two percent', 200, 25],
    ['in an open window', 0, 50],
  ])('looks at a token whose trigger is %s as often as its price may matter', async (_name, near, count) => {
    const { feed, looksOf } = createRig();
    feed.watch(new Map([[MINT, near]]));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(looksOf(MINT)).toHaveLength(count);
    await feed.stop();
  });

  it('looks at a far token within a second of a change of its pools, and at no other', async () => {
    const { feed, looksOf, change } = createRig();
    feed.watch(
      new Map([
        [MINT, 5_000],
        [OTHER, 5_000],
      ]),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    change(POOL);
    await vi.advanceTimersByTimeAsync(100);
    expect(looksOf(MINT)).toHaveLength(2);
    expect(looksOf(OTHER)).toHaveLength(1);
    // One that changes in each slot is looked at once a second, not once a slot.
    for (let slots = 0; slots < 25; slots += 1) {
      change(POOL);
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(looksOf(MINT)).toHaveLength(7);
    await feed.stop();
  });

  it('does not take a change for one that its last look has seen', async () => {
    const { feed, looksOf, change } = createRig();
    feed.watch(new Map([[MINT, 1_000]]));
    await vi.advanceTimersByTimeAsync(500);
    change(POOL);
    await vi.advanceTimersByTimeAsync(50);
    expect(looksOf(MINT)).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(900);
    expect(looksOf(MINT)).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(looksOf(MINT)).toHaveLength(3);
    await feed.stop();
  });

  it('keeps its budget however many pools change, the nearest token first', async () => {
    const { feed, looksOf, change } = createRig(2);
    feed.watch(
      new Map([
        [MINT, 0],
        [OTHER, 1_000],
      ]),
    );
    for (let slots = 0; slots < 50; slots += 1) {
      change(POOL, FOREIGN);
      await vi.advanceTimersByTimeAsync(200);
    }
    const [near, far] = [looksOf(MINT).length, looksOf(OTHER).length];
    expect(near + far).toBeLessThanOrEqual(22);
    expect(near).toBeGreaterThan(far);
    await feed.stop();
  });
});

import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { FireOutcome } from '../../../src/modules/orders/use/fire-order.ts';
import { createFireQueue, type Fire } from '../../../src/modules/orders/use/fire-queue.ts';
import { TOKEN } from '../trading/build-pool.ts';

const OTHER = 'So11111111111111111111111111111111111111112' as Address;
const NAMES = Array.from({ length: 40 }, (_, n) => `order-${String(n).padStart(2, '0')}`);

/** A queue whose fires end when the test says so, and whose intents are signed when it says so. */
function queueOf({ answer }: { readonly answer?: (fire: Fire) => FireOutcome } = {}) {
  let now = 0;
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const signed = new Set<string>();
  let turn: Promise<void> | null = null;
  /** Whoever waits now is answered in one go, as a driver answers several questions at once. */
  const together = (): Promise<void> => {
    turn ??= new Promise((resolve) =>
      setImmediate(() => {
        turn = null;
        resolve();
      }),
    );
    return turn;
  };
  const queue = createFireQueue({
    clock: { now: () => now },
    chain: { slotMs: () => 400 },
    pause: together,
    db: {
      intents: {
        find: async (id: string) => {
          await together();
          return { id, status: signed.has(id) ? 'SIGNED' : 'CREATED' } as unknown as Intent;
        },
      },
    },
    log: { warn: () => undefined },
    fire: async (fire) => {
      begun.push(fire.orderId);
      await new Promise<void>((resolve) => ends.set(fire.orderId, resolve));
      return answer?.(fire) ?? { kind: 'fired', intentId: `intent of ${fire.orderId}` };
    },
  });
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 60; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    queue,
    begun,
    add: (orderId: string, mint = TOKEN) => queue.add(mint, { orderId, slot: 1n, high: null }),
    /** Ends fires until none is under way that was not refused a place. */
    endAll: async (): Promise<void> => {
      for (;;) {
        await settle();
        if (ends.size === 0) return;
        for (const [id, end] of ends) {
          ends.delete(id);
          end();
        }
      }
    },
    end: async (orderId: string): Promise<void> => {
      ends.get(orderId)?.();
      ends.delete(orderId);
      await settle();
    },
    sign: (orderId: string) => void signed.add(`intent of ${orderId}`),
    settle,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('the queue of fires', () => {
  it('fires two of a token at once, the oldest first, and another token beside them', async () => {
    const { add, begun, end, settle } = queueOf();
    add(NAMES[0] ?? '');
    for (const name of NAMES.slice(1, 8).toReversed()) add(name);
    add('another', OTHER);
    await settle();
    expect(begun).toEqual(expect.arrayContaining(['another']));
    expect(begun.filter((id) => id !== 'another').toSorted()).toEqual(NAMES.slice(0, 2));
    await end(NAMES[1] ?? '');
    expect(begun.at(-1)).toBe(NAMES[2]);
  });

  it('lets no more than sixteen be unsigned, those that are being fired among them', async () => {
    const { add, begun, endAll, sign } = queueOf();
    for (const name of NAMES) add(name);
    await endAll();
    expect(begun).toHaveLength(16);
    for (const [nth, name] of NAMES.slice(0, 9).entries()) {
      sign(name);
      await endAll();
      expect(begun).toHaveLength(17 + nth);
    }
  });

  it('goes on after a while where children are stuck', async () => {
    const { add, begun, endAll, pass } = queueOf();
    for (const name of NAMES) add(name);
    await endAll();
    expect(begun).toHaveLength(16);
    pass(5_000);
    await endAll();
    expect(begun.length).toBeGreaterThan(16);
  });

  it('never fires one order twice at once, and takes it again afterwards', async () => {
    const { add, begun, end, settle } = queueOf({ answer: () => ({ kind: 'gone' }) });
    add('one');
    await settle();
    add('one');
    add('two');
    await settle();
    expect(begun).toEqual(['one', 'two']);
    await end('one');
    expect(begun).toEqual(['one', 'two']);
    add('one');
    await settle();
    expect(begun).toEqual(['one', 'two', 'one']);
  });

  it('leaves one that was held back for a few slots', async () => {
    const { add, begun, end, pass, settle } = queueOf({
      answer: () => ({ kind: 'held-back', code: 'floor' }),
    });
    add('one');
    await settle();
    await end('one');
    add('one');
    await settle();
    expect(begun).toEqual(['one']);
    pass(60_000);
    add('one');
    await settle();
    expect(begun).toEqual(['one', 'one']);
  });

  it('waits longer after each refusal, and as after a first one when the last is a minute ago', async () => {
    const { add, begun, end, pass, settle } = queueOf({
      answer: () => ({ kind: 'held-back', code: 'unreachable' }),
    });
    const isTakenAfter = async (ms: number): Promise<boolean> => {
      const before = begun.length;
      pass(ms);
      add('one');
      await settle();
      await end('one');
      return begun.length > before;
    };
    expect(await isTakenAfter(0)).toBe(true);
    for (const ms of [400, 800, 1_600]) {
      expect(await isTakenAfter(ms - 1)).toBe(false);
      expect(await isTakenAfter(1)).toBe(true);
    }
    expect(await isTakenAfter(3_200 + 60_001)).toBe(true);
    expect(await isTakenAfter(400)).toBe(true);
  });

  it('is busy until the last one ended, and stops when those that are under way have ended', async () => {
    const { queue, add, begun, endAll, settle } = queueOf();
    for (const name of NAMES.slice(0, 6)) add(name);
    await settle();
    expect(queue.isBusy(TOKEN)).toBe(true);
    let hasStopped = false;
    const stopped = queue.stop().then(() => {
      hasStopped = true;
    });
    await settle();
    expect(hasStopped).toBe(false);
    await endAll();
    await stopped;
    expect(begun).toHaveLength(2);
    expect(queue.isBusy(TOKEN)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import type { ChangedOrder } from '../../../src/modules/orders/store/order-store-port.ts';
import { followChanges } from '../../../src/modules/orders/use/follow-changes.ts';

const START = 1_700_000_000_000;
/** Of the server's clock, in microseconds. */
const BEGIN = 1_700_000_000_000_000n;

/** A table of changes that transactions are committed to, in any order; and a follower of it. */
function following() {
  const rows: { readonly id: string; readonly seq: bigint }[] = [];
  const told: string[] = [];
  let now = START;
  let reads = 0;
  const follower = followChanges(
    {
      newestSeq: async () => rows.reduce((most, { seq }) => (seq > most ? seq : most), 0n),
      changedSince: async ({ seq, id }, limit) => {
        reads += 1;
        return rows
          .filter((one) => one.seq > seq || (one.seq === seq && one.id > id))
          .toSorted((a, b) => Number(a.seq - b.seq) || (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map((one) => ({ order: { id: one.id }, seq: one.seq }) as unknown as ChangedOrder);
      },
    },
    { now: () => now },
  );
  return {
    told,
    commit: (id: string, ms: number) => {
      const before = rows.findIndex((one) => one.id === id);
      if (before >= 0) rows.splice(before, 1);
      rows.push({ id, seq: BEGIN + BigInt(Math.round(ms * 1_000)) });
    },
    begin: () => follower.begin(),
    read: async (ms: number) => {
      now = START + ms;
      const from = told.length;
      await follower.read(async (changes) => {
        told.push(...changes.map(({ order }) => order.id));
      });
      return told.slice(from);
    },
    readings: () => reads,
  };
}

describe('changes of orders', () => {
  it('are told once each, however many there are in one moment', async () => {
    const { commit, begin, read } = following();
    await begin();
    const ids = Array.from({ length: 2_500 }, (_, n) => `order-${String(n).padStart(4, '0')}`);
    for (const id of ids) commit(id, 10);
    expect(await read(20)).toEqual(ids);
    expect(await read(40)).toEqual([]);
    commit('order-0001', 50);
    expect(await read(60)).toEqual(['order-0001']);
  });

  it('are told when they were committed later than younger ones', async () => {
    const { commit, begin, read } = following();
    await begin();
    commit('young', 2_900);
    expect(await read(2_950)).toEqual(['young']);
    // Written at the beginning, in a transaction that ends now.
    commit('late', 0);
    expect(await read(3_000)).toEqual(['late']);
  });

  it('are told when they were committed late, though nothing changed meanwhile', async () => {
    const { commit, begin, read } = following();
    commit('old', 0);
    await begin();
    for (let ms = 0; ms < 3_000; ms += 250) expect(await read(ms)).toEqual(ms === 0 ? ['old'] : []);
    commit('late', -1);
    expect(await read(3_000)).toEqual(['late']);
    commit('next', 60_000);
    expect(await read(60_000)).toEqual(['next']);
  });

  it('are not read again and again once all is quiet', async () => {
    const { commit, begin, read, readings } = following();
    await begin();
    for (let n = 0; n < 1_500; n += 1) commit(`order-${n}`, 10);
    for (let ms = 20; ms < 10_000; ms += 250) await read(ms);
    const before = readings();
    for (let ms = 10_000; ms < 20_000; ms += 250) await read(ms);
    expect(readings() - before).toBe(40);
  });

  it('are told again where they could not be taken', async () => {
    const told: string[] = [];
    const follower = followChanges(
      {
        newestSeq: async () => 0n,
        changedSince: async () => [{ order: { id: 'one' }, seq: BEGIN } as unknown as ChangedOrder],
      },
      { now: () => START },
    );
    const away = follower.read(async () => {
      throw new Error('away');
    });
    await expect(away).rejects.toThrow('away');
    await follower.read(async (changes) => {
      told.push(...changes.map(({ order }) => order.id));
    });
    expect(told).toEqual(['one']);
  });
});

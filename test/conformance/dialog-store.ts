import { beforeAll, expect, it } from 'vitest';
import type { DialogStore } from '../../src/platform/ports/dialog-store.ts';

/** A store and how time passes for it. */
export type DialogStoreUnderTest = { readonly store: DialogStore; pass(ms: number): Promise<void> };

export function describeDialogStore(make: () => Promise<DialogStoreUnderTest>): void {
  let store: DialogStore;
  let pass: (ms: number) => Promise<void>;
  beforeAll(async () => {
    const made = await make();
    store = made.store;
    pass = (ms) => made.pass(ms);
  });
  let serial = 0;
  const newKey = () => {
    serial += 1;
    return `bot:${process.pid}:${serial}`;
  };

  it('keeps the value and counts its revisions', async () => {
    const key = newKey();
    const value = JSON.stringify({ text: 'héllo <b> 名 \\ "quoted"' });
    expect(await store.read(key)).toBeNull();
    expect(await store.write(key, 0, value, 60)).toBe(true);
    expect(await store.read(key)).toEqual({ revision: 1, value });
    expect(await store.write(key, 1, '{}', 60)).toBe(true);
    expect(await store.read(key)).toEqual({ revision: 2, value: '{}' });
  });

  it('refuses the write of a handler that read an older revision', async () => {
    const key = newKey();
    await store.write(key, 0, 'a', 60);
    expect(await store.write(key, 0, 'b', 60)).toBe(false);
    expect(await store.write(key, 2, 'b', 60)).toBe(false);
    expect(await store.read(key)).toEqual({ revision: 1, value: 'a' });
  });

  it('lets one of twenty handlers write', async () => {
    const key = newKey();
    await store.write(key, 0, 'start', 60);
    for (const revision of [1, 2]) {
      const wrote = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.write(key, revision, `${i}`, 60)),
      );
      expect(wrote.filter(Boolean)).toHaveLength(1);
    }
    const fresh = newKey();
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.write(fresh, 0, `${i}`, 60)),
    );
    expect(created.filter(Boolean)).toHaveLength(1);
  });

  it('starts afresh after a deletion', async () => {
    const key = newKey();
    await store.write(key, 0, 'a', 60);
    await store.delete(key);
    expect(await store.read(key)).toBeNull();
    expect(await store.write(key, 1, 'b', 60)).toBe(false);
    expect(await store.write(key, 0, 'b', 60)).toBe(true);
    await store.delete(newKey());
  });

  it('forgets a value after its time, and takes the key again', async () => {
    const key = newKey();
    await store.write(key, 0, 'old', 1);
    await pass(1_100);
    expect(await store.read(key)).toBeNull();
    expect(await store.write(key, 1, 'stale', 60)).toBe(false);
    expect(await store.write(key, 0, 'new', 60)).toBe(true);
    await store.sweep();
    expect(await store.read(key)).toEqual({ revision: 1, value: 'new' });
  });

  it('takes 96 kB and refuses one byte more', async () => {
    await store.write(newKey(), 0, 'x'.repeat(98_304), 60);
    await expect(store.write(newKey(), 0, `${'x'.repeat(98_303)}é`, 60)).rejects.toBeInstanceOf(RangeError);
  });

  it('gives a lock to one of twenty, and to the next when it is released', async () => {
    const key = newKey();
    const locks = await Promise.all(Array.from({ length: 20 }, () => store.lock(key, 60_000)));
    const held = locks.filter((lock) => lock !== null);
    expect(held).toHaveLength(1);
    await held[0]?.release();
    expect(await store.lock(key, 60_000)).not.toBeNull();
  });

  it('ends a lock with its time, and lets the late holder free nobody else’s', async () => {
    const key = newKey();
    const late = await store.lock(key, 50);
    await pass(100);
    const next = await store.lock(key, 60_000);
    expect(next).not.toBeNull();
    await late?.release();
    expect(await store.lock(key, 60_000)).toBeNull();
    await next?.release();
    expect(await store.lock(key, 60_000)).not.toBeNull();
  });

  it('lets one of twenty claim an update, and skips it once it is done', async () => {
    const key = newKey();
    const claims = await Promise.all(Array.from({ length: 20 }, () => store.claimUpdate(key, 60_000)));
    expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1);
    expect(claims.filter((claim) => claim === 'busy')).toHaveLength(19);
    await store.finishUpdate(key);
    expect(await store.claimUpdate(key, 60_000)).toBe('done');
  });

  it('lets an update be tried three times and then calls it poison, until it is given up', async () => {
    const key = newKey();
    for (let run = 1; run <= 3; run += 1) {
      expect(await store.claimUpdate(key, 50)).toBe('claimed');
      await pass(100);
    }
    expect(await store.claimUpdate(key, 50)).toBe('poison');
    expect(await store.claimUpdate(key, 50)).toBe('poison');
    await store.finishUpdate(key);
    expect(await store.claimUpdate(key, 50)).toBe('done');
  });

  it('counts an update that was handled without a claim as done', async () => {
    const key = newKey();
    await store.finishUpdate(key);
    expect(await store.claimUpdate(key, 50)).toBe('done');
  });
}

import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { IdempotencyStore } from '../../src/modules/keys/store/idempotency-store-port.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const NOW = 1_700_000_000_000;
const LEASE = NOW + 60_000;
const at = (now: number) => ({ now, leaseUntil: now + 60_000 });

/** The rules of a store of kept answers. */
export function describeIdempotencyStore(make: () => Promise<IdempotencyStore>): void {
  let store: IdempotencyStore;
  let count = 0;
  beforeAll(async () => {
    store = await make();
  });
  const fresh = (more: { readonly requestHash?: string; readonly owner?: string } = {}) => {
    count += 1;
    return { scope: hash(`caller ${count}`), key: 'k', requestHash: hash('body'), owner: 'first', ...more };
  };

  it('lets exactly one of many start', async () => {
    const request = fresh();
    const starts = await Promise.all(
      Array.from({ length: 12 }, (_, n) => store.start({ ...request, owner: `run ${n}` }, at(NOW))),
    );
    expect(starts.filter(({ kind }) => kind === 'started')).toHaveLength(1);
    expect(starts.filter(({ kind }) => kind === 'running')).toHaveLength(11);
  });

  it('gives the first answer again until it expires, and then starts anew', async () => {
    const request = fresh();
    await store.start(request, at(NOW));
    await store.finish(request, '{"tx":"ü"}', NOW + 1_000);
    const again = { ...request, owner: 'second' };
    expect(await store.start(again, at(NOW + 999))).toEqual({ kind: 'answered', answer: '{"tx":"ü"}' });
    expect(await store.start(again, at(NOW + 1_000))).toEqual({ kind: 'started' });
  });

  it('refuses another request under the same key, running or answered', async () => {
    const request = fresh();
    const other = { ...request, requestHash: hash('other body'), owner: 'second' };
    await store.start(request, at(NOW));
    expect(await store.start(other, at(NOW))).toEqual({ kind: 'conflict' });
    await store.finish(request, '1', LEASE);
    expect(await store.start(other, at(NOW))).toEqual({ kind: 'conflict' });
  });

  it('keeps scopes and keys apart', async () => {
    const request = fresh();
    await store.start(request, at(NOW));
    expect((await store.start({ ...request, key: 'other' }, at(NOW))).kind).toBe('started');
    expect((await store.start({ ...request, scope: hash('nobody else') }, at(NOW))).kind).toBe('started');
  });

  it('forgets an abandoned run, but never an answer', async () => {
    const request = fresh();
    await store.start(request, at(NOW));
    await store.abandon(request);
    expect(await store.start({ ...request, owner: 'second' }, at(NOW))).toEqual({ kind: 'started' });
    await store.finish({ ...request, owner: 'second' }, '2', LEASE);
    await store.abandon({ ...request, owner: 'second' });
    expect(await store.start(request, at(NOW))).toEqual({ kind: 'answered', answer: '2' });
  });

  it('lets another take over when the lease has ended, and hears the late one no more', async () => {
    const late = fresh();
    await store.start(late, at(NOW));
    const next = { ...late, owner: 'second' };
    expect((await store.start(next, at(LEASE - 1))).kind).toBe('running');
    expect((await store.start(next, at(LEASE))).kind).toBe('started');
    await store.finish(late, 'late', LEASE + 100_000);
    await store.abandon(late);
    expect((await store.start(late, at(LEASE))).kind).toBe('running');
    await store.finish(next, 'good', LEASE + 100_000);
    expect(await store.start(late, at(LEASE))).toEqual({ kind: 'answered', answer: 'good' });
  });
}

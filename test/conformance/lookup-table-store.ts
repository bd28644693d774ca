import { randomBytes } from 'node:crypto';
import { addressFromBytes } from '@tradepost/solana';
import { beforeAll, expect, it } from 'vitest';
import type { OwnTable } from '../../src/engine/lookup-tables/rules/own-table.ts';
import type { LookupTableStore } from '../../src/engine/lookup-tables/store-port.ts';

const NOW = 1_700_000_000_000;
const fresh = () => addressFromBytes(new Uint8Array(randomBytes(32)));

/** The rules of the store of the operator's lookup tables. */
export function describeLookupTableStore(make: () => Promise<LookupTableStore>): void {
  let store: LookupTableStore;
  beforeAll(async () => {
    store = await make();
  });
  const stored = async (more: Partial<OwnTable> = {}): Promise<OwnTable> => {
    const table = {
      address: fresh(),
      authority: fresh(),
      entries: [],
      createdAt: NOW,
      closingAt: null,
      ...more,
    };
    expect(await store.insert(table)).toBe(true);
    return table;
  };
  const read = async ({ address }: OwnTable) =>
    (await store.list()).find((table) => table.address === address);

  it('keeps a table as it was, once', async () => {
    const [empty, full] = [await stored(), await stored({ entries: [fresh(), fresh()], closingAt: NOW + 1 })];
    expect(await read(empty)).toEqual(empty);
    expect(await read(full)).toEqual(full);
    expect(await store.insert(empty)).toBe(false);
  });

  it('adds entries behind those that are known, and nowhere else', async () => {
    const table = await stored();
    const [a, b, c] = [fresh(), fresh(), fresh()];
    expect(await store.append(table.address, 0, [a, b])).toBe(true);
    expect(await store.append(table.address, 0, [c])).toBe(false);
    expect(await store.append(table.address, 2, [c])).toBe(true);
    expect((await read(table))?.entries).toEqual([a, b, c]);
    expect(await store.append(fresh(), 0, [a])).toBe(false);
  });

  it('adds for one of two that add at once', async () => {
    const table = await stored();
    const added = await Promise.all([1, 2, 3].map(() => store.append(table.address, 0, [fresh()])));
    expect(added.filter(Boolean)).toHaveLength(1);
  });

  it('takes no entry more than a table holds', async () => {
    const table = await stored({ entries: Array.from({ length: 256 }, fresh) });
    await expect(store.append(table.address, 256, [fresh()])).rejects.toThrow();
  });

  it('adds nothing to a table that is closing, keeps the first date, and forgets it', async () => {
    const table = await stored();
    await store.markClosing(table.address, NOW + 5);
    await store.markClosing(table.address, NOW + 9);
    expect(await read(table)).toEqual({ ...table, closingAt: NOW + 5 });
    expect(await store.append(table.address, 0, [fresh()])).toBe(false);
    await store.remove(table.address);
    expect(await read(table)).toBeUndefined();
  });
}

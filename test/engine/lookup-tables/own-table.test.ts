import { addressBytes, LOOKUP_TABLE_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { type OwnTable, ownTableState } from '../../../src/engine/lookup-tables/rules/own-table.ts';
import { addressOf } from '../intents/build.ts';

const ENTRIES = [1, 2, 3].map((n) => addressOf(100 + n));
const AUTHORITY = addressOf(90);
const own = (more: Partial<OwnTable> = {}): OwnTable => ({
  address: addressOf(200),
  authority: AUTHORITY,
  entries: ENTRIES,
  createdAt: 0,
  closingAt: null,
  ...more,
});

function account({
  entries = ENTRIES,
  authority = AUTHORITY,
  hasAuthority = true,
  closing = 2n ** 64n - 1n,
} = {}) {
  const data = new Uint8Array(56 + entries.length * 32);
  const view = new DataView(data.buffer);
  view.setUint32(0, 1, true);
  view.setBigUint64(4, closing, true);
  view.setBigUint64(12, 10n, true);
  view.setUint8(20, 1);
  view.setUint8(21, hasAuthority ? 1 : 0);
  if (hasAuthority) data.set(addressBytes(authority), 22);
  for (const [index, entry] of entries.entries()) data.set(addressBytes(entry), 56 + index * 32);
  return { lamports: 1n, owner: LOOKUP_TABLE_PROGRAM, data, executable: false };
}

describe('ownTableState', () => {
  it('gives what the chain and the record agree on, as far as it may be used', () => {
    expect(ownTableState(own(), account(), 11n)).toEqual({
      kind: 'usable',
      table: { address: addressOf(200), entries: ENTRIES },
    });
    expect(ownTableState(own(), account(), 10n)).toMatchObject({ table: { entries: ENTRIES.slice(0, 1) } });
    // Written down, and not on the chain yet.
    const begun = account({ entries: ENTRIES.slice(0, 2) });
    expect(ownTableState(own(), begun, 11n)).toMatchObject({ table: { entries: ENTRIES.slice(0, 2) } });
    expect(ownTableState(own(), account({ hasAuthority: false }), 11n).kind).toBe('usable');
  });

  it.each([
    ['another address at an index', account({ entries: [addressOf(101), addressOf(66), addressOf(103)] })],
    [
      'two entries that changed places',
      account({ entries: [addressOf(102), addressOf(101), addressOf(103)] }),
    ],
    ['an entry that nobody wrote down', account({ entries: [...ENTRIES, addressOf(66)] })],
    ['another authority', account({ authority: addressOf(66) })],
  ])('calls it changed when the chain shows %s', (_what, shown) => {
    expect(ownTableState(own(), shown, 11n)).toEqual({ kind: 'changed' });
    // Also where the slot would hide it for now.
    expect(ownTableState(own(), shown, 10n)).toEqual({ kind: 'changed' });
  });

  it('calls it absent when it is not there or being closed', () => {
    expect(ownTableState(own(), null, 11n)).toEqual({ kind: 'absent' });
    expect(ownTableState(own(), account({ closing: 9n }), 11n)).toEqual({ kind: 'absent' });
  });
});

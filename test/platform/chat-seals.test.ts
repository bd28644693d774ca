import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChatSeals } from '../../src/platform/chat-seals.ts';
import type { SealedButton } from '../../src/platform/ports/button-store.ts';
import { sealedButtons } from '../../src/platform/sealed-buttons.ts';
import { sealedDialogs } from '../../src/platform/sealed-dialogs.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeDatabase, writeRow } from '../support/fakes/database.ts';
import { fakeDialogStore } from '../support/fakes/dialog-store.ts';

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** A store whose rows the test may change, with its reports. */
function chat(seals = createChatSeals([key(1)])) {
  const rows = new Map<string, SealedButton>();
  const forged: string[] = [];
  const alive = (id: string): SealedButton | null => rows.get(id) ?? null;
  const buttons = sealedButtons(
    {
      insert: async (given) => {
        for (const row of given) rows.set(row.id, structuredClone(row));
      },
      peek: async (id) => alive(id),
      consume: async (id) => alive(id),
      deleteExpired: async () => 0,
    },
    { seals, onForged: (row) => forged.push(row.key) },
  );
  return { rows, forged, buttons };
}

const BUTTON = {
  id: 'b-1',
  userId: 'u-1',
  action: 'withdraw',
  payload: { v: 1, d: { to: 'Alice', lamports: '500000000', parts: [1, 2, { deep: true }] } },
  expiresAt: 1_000_000,
  usedAt: null,
};

describe('a sealed button', () => {
  it('is believed as it was written', async () => {
    const { buttons, forged } = chat();
    await buttons.insert([BUTTON]);
    expect(await buttons.peek('b-1', 'u-1', 0)).toMatchObject(BUTTON);
    expect(await buttons.consume('b-1', 'u-1', 0)).toMatchObject(BUTTON);
    expect(forged).toEqual([]);
  });

  /** Every column of the row but its use; a new one must be listed here. */
  const CHANGES: { readonly [C in keyof Omit<SealedButton, 'usedAt'>]: readonly SealedButton[C][] } = {
    id: ['b-2'],
    userId: ['u-2'],
    action: ['trade', 'withdraw trade'],
    expiresAt: [1_000_001, 9e12],
    seal: ['', '.', 'ffffffff.AAAA', 'x'.repeat(31)],
    payload: [
      null,
      { v: 1, d: { ...BUTTON.payload.d, to: 'Mallory' } },
      { v: 1, d: { ...BUTTON.payload.d, lamports: '500000001' } },
      { v: 1, d: { ...BUTTON.payload.d, parts: [1, 2, { deep: false }] } },
      { v: 1, d: { ...BUTTON.payload.d, more: 1 } },
      { v: 2, d: BUTTON.payload.d },
    ],
  };
  it.each(Object.entries(CHANGES))(
    'is no button once its %s was changed, and is reported',
    async (column, values) => {
      for (const value of values) {
        const { buttons, rows, forged } = chat();
        await buttons.insert([BUTTON]);
        const row = { ...rows.get('b-1'), [column]: value } as SealedButton;
        rows.set(row.id, row);
        expect(await buttons.peek(row.id, row.userId, 0), `${column} ${JSON.stringify(value)}`).toBeNull();
        expect(await buttons.consume(row.id, row.userId, 0)).toBeNull();
        expect(forged).toEqual([row.id, row.id]);
      }
    },
  );

  it('has another seal for every other payload, and one seal for the same in another order', () => {
    const seals = createChatSeals([key(1)]);
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .map(([name, part]) => [name, turned(part)] as const)
                .toReversed(),
            )
          : value;
    const sealOf = async (payload: unknown): Promise<string> => {
      const { buttons, rows } = chat(seals);
      await buttons.insert([{ ...BUTTON, payload }]);
      return rows.get('b-1')?.seal ?? '';
    };
    return fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (a, b) => {
        expect(await sealOf(turned(a))).toBe(await sealOf(a));
        const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        expect((await sealOf(a)) === (await sealOf(b))).toBe(same);
      }),
    );
  });

  it('works for a day after the key was changed, and not without the former key', async () => {
    const before = chat(createChatSeals([key(1)]));
    await before.buttons.insert([BUTTON]);
    const seal = before.rows.get('b-1')?.seal ?? '';
    const text = 'other text';
    const old = createChatSeals([key(1)]).seal(text);
    expect(createChatSeals([key(2), key(1)]).isSealed(text, old)).toBe(true);
    expect(createChatSeals([key(2)]).isSealed(text, old)).toBe(false);
    expect(seal).toMatch(/^[0-9a-f]{8}\.[\w-]{22}$/);
  });
});

/** With its keys in order, for a comparison by text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (Object.is(value, -0)) return 0;
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { record: parts.map(([name, part]) => [name, sorted(part)]) };
}

describe('a locked dialogue', () => {
  function dialogs() {
    const rows = fakeDialogStore(fakeClock());
    const forged: string[] = [];
    const store = sealedDialogs(rows, {
      seals: createChatSeals([key(1)]),
      onForged: (row) => forged.push(row.key),
    });
    return { rows, store, forged };
  }

  it('is read as it was written, and tells a reader of the database nothing', async () => {
    const { rows, store } = dialogs();
    await store.write('convo:1:2', 0, '{"to":"Alice"}', 60);
    expect(await store.read('convo:1:2')).toEqual({ revision: 1, value: '{"to":"Alice"}' });
    expect((await rows.read('convo:1:2'))?.value).not.toContain('Alice');
  });

  it('is gone, and reported, when it was changed, moved to another person, or is an older copy', async () => {
    const { rows, store, forged } = dialogs();
    await store.write('convo:1:2', 0, 'first', 60);
    const first = (await rows.read('convo:1:2'))?.value ?? '';
    await rows.write('convo:1:3', 0, first, 60);
    expect(await store.read('convo:1:3')).toBeNull();

    await store.write('convo:1:2', 1, 'second', 60);
    await rows.write('convo:1:2', 2, first, 60);
    expect(await store.read('convo:1:2')).toBeNull();
    expect(await rows.read('convo:1:2')).toBeNull();

    await store.write('convo:1:2', 0, 'third', 60);
    const third = (await rows.read('convo:1:2'))?.value ?? '';
    for (const bad of ['', 'plain text', `${third.slice(0, -4)}AAAA`, third.slice(0, 20)]) {
      await rows.delete('convo:1:4');
      await rows.write('convo:1:4', 0, bad, 60);
      expect(await store.read('convo:1:4')).toBeNull();
    }
    expect(forged).toHaveLength(6);
    // Its person starts again.
    expect(await store.write('convo:1:3', 0, 'anew', 60)).toBe(true);
  });

  it('refuses more than 64 kB', async () => {
    const { store } = dialogs();
    await store.write('convo:1:2', 0, 'x'.repeat(65_536), 60);
    await expect(store.write('convo:1:5', 0, 'x'.repeat(65_537), 60)).rejects.toBeInstanceOf(RangeError);
  });
});

describe('a database whose buttons are sealed', () => {
  it('shows no changed button to its person, inside and outside of a transaction', async () => {
    const forged: string[] = [];
    const db = fakeDatabase({
      chat: { seals: createChatSeals([key(1)]), onForged: ({ key: id }) => forged.push(id) },
    });
    await db.buttons.insert([BUTTON]);
    writeRow(db, 'buttons', 'b-1', { payload: { v: 1, d: { to: 'Mallory' } } });
    expect(await db.buttons.peek('b-1', 'u-1', 0)).toBeNull();
    expect(await db.transact(({ buttons }) => buttons.consume('b-1', 'u-1', 0))).toBeNull();
    expect(forged).toEqual(['b-1', 'b-1']);
  });
});

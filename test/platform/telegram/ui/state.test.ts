import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromPlainJson, toPlainJson } from '../../../../src/platform/telegram/ui/plain-json.ts';
import { createButtonStates } from '../../../../src/platform/telegram/ui/state.ts';
import { insertUser } from '../../../support/chat/people.ts';
import { fakeClock } from '../../../support/fakes/clock.ts';
import { fakeDatabase } from '../../../support/fakes/database.ts';
import { fakeIds } from '../../../support/fakes/ids.ts';

describe('plain JSON', () => {
  it('brings bigints and hostile texts back unchanged', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary' }),
        fc.bigInt(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((key) => key !== '$bigint' && key !== '__proto__'),
          tie('node'),
          { maxKeys: 3 },
        ),
      ),
    })).node;
    fc.assert(
      fc.property(value, (given) => {
        expect(fromPlainJson(JSON.parse(JSON.stringify(toPlainJson(given))))).toEqual(given);
      }),
    );
  });
});

describe('button states', () => {
  async function setUp() {
    const db = fakeDatabase();
    const clock = fakeClock();
    const ids = fakeIds();
    const alice = await insertUser(db, ids, 1n);
    const bob = await insertUser(db, ids, 2n);
    return { clock, states: createButtonStates({ buttons: db.buttons, clock, ids }), alice, bob };
  }

  it('belongs to one person and to the features it was issued for', async () => {
    const { states, alice, bob } = await setUp();
    const id = await states.issue({ userId: alice.id, feature: 'trade receipt', payload: { amountIn: 5n } });
    expect(await states.read({ id, userId: alice.id, feature: 'trade' })).toEqual({ amountIn: 5n });
    expect(await states.read({ id, userId: alice.id, feature: 'receipt' })).toEqual({ amountIn: 5n });
    expect(await states.read({ id, userId: alice.id, feature: 'withdraw' })).toBeNull();
    expect(await states.read({ id, userId: bob.id, feature: 'trade' })).toBeNull();
  });

  it('is used once and expires', async () => {
    const { states, alice, clock } = await setUp();
    const id = await states.issue({ userId: alice.id, feature: 'trade', payload: {}, ttlMs: 1_000 });
    const other = await states.issue({ userId: alice.id, feature: 'trade', payload: {}, ttlMs: 1_000 });
    expect(await states.use({ id, userId: alice.id })).toBe(true);
    expect(await states.use({ id, userId: alice.id })).toBe(false);
    expect(await states.read({ id, userId: alice.id, feature: 'trade' })).toBeNull();
    clock.advance(1_001);
    expect(await states.read({ id: other, userId: alice.id, feature: 'trade' })).toBeNull();
  });
});

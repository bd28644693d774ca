import { describe, expect, it } from 'vitest';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { RULES } from '../../../src/engine/intents/kinds/rules.ts';
import { confirmationText, isSameValue } from '../../../src/engine/intents/rules/confirmation.ts';
import { throughRow } from '../../support/through-row.ts';
import { PARAMS } from './build.ts';

const request = (params: unknown, change: object = {}) => ({
  id: 'i1',
  idemKey: 'k1',
  userId: 'u1',
  walletId: 'w1',
  params: params as IntentParams,
  ...change,
});
const text = (params: unknown, change: object = {}): string => confirmationText(request(params, change));

describe('the text that a confirmation is made over', () => {
  it('is this, byte for byte, for ever: rows of older versions are checked by it', () => {
    expect(
      text({
        kind: 'withdraw-sol',
        destination: 'Dest',
        lamports: 18_446_744_073_709_551_615n,
        everything: false,
        tier: 'normal',
      }),
    ).toBe(
      'tradepost/intent/1a6:s2:i1s2:k1s12:withdraw-sols2:u1s2:w1o5:s11:destinations4:Dests10:everythingfs4:kinds12:withdraw-sols8:lamportsi18446744073709551615;s4:tiers6:normal',
    );
    expect(text({ kind: 'buy', a: [null, true, -1.5, [], {}] })).toBe(
      'tradepost/intent/1a6:s2:i1s2:k1s3:buys2:u1s2:w1o2:s1:aa5:ntd-1.5;a0:o0:s4:kinds3:buy',
    );
  });

  it('says the same of what the database gives back, in whatever order it keeps keys', () => {
    for (const params of Object.values(PARAMS)) {
      const stored = throughRow(params);
      expect(text(stored)).toBe(text(params));
      const reversed = Object.fromEntries(Object.entries(params).toReversed());
      expect(text(reversed)).toBe(text(params));
      expect(text({ ...params, later: undefined })).toBe(text(params));
    }
  });

  it.each<[string, unknown, unknown]>([
    ['a number and its text', { kind: 'buy', a: 1 }, { kind: 'buy', a: '1' }],
    ['a number and a bigint', { kind: 'buy', a: 1 }, { kind: 'buy', a: 1n }],
    ['null and absent', { kind: 'buy', a: null }, { kind: 'buy' }],
    ['texts that run together', { kind: 'buy', a: 'x', b: 'yz' }, { kind: 'buy', a: 'xy', b: 'z' }],
    ['a list and its parts', { kind: 'buy', a: ['x', 'y'] }, { kind: 'buy', a: ['xy'] }],
    ['a key and a value that change places', { kind: 'buy', x: 'y' }, { kind: 'buy', y: 'x' }],
    [
      'a text that looks like the next part',
      { kind: 'buy', a: '1:xs1:y' },
      { kind: 'buy', a: '1:x', s1: 'y' },
    ],
    ['false and true', { kind: 'buy', a: false }, { kind: 'buy', a: true }],
  ])('differs for %s', (_, a, b) => {
    expect(text(a)).not.toBe(text(b));
    expect(isSameValue(a, b)).toBe(false);
  });

  it('differs for every other part of the request', () => {
    const texts = [{}, { id: 'x' }, { idemKey: 'x' }, { userId: 'x' }, { walletId: 'x' }].map((change) =>
      text(PARAMS.withdrawSol, change),
    );
    expect(new Set(texts).size).toBe(5);
    // Parts that move over their border.
    expect(text(PARAMS.buy, { id: 'i1k', idemKey: '1' })).not.toBe(
      text(PARAMS.buy, { id: 'i1', idemKey: 'k1' }),
    );
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [new Date(0)], [new Map()], [() => 1], [Symbol('a')]])(
    'is not made of %s',
    (value) => expect(() => text({ kind: 'buy', value })).toThrow(TypeError),
  );

  it('takes -0 and 0 for one number, as JSON does', () => {
    expect(text({ kind: 'buy', a: -0 })).toBe(text({ kind: 'buy', a: 0 }));
  });
});

describe('what it takes to confirm', () => {
  it('is the PIN for whatever sends money to an address, and nobody’s word for payouts', () => {
    expect(RULES).toMatchObject({
      'withdraw-sol': { confirmedBy: 'pin' },
      'withdraw-token': { confirmedBy: 'pin' },
      payout: { confirmedBy: 'nobody' },
    });
  });
});

describe('whether two values are the same', () => {
  it('is told by what they hold, whatever the order of their keys', () => {
    const bare = Object.assign(Object.create(null), { b: [1n, null], a: 'x' });
    expect(isSameValue({ a: 'x', b: [1n, null] }, bare)).toBe(true);
    expect(isSameValue({ a: 'x', b: [1n, null] }, { a: 'x', b: [null, 1n] })).toBe(false);
    expect(isSameValue(1, 1n)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { CorruptRowError, jsonReader } from '../../../src/engine/intents/rules/json-reader.ts';
import { addressOf } from './build.ts';

const read = (value: unknown) => jsonReader({ x: value }, 'row');
const message = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(CorruptRowError);
    return error instanceof Error ? `${error.name}: ${error.message}` : '';
  }
  return 'nothing thrown';
};
const says = (expected: string) => `CorruptRowError: stored value at row.x: expected ${expected}`;

describe('the reader of stored JSON', () => {
  it('gives back what is there', () => {
    expect(read('a').text('x')).toBe('a');
    expect([read('a').textOrNull('x'), read(null).textOrNull('x')]).toEqual(['a', null]);
    expect([read(true).flag('x'), read(false).flag('x')]).toEqual([true, false]);
    expect([read(-7).integer('x'), read(7).integerOrNull('x'), read(null).integerOrNull('x')]).toEqual([
      -7,
      7,
      null,
    ]);
    expect(['0', '-12', '9'.repeat(40)].map((text) => read(text).amount('x'))).toEqual([
      0n,
      -12n,
      10n ** 40n - 1n,
    ]);
    expect(read(addressOf(3)).address('x')).toBe(addressOf(3));
    expect([read(addressOf(3)).addressOrNull('x'), read(null).addressOrNull('x')]).toEqual([
      addressOf(3),
      null,
    ]);
    expect(read('b').oneOf('x', ['a', 'b'])).toBe('b');
    expect(read({ y: 'deep' }).object('x').text('y')).toBe('deep');
    expect([read({ y: 'deep' }).objectOrNull('x')?.text('y'), read(null).objectOrNull('x')]).toEqual([
      'deep',
      null,
    ]);
    expect(read([{ y: 1 }, { y: 2 }]).list('x', (item) => item.integer('y'))).toEqual([1, 2]);
    expect([read(5).raw('x'), read(5).raw('z')]).toEqual([5, undefined]);
  });

  it('takes a missing address for none only where older rows lack it', () => {
    expect(read(addressOf(3)).addressIfAny('x')).toBe(addressOf(3));
    expect([read(null).addressIfAny('x'), read(1).addressIfAny('z')]).toEqual([null, null]);
    expect(message(() => read('short').addressIfAny('x'))).toBe(says('an address or null'));
    expect(message(() => jsonReader({}, 'row').addressOrNull('x'))).toBe(says('an address or null'));
  });

  it('says where it stopped and what it expected', () => {
    expect(message(() => read(1).text('x'))).toBe(says('text'));
    expect(message(() => read(1).textOrNull('x'))).toBe(says('text or null'));
    expect(message(() => read('true').flag('x'))).toBe(says('true or false'));
    expect(message(() => read(1.5).integer('x'))).toBe(says('an integer'));
    expect(message(() => read(2 ** 53).integer('x'))).toBe(says('an integer'));
    expect(message(() => read('1').integerOrNull('x'))).toBe(says('an integer or null'));
    expect(message(() => read('short').address('x'))).toBe(says('an address'));
    expect(message(() => read(5).address('x'))).toBe(says('an address'));
    expect(message(() => read('c').oneOf('x', ['a', 'b']))).toBe(says('one of a, b'));
    expect(message(() => read({}).list('x', () => 1))).toBe(says('a list'));
    expect(message(() => read(1).object('x'))).toBe(says('an object'));
    expect(message(() => read([]).objectOrNull('x'))).toBe(says('an object'));
    expect(message(() => read([{ y: 1 }, { y: '2' }]).list('x', (item) => item.integer('y')))).toBe(
      'CorruptRowError: stored value at row.x[1].y: expected an integer',
    );
  });

  it.each(['', '007', '-0', '1e9', '1.0', ' 1', '1 ', '+1', '0x1', '1'.repeat(41), 5])(
    'takes no amount out of %j',
    (value) => {
      expect(message(() => read(value).amount('x'))).toBe(says('a whole number as a decimal string'));
    },
  );

  it('does not take what an object inherits for a field', () => {
    expect(message(() => jsonReader({}, 'row').object('constructor'))).toContain('row.constructor');
    expect(jsonReader({}, 'row').raw('toString')).toBeUndefined();
  });
});

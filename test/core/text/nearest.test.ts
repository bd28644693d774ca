import { describe, expect, it } from 'vitest';
import { nearestWords } from '../../../src/core/text/nearest.ts';

const KNOWN = [
  'start',
  'home',
  'trade',
  'withdraw_sol',
  'withdraw_spl',
  'setting',
  'cancel',
  'help',
  'orders',
];

describe('the words that somebody may have meant', () => {
  it.each([
    ['hepl', 'help'],
    ['tarde', 'trade'],
    ['tradee', 'trade'],
    ['cancle', 'cancel'],
    ['settings', 'setting'],
    ['order', 'orders'],
    ['HELP', 'help'],
    ['hom', 'home'],
    ['withdraw_sool', 'withdraw_sol'],
  ])('%s: %s', (typed, meant) => {
    expect(nearestWords(typed, KNOWN)).toEqual([meant]);
  });

  it('are several where it stays open which', () => {
    expect(nearestWords('withdraw', KNOWN)).toEqual(['withdraw_sol', 'withdraw_spl']);
    expect(nearestWords('withdraw_sl', KNOWN)).toEqual(['withdraw_sol', 'withdraw_spl']);
  });

  it.each(['', 'x', 'no', 'foo', 'balance', 'hello', 'x'.repeat(4_096)])('are none for %s', (typed) => {
    expect(nearestWords(typed, KNOWN)).toEqual([]);
  });

  it('are none where nothing is known', () => {
    expect(nearestWords('help', [])).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayName, displaySymbol } from '../../../src/modules/tokens/rules/display-name.ts';
import { buildToken } from './build-token.ts';

describe('displayName', () => {
  it('keeps ordinary names of any script and emoji', () => {
    for (const name of ['Puppy', 'Koi Fish', '柴犬', 'Щенок', 'café', '🐶 dog', 'A & <B>']) {
      expect(displayName(name)).toBe(name);
    }
  });

  it('drops what turns, hides or breaks a line', () => {
    expect(displayName('\u202eYPPUP')).toBe('YPPUP');
    expect(displayName('US\u200bD\u2060C\ufeff')).toBe('USDC');
    expect(displayName('two\nlines\u2028three\tfour')).toBe('two lines three four');
    expect(displayName('tag\u{e0041}\u{e0042}')).toBe('tag');
    expect(displayName('half\ud800')).toBe('half');
    expect(displayName('two\t\u0000\tspaces')).toBe('two spaces');
    expect(displayName('\u3164\u115f')).toBeNull();
    expect(displayName(`a${'\u0301'.repeat(50)}b`)!.length).toBeLessThanOrEqual(4);
  });

  it('cuts at 32 characters without tearing one', () => {
    expect(displayName('🐶'.repeat(40))).toBe('🐶'.repeat(32));
    expect(displayName('x'.repeat(100))).toHaveLength(32);
  });

  it('has nothing to show for nothing', () => {
    expect(displayName(null)).toBeNull();
    expect(displayName(' \u0000 ')).toBeNull();
  });

  it('never lets a control, format or line character through, and is stable when repeated', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const shown = displayName(text);
        if (shown === null) return;
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u);
        expect(Array.from(shown).length).toBeLessThanOrEqual(32);
        expect(shown).toBe(shown.trim());
        expect(displayName(shown)).toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('displaySymbol', () => {
  it('falls back from symbol to name to the mint', () => {
    expect(displaySymbol(buildToken())).toBe('PUP');
    expect(displaySymbol(buildToken({ symbol: '\u200b' }))).toBe('Puppy');
    expect(displaySymbol(buildToken({ symbol: null, name: null }))).toBe('EPjF…Dt1v');
  });
});

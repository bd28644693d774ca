import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callbackData, parseCallback } from '../../../../src/platform/telegram/ui/callback.ts';

const ID = 'AZaz09_-AZaz09_-AZaz09';

describe('callback data', () => {
  it('reads back what it wrote', () => {
    expect(parseCallback(callbackData('home', 'open'))).toEqual({
      feature: 'home',
      action: 'open',
      index: null,
      id: null,
      fresh: false,
    });
    expect(parseCallback(callbackData('trade', 'sellpart-12', { id: ID, fresh: true }))).toEqual({
      feature: 'trade',
      action: 'sellpart',
      index: 12,
      id: ID,
      fresh: true,
    });
  });

  it('refuses to write what Telegram would refuse', () => {
    expect(() => callbackData('a'.repeat(17), 'open')).toThrow(RangeError);
    expect(() => callbackData('home', 'Open')).toThrow(RangeError);
    expect(() => callbackData('home', 'open', { id: 'short' })).toThrow(RangeError);
    expect(
      Buffer.byteLength(callbackData('a'.repeat(16), `${'b'.repeat(16)}-99`, { id: ID, fresh: true })),
    ).toBeLessThanOrEqual(64);
  });

  it('answers null or a well-formed value for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const data = parseCallback(text);
        if (data !== null) expect(data.feature).toMatch(/^[a-z_]{1,16}$/);
      }),
    );
  });
});

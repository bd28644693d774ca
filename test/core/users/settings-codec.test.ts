import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { MAX_U64 } from '../../../src/core/amounts/lamports.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/core/users/settings.ts';
import { decodeSettings, encodeSettings } from '../../../src/core/users/settings-codec.ts';

const rate = fc.integer({ min: 0, max: 10_000 }).map((value) => bps(value));
const share = fc.integer({ min: 1, max: 10_000 }).map((value) => bps(value));
const settings: fc.Arbitrary<Settings> = fc.record({
  slippageBuyBps: rate,
  slippageSellBps: rate,
  tier: fc.constantFrom('economy', 'normal', 'fast', 'turbo'),
  buyPresets: fc.array(fc.bigInt({ min: 1n, max: MAX_U64 }), { minLength: 4, maxLength: 4 }),
  sellPresetsBps: fc.array(share, { minLength: 3, maxLength: 3 }),
  confirmTrades: fc.boolean(),
  language: fc.option(fc.constantFrom('en', 'es')),
});

describe('settings codec', () => {
  it('gives equal settings back after a trip through JSON text', () => {
    fc.assert(
      fc.property(settings, (value) => {
        expect(decodeSettings(JSON.parse(JSON.stringify(encodeSettings(value))))).toEqual(value);
      }),
    );
  });

  it('fills what is missing with the defaults', () => {
    expect(decodeSettings({})).toEqual(DEFAULT_SETTINGS);
    expect(decodeSettings({ tier: 'turbo' })).toEqual({ ...DEFAULT_SETTINGS, tier: 'turbo' });
  });

  it.each([
    ['a rate above 10,000', { slippageBuyBps: 10_001 }],
    ['a fractional rate', { slippageSellBps: 0.5 }],
    ['an unknown tier', { tier: 'toString' }],
    ['too few presets', { buyPresets: ['1'] }],
    ['a preset that is not an amount', { buyPresets: ['1', '2', '3', '-4'] }],
    ['a preset beyond 64 bits', { buyPresets: ['1', '2', '3', '18446744073709551616'] }],
    ['a share of nothing', { sellPresetsBps: [0, 5000, 10000] }],
    ['a switch that is not one', { confirmTrades: 'yes' }],
  ])('falls back to the default for %s', (_name, row) => {
    expect(decodeSettings(row)).toEqual(DEFAULT_SETTINGS);
  });

  it('never throws, whatever is stored', () => {
    fc.assert(
      fc.property(fc.anything(), (json) => {
        expect(decodeSettings(json).buyPresets).toHaveLength(4);
      }),
    );
  });
});

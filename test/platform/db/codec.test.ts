import { expect, it } from 'vitest';
import { decodeTagged, tagBigints } from '../../../src/platform/db/codec.ts';

it('tags bigints, and takes nothing else for one', () => {
  const value = { sums: [0n, -5n, 2n ** 70n], text: '5', none: null };
  expect(decodeTagged(JSON.parse(JSON.stringify(tagBigints(value))))).toEqual(value);
  for (const digits of ['07', '-0', '', 'warp', '0x10', '1e3', ' 7', 7, null])
    expect(decodeTagged({ $bigint: digits })).toEqual({ $bigint: digits });
  expect(decodeTagged({ $bigint: '7', more: 1 })).toEqual({ $bigint: '7', more: 1 });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import {
  groupPayload,
  invitePayload,
  parseStartPayload,
  readTag,
  tokenPayload,
} from '../../../src/modules/referrals/rules/start-payload.ts';

const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

describe('start payloads', () => {
  it('read back what links carry', () => {
    expect(parseStartPayload(invitePayload('ALPHA234'))).toEqual({
      inviteCode: 'ALPHA234',
      mint: null,
      tag: null,
      group: null,
    });
    expect(parseStartPayload(tokenPayload(MINT, 'ALPHA234'))).toEqual({
      inviteCode: 'ALPHA234',
      mint: MINT,
      tag: null,
      group: null,
    });
    expect(parseStartPayload(tokenPayload(MINT, null))).toEqual({
      inviteCode: null,
      mint: MINT,
      tag: null,
      group: null,
    });
    expect(tokenPayload(MINT, 'ALPHA234CUST').length).toBeLessThanOrEqual(64);
  });

  it('carry a campaign, in upper case, and no longer than Telegram allows', () => {
    const longest = invitePayload('ALPHA234CUST', 'SPRING-2026-1234');
    expect(parseStartPayload(longest)).toEqual({
      inviteCode: 'ALPHA234CUST',
      mint: null,
      tag: 'SPRING-2026-1234',
      group: null,
    });
    expect(longest.length).toBeLessThanOrEqual(64);
    expect(parseStartPayload('ref_abc_x')).toEqual({ inviteCode: 'ABC', mint: null, tag: 'X', group: null });
    expect(parseStartPayload(`ref_ABC_${'x'.repeat(17)}`).inviteCode).toBeNull();
    expect(parseStartPayload('ref_ABC_x_y').inviteCode).toBeNull();
    expect([readTag('spring'), readTag('a b'), readTag('')]).toEqual(['SPRING', null, null]);
  });

  it.each(['', 'ref_', 'ref_A', 'ref_<b>', 'm_', `m_${'1'.repeat(44)}`, `x_${MINT}`, "ref_';--"])(
    'ignores %j',
    (text) => {
      expect(parseStartPayload(text)).toEqual({ inviteCode: null, mint: null, tag: null, group: null });
    },
  );

  it('carry the group whose creator sets it up', () => {
    expect(parseStartPayload(groupPayload(-1001234567890n))).toEqual({
      inviteCode: null,
      mint: null,
      tag: null,
      group: -1001234567890n,
    });
    expect(parseStartPayload('g_5').group).toBeNull();
  });

  it('answers well-formed values for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { inviteCode } = parseStartPayload(text);
        if (inviteCode !== null) expect(inviteCode).toMatch(/^[A-Z0-9-]{3,12}$/);
      }),
    );
  });
});

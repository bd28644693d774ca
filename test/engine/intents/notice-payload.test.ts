import { describe, expect, it } from 'vitest';
import type { IntentStatus } from '../../../src/engine/intents/rules/intent.ts';
import {
  decodeConvert,
  decodeGraduated,
  decodeIntentNotice,
  decodeRevokeReminder,
  decodeRewardPaid,
  encodeConvert,
  encodeGraduated,
  encodeIntentNotice,
  encodeRevokeReminder,
  encodeRewardPaid,
  type IntentNotice,
} from '../../../src/engine/intents/rules/notice-payload.ts';
import { MINT, PARAMS } from './build.ts';

const full: IntentNotice = {
  status: 'ACTIVE',
  signature: 'sig',
  attempt: 2,
  lastValidBlockHeight: 2n ** 60n,
  sentAt: 1_700,
  terms: PARAMS.buy.terms,
  outcome: { reason: 'X', details: { a: '1' }, receipt: null },
};
const bare: IntentNotice = {
  status: 'REJECTED',
  signature: null,
  attempt: 0,
  lastValidBlockHeight: null,
  sentAt: null,
  terms: null,
  outcome: null,
};
const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a notice', () => {
  it('comes back as it was after a trip through JSON text', () => {
    for (const notice of [full, bare]) {
      expect(decodeIntentNotice(throughText(encodeIntentNotice(notice)))).toEqual(notice);
    }
    const statuses: readonly IntentStatus[] = [
      'CREATED',
      'ACTIVE',
      'SUCCEEDED',
      'FAILED',
      'REJECTED',
      'EXPIRED',
      'CANCELLED',
      'NEEDS_REVIEW',
    ];
    for (const status of statuses) {
      expect(decodeIntentNotice(throughText(encodeIntentNotice({ ...full, status }))).status).toBe(status);
    }
  });

  it('names what is missing or wrong', () => {
    const row = throughText(encodeIntentNotice(full)) as Record<string, unknown>;
    for (const key of Object.keys(row)) {
      const { [key]: _, ...rest } = row;
      expect(() => decodeIntentNotice(rest), key).toThrow(/stored value at/);
    }
    expect(() => decodeIntentNotice({ ...row, status: 'DONE' })).toThrow(
      'notice.status: expected one of CREATED, ACTIVE',
    );
    expect(() => decodeIntentNotice(null)).toThrow('stored value at notice: expected an object');
  });

  it('of a paid reward keeps amount and signature', () => {
    const paid = { lamports: 2n ** 60n, signature: 'sig', source: 'rebate' } as const;
    expect(decodeRewardPaid(throughText(encodeRewardPaid(paid)))).toEqual(paid);
    // Written before sources were told apart, or by a later program.
    for (const source of [undefined, null, 'lottery'])
      expect(decodeRewardPaid({ lamports: '1', signature: 'sig', source }).source).toBe('several');
    expect(() => decodeRewardPaid({ signature: 'sig' })).toThrow('notice.lamports');
    expect(() => decodeRewardPaid({ lamports: '1' })).toThrow('notice.signature');
    expect(() => decodeRewardPaid(1)).toThrow('stored value at notice: expected an object');
  });

  it('of a reminder to revoke keeps the mint, and takes nothing that is no address', () => {
    expect(decodeRevokeReminder(throughText(encodeRevokeReminder({ mint: MINT })))).toEqual({ mint: MINT });
    expect(() => decodeRevokeReminder({})).toThrow('notice.mint');
    expect(() => decodeRevokeReminder({ mint: 'abc' })).toThrow('notice.mint: expected an address');
  });

  it('of a convert period keeps its number and both amounts', () => {
    const convert = { period: 5, points: 2n ** 60n, lamports: 0n };
    const row = throughText(encodeConvert(convert)) as Record<string, unknown>;
    expect(decodeConvert(row)).toEqual(convert);
    for (const key of Object.keys(convert)) {
      expect(() => decodeConvert({ ...row, [key]: 'x' })).toThrow(`notice.${key}: expected`);
    }
  });

  it('of a graduation keeps mint, symbol and launchpad', () => {
    const graduated = { mint: MINT, symbol: 'CAT', pad: 'desk' };
    const row = throughText(encodeGraduated(graduated)) as Record<string, unknown>;
    expect(decodeGraduated(row)).toEqual(graduated);
    for (const key of ['mint', 'symbol', 'pad']) {
      expect(() => decodeGraduated({ ...row, [key]: 1 })).toThrow(`notice.${key}: expected text`);
    }
  });
});

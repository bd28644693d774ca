import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { accountKey, type LedgerTransfer } from '../../../src/core/ledger/entry.ts';
import {
  inviterShare,
  payoutCapture,
  payoutHold,
  payoutVoid,
  tradeFeeTransfer,
} from '../../../src/core/ledger/postings.ts';

const stamp = { id: 'transfer-1', createdAt: 0 };
const anAmount = fc.bigInt({ min: 0n, max: 2n ** 63n });
const someParts = fc.array(
  fc.record({ inviterId: fc.constantFrom('a', 'b', 'c'), lamports: fc.bigInt({ min: 1n, max: 2n ** 60n }) }),
  { minLength: 1, maxLength: 15 },
);
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
const balanceOf = (transfers: readonly LedgerTransfer[], key: string): bigint =>
  sum(
    transfers.flatMap((transfer) =>
      transfer.entries.filter((entry) => accountKey(entry.account) === key).map((entry) => entry.amount),
    ),
  );

describe('postings', () => {
  it('balance, and split a fee without losing or making a lamport', () => {
    fc.assert(
      fc.property(anAmount, fc.nat(10_000), (feeLamports, rate) => {
        const shareLamports = inviterShare(feeLamports, bps(rate));
        const posted = tradeFeeTransfer(stamp, {
          intentId: 'i',
          signature: 's',
          feeLamports,
          inviter: { id: 'ivy', shareLamports },
        });
        expect(sum(posted.entries.map((entry) => entry.amount))).toBe(0n);
        expect(shareLamports * 10_000n).toBeLessThanOrEqual(feeLamports * BigInt(rate));
        expect((shareLamports + 1n) * 10_000n).toBeGreaterThan(feeLamports * BigInt(rate));
        const revenue = balanceOf([posted], 'house/revenue');
        expect(revenue + balanceOf([posted], 'referral-payable/ivy')).toBe(feeLamports);
        expect(revenue).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('throw for a share larger than its fee', () => {
    const input = { intentId: 'i', signature: 's', feeLamports: 5n };
    expect(() => tradeFeeTransfer(stamp, { ...input, inviter: { id: 'ivy', shareLamports: 6n } })).toThrow(
      RangeError,
    );
    expect(() => tradeFeeTransfer(stamp, { ...input, inviter: { id: 'ivy', shareLamports: -1n } })).toThrow(
      RangeError,
    );
  });

  it('end a payout with nothing in flight, whichever way it ends', () => {
    fc.assert(
      fc.property(someParts, fc.bigInt({ min: 0n, max: 1_000_000n }), (parts, fee) => {
        const paid = sum(parts.map((part) => part.lamports));
        const hold = payoutHold(stamp, 'i', parts);
        const capture = payoutCapture(stamp, 'i', parts, fee);
        const voided = payoutVoid(stamp, 'i', parts, fee);
        for (const transfer of [hold, capture, voided]) {
          expect(sum(transfer.entries.map((entry) => entry.amount))).toBe(0n);
          const keys = transfer.entries.map((entry) => accountKey(entry.account));
          expect(new Set(keys).size).toBe(keys.length);
        }
        for (const id of ['a', 'b', 'c']) {
          const owed = sum(parts.filter((part) => part.inviterId === id).map((part) => part.lamports));
          expect(balanceOf([hold, capture], `referral-in-flight/${id}`)).toBe(0n);
          expect(balanceOf([hold, voided], `referral-in-flight/${id}`)).toBe(0n);
          expect(balanceOf([hold, capture], `referral-payable/${id}`)).toBe(-owed);
          expect(balanceOf([hold, voided], `referral-payable/${id}`)).toBe(0n);
        }
        expect(balanceOf([capture], 'house/treasury')).toBe(paid + fee);
        expect(balanceOf([voided], 'house/treasury')).toBe(fee);
      }),
    );
  });

  it('carry keys that make a repeat the same transfer', () => {
    const parts = [{ inviterId: 'a', lamports: 1n }];
    expect(
      [
        payoutHold(stamp, 'i', parts),
        payoutCapture(stamp, 'i', parts, 0n),
        payoutVoid(stamp, 'i', parts, 0n),
      ].map((transfer) => transfer.key),
    ).toEqual(['payout-hold/i', 'payout-capture/i', 'payout-void/i']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { accountKey, isHouse, type LedgerTransfer } from '../../../src/engine/ledger/rules/entry.ts';
import {
  conversionTransfer,
  inviterShare,
  payoutCapture,
  payoutHold,
  payoutVoid,
  rebateTransfer,
  tradeFeeTransfer,
} from '../../../src/engine/ledger/rules/postings.ts';

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

  /** What is booked, as an accountant would read it. */
  const booked = (transfer: LedgerTransfer) => ({
    ...transfer,
    entries: Object.fromEntries(
      transfer.entries.map(({ account, amount }) => [accountKey(account), Number(amount)]),
    ),
  });
  const at = { id: 'transfer-7', createdAt: 1_700 };

  it('book a fee as revenue, less what is owed to the inviter', () => {
    const fee = { intentId: 'intent-1', signature: 'sig', feeLamports: 100n };
    expect(booked(tradeFeeTransfer(at, { ...fee, inviter: { id: 'ivy', shareLamports: 30n } }))).toEqual({
      ...at,
      key: 'trade-fee/sig',
      reason: 'trade-fee',
      ref: 'intent-1',
      currency: 'LAMPORT',
      entries: { 'house/treasury': -100, 'house/revenue': 70, 'referral-payable/ivy': 30 },
    });
    expect(booked(tradeFeeTransfer(at, { ...fee, inviter: null })).entries).toEqual({
      'house/treasury': -100,
      'house/revenue': 100,
    });
  });

  it('leave out what would be nothing: a share of nothing, all of it, a fee of nothing', () => {
    const keys = (feeLamports: bigint, shareLamports: bigint) =>
      Object.keys(
        booked(
          tradeFeeTransfer(at, {
            intentId: 'i',
            signature: 's',
            feeLamports,
            inviter: { id: 'ivy', shareLamports },
          }),
        ).entries,
      );
    expect(keys(5n, 0n)).toEqual(['house/treasury', 'house/revenue']);
    expect(keys(5n, 5n)).toEqual(['house/treasury', 'referral-payable/ivy']);
    expect(keys(0n, 0n)).toEqual([]);
    expect(Object.keys(booked(payoutVoid(at, 'p', [{ inviterId: 'a', lamports: 1n }], 0n)).entries)).toEqual([
      'referral-in-flight/a',
      'referral-payable/a',
    ]);
  });

  it('book a payout’s hold, capture and void with its network fee', () => {
    const parts = [
      { inviterId: 'a', lamports: 7n },
      { inviterId: 'b', lamports: 2n },
      { inviterId: 'a', lamports: 1n },
    ];
    const common = { ...at, ref: 'pay-1', currency: 'LAMPORT' };
    expect(booked(payoutHold(at, 'pay-1', parts))).toEqual({
      ...common,
      key: 'payout-hold/pay-1',
      reason: 'payout-hold',
      entries: {
        'referral-payable/a': -8,
        'referral-payable/b': -2,
        'referral-in-flight/a': 8,
        'referral-in-flight/b': 2,
      },
    });
    expect(booked(payoutCapture(at, 'pay-1', parts, 5n))).toEqual({
      ...common,
      key: 'payout-capture/pay-1',
      reason: 'payout-capture',
      entries: {
        'referral-in-flight/a': -8,
        'referral-in-flight/b': -2,
        'house/network-fees': -5,
        'house/treasury': 15,
      },
    });
    expect(booked(payoutVoid(at, 'pay-1', parts, 5n))).toEqual({
      ...common,
      key: 'payout-void/pay-1',
      reason: 'payout-void',
      entries: {
        'referral-in-flight/a': -8,
        'referral-in-flight/b': -2,
        'referral-payable/a': 8,
        'referral-payable/b': 2,
        'house/network-fees': -5,
        'house/treasury': 5,
      },
    });
  });

  it('owe a voucher’s lamports to the person who redeemed it, once per redemption', () => {
    const rebate = rebateTransfer(at, { redemptionId: 'r-1', userId: 'ivy', lamports: 40n });
    expect(booked(rebate)).toEqual({
      ...at,
      key: 'rebate/r-1',
      reason: 'rebate',
      ref: 'r-1',
      currency: 'LAMPORT',
      entries: { 'house/rebates': -40, 'referral-payable/ivy': 40 },
    });
  });

  it('owe a convert period’s share to the person, once per name', () => {
    const conversion = conversionTransfer(at, { name: '5/ivy', userId: 'ivy', lamports: 40n });
    expect(booked(conversion)).toEqual({
      ...at,
      key: 'conversion/5/ivy',
      reason: 'conversion',
      ref: '5/ivy',
      currency: 'LAMPORT',
      entries: { 'house/conversions': -40, 'referral-payable/ivy': 40 },
    });
  });

  it('say what a share may be', () => {
    const input = { intentId: 'i', signature: 's', feeLamports: 5n };
    expect(() => tradeFeeTransfer(at, { ...input, inviter: { id: 'ivy', shareLamports: 6n } })).toThrow(
      'a share is between nothing and the fee',
    );
  });
});

describe('accounts', () => {
  it('of the house are those that nobody owns, and keep their keys', () => {
    const house = (['treasury', 'revenue', 'network-fees'] as const).map((kind) => ({ kind }));
    const people = (['referral-payable', 'referral-in-flight'] as const).map((kind) => ({
      kind,
      owner: 'ivy',
    }));
    expect(house.map(isHouse)).toEqual([true, true, true]);
    expect(people.map(isHouse)).toEqual([false, false]);
    expect([...house, ...people].map(accountKey)).toEqual([
      'house/treasury',
      'house/revenue',
      'house/network-fees',
      'referral-payable/ivy',
      'referral-in-flight/ivy',
    ]);
  });
});

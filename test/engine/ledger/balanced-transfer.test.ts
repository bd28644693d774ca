import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balancedTransfer } from '../../../src/engine/ledger/rules/balanced-transfer.ts';
import { accountKey, type LedgerEntry } from '../../../src/engine/ledger/rules/entry.ts';

const at = { id: 'transfer-1', createdAt: 5 };
const transfer = (entries: readonly LedgerEntry[]) =>
  balancedTransfer(at, 'LAMPORT', 'trade-fee', 'key', 'intent-1', entries);
const treasury = (amount: bigint): LedgerEntry => ({ account: { kind: 'treasury' }, amount });
const owed = (owner: string, amount: bigint): LedgerEntry => ({
  account: { kind: 'referral-payable', owner },
  amount,
});

describe('a transfer', () => {
  it('is refused out of balance, naming reason, subject and difference', () => {
    expect(() => transfer([treasury(-5n), owed('a', 4n)])).toThrow(
      new RangeError('trade-fee of intent-1 is out of balance by -1'),
    );
    expect(() => transfer([treasury(1n)])).toThrow('by 1');
  });

  it('has one entry per account in order of first mention, and none that moves nothing', () => {
    const { entries } = transfer([
      owed('b', 2n),
      treasury(-9n),
      owed('a', 7n),
      owed('b', -2n),
      owed('a', 2n),
    ]);
    expect(entries).toEqual([treasury(-9n), owed('a', 9n)]);
  });

  it('keeps two people’s accounts apart, and one person’s two accounts', () => {
    const inFlight: LedgerEntry = { account: { kind: 'referral-in-flight', owner: 'a' }, amount: -3n };
    expect(transfer([owed('a', 2n), inFlight, owed('b', 1n)]).entries).toHaveLength(3);
  });

  it('balances whatever it is made of, and changes no account’s sum', () => {
    const anEntry = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
    );
    fc.assert(
      fc.property(fc.array(anEntry, { maxLength: 8 }), (pairs) => {
        const given = pairs.map(([owner, amount]) => owed(owner, amount));
        const sum = pairs.reduce((total, [, amount]) => total + amount, 0n);
        const { entries } = transfer([...given, treasury(-sum)]);
        for (const { account } of [...given, treasury(0n)]) {
          const of = (list: readonly LedgerEntry[]): bigint =>
            list
              .filter((entry) => accountKey(entry.account) === accountKey(account))
              .reduce((total, { amount }) => total + amount, 0n);
          expect(of(entries)).toBe(of([...given, treasury(-sum)]));
        }
      }),
    );
  });
});

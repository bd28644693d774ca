import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mayReceive,
  payoutWallet,
  receivingWallet,
} from '../../../src/modules/wallets/rules/receiving-wallet.ts';

const NOW = 1_000;
type Row = Parameters<typeof receivingWallet>[0][number];
const row = (id: string, change: Partial<Row> = {}): Row => ({
  id,
  deletedAt: null,
  origin: 'made',
  confirmedAt: null,
  payoutFrom: null,
  ...change,
});
const imported = (id: string, change: Partial<Row> = {}): Row => row(id, { origin: 'imported', ...change });

describe('the wallet that deposits are shown', () => {
  it.each([
    ['the active one that was made here', [row('1'), row('2')], '2', '2'],
    ['the oldest made here instead of an imported one', [imported('1'), row('3'), row('2')], '1', '2'],
    ['the imported one once it is confirmed', [row('1'), imported('2', { confirmedAt: NOW })], '2', '2'],
    ['not the imported one a moment before', [row('1'), imported('2', { confirmedAt: NOW + 1 })], '2', '1'],
    ['none where all are imported', [imported('1')], '1', null],
    ['none where nothing is left', [row('1', { deletedAt: 5 })], '1', null],
    ['a confirmed one before none at all', [imported('1'), imported('2', { confirmedAt: 1 })], '1', '2'],
    ['one made here before a confirmed one', [imported('1', { confirmedAt: 1 }), row('2')], null, '2'],
  ] as const)('is %s', (_, wallets, active, expected) => {
    expect(receivingWallet(wallets, active, NOW)?.id ?? null).toBe(expected);
  });
});

describe('the wallet that payouts go to', () => {
  it.each([
    ['the oldest made here', [imported('1'), row('3'), row('2')], '2'],
    ['the one that was chosen', [row('1'), row('2', { payoutFrom: NOW })], '2'],
    ['not the one that counts later', [row('1'), row('2', { payoutFrom: NOW + 1 })], '1'],
    [
      'the last one of two choices',
      [row('1', { payoutFrom: 9 }), row('2', { payoutFrom: 8 }), row('3')],
      '1',
    ],
    ['not a chosen one that is gone', [row('1'), row('2', { payoutFrom: 1, deletedAt: 5 })], '1'],
    ['not a chosen one that is imported only', [row('1'), imported('2', { payoutFrom: 1 })], '1'],
    ['none where all are imported', [imported('1')], null],
  ] as const)('is %s', (_, wallets, expected) => {
    expect(payoutWallet(wallets, NOW)?.id ?? null).toBe(expected);
  });

  it('is never one that was imported and not confirmed, whatever the rows and the active one', () => {
    const time = fc.option(fc.integer({ min: 0, max: 2 * NOW }), { nil: null });
    const rows = fc.array(
      fc.record({
        id: fc.string({ minLength: 1, maxLength: 2 }),
        deletedAt: time,
        origin: fc.constantFrom('made' as const, 'imported' as const),
        confirmedAt: time,
        payoutFrom: time,
      }),
    );
    fc.assert(
      fc.property(rows, fc.nat(), (wallets, n) => {
        const active = wallets[n % Math.max(1, wallets.length)]?.id ?? null;
        for (const found of [receivingWallet(wallets, active, NOW), payoutWallet(wallets, NOW)]) {
          const some = wallets.some((one) => one.deletedAt === null && mayReceive(one, NOW));
          expect(found !== null).toBe(some);
          if (found !== null) expect(found.deletedAt === null && mayReceive(found, NOW)).toBe(true);
        }
      }),
    );
  });
});

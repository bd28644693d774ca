import { expect, it } from 'vitest';
import type { Address } from '../../../src/core/address/address.ts';
import { type LandedTransaction, weightOf } from '../../../src/local/chain/landed-transaction.ts';
import { createLedger, type Ledger } from '../../../src/local/chain/ledger.ts';

const PAYER = 'payer' as Address;

function landed(n: number, slot: number, size = 200): LandedTransaction {
  return {
    signature: `s${n}`,
    slot,
    unixSeconds: slot,
    err: n % 10 === 0 ? { InstructionError: [0, { Custom: 1 }] } : null,
    logs: [],
    units: 1,
    inner: [],
    returnData: null,
    bytes: new Uint8Array(size),
    keys: [PAYER, `to${n}` as Address],
    writable: [true, true],
    loaded: { writable: [], readonly: [] },
    feeLamports: 5000n,
    preLamports: [1n, 1n],
    postLamports: [1n, 1n],
    preTokens: [],
    postTokens: [],
  };
}

function fill(ledger: Ledger, from: number, to: number, perSlot: number): void {
  for (let n = from; n <= to; n += 1) ledger.add(landed(n, 1000 + Math.floor(n / perSlot)));
}

it('holds no more whole transactions than its limit, in all three indexes, and how older ones ended', () => {
  const ledger = createLedger({ transactions: 50, bytes: 1e9, statuses: 100, statusSlots: 0 }, 1000);
  fill(ledger, 1, 1000, 5);
  expect(ledger.held()).toMatchObject({ transactions: 50, statuses: 50 });
  expect(ledger.ofAddress(PAYER).map((one) => one.signature)).toEqual(
    Array.from({ length: 50 }, (_, at) => `s${at + 951}`),
  );
  expect(ledger.get('s950')).toBeUndefined();
  expect(ledger.status('s950')).toEqual({ signature: 's950', slot: 1190, err: landed(950, 0).err });
  expect(ledger.status('s901')).toEqual({ signature: 's901', slot: 1180, err: null });
  expect(ledger.status('s900')).toBeUndefined();
  expect(ledger.ofAddress('to900' as Address)).toEqual([]);
  expect(ledger.count()).toBe(1000);
  expect(ledger.firstSlot()).toBe(1191);
  expect(ledger.ofSlot(1191).map((one) => one.signature)).toContain('s955');
});

it('holds no more bytes than its limit, though always the newest transaction', () => {
  const each = weightOf(landed(1, 1000));
  const limits = { transactions: 1000, bytes: 20 * each, statuses: 10, statusSlots: 0 };
  const ledger = createLedger(limits, 1000);
  fill(ledger, 1, 500, 5);
  expect(ledger.held()).toEqual({ transactions: 20, bytes: 20 * each, statuses: 0 });
  ledger.add(landed(501, 2000, 100 * each));
  expect(ledger.held().transactions).toBe(1);
  expect(ledger.get('s501')).toBeDefined();
  fill(ledger, 502, 520, 5);
  expect(ledger.held().bytes).toBeLessThanOrEqual(20 * each);
});

it('knows how everything of the last slots ended, however much it was', () => {
  const ledger = createLedger({ transactions: 10, bytes: 1e9, statuses: 20, statusSlots: 30 }, 1000);
  fill(ledger, 1, 5000, 50);
  // The newest is in slot 1100: of 1071 on everything is known.
  for (let n = 50 * 71; n <= 5000; n += 1)
    expect(ledger.status(`s${n}`)?.slot).toBe(1000 + Math.floor(n / 50));
  expect(ledger.held().statuses).toBeLessThanOrEqual(50 * 31);
  expect(ledger.firstStatusSlot()).toBe(1071);
  expect([...ledger.between(1080, 1081)].map((one) => one.signature)).toEqual(
    Array.from({ length: 100 }, (_, at) => `s${at + 4000}`),
  );
});

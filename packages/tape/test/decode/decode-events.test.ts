import { createHash } from 'node:crypto';
import { SYSTEM_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { decodeTrades } from '../../src/decode/decode-trades.ts';
import type { TapeInstruction } from '../../src/transaction.ts';
import {
  addressData,
  buildMarket,
  buildTransaction,
  bytes,
  call,
  named,
  PROGRAM,
  TRADER,
  transfer,
  u64,
  WALLET_BASE,
} from './build-transaction.ts';
import { faultOf, tradesOf } from './decoded.ts';

const market = buildMarket();

describe('decodeTrades by events', () => {
  it('reads a launch curve by its events, also where lamports leave without a transfer', () => {
    const curve = buildMarket({ kind: 'lamports', quoteVault: market.address });
    const event = (lamports: bigint, isBuy: boolean): TapeInstruction => ({
      program: PROGRAM,
      accounts: [named('event authority')],
      data: bytes(
        Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d),
        createHash('sha256').update('event:TradeEvent').digest().subarray(0, 8),
        addressData(curve.baseMint),
        u64(lamports),
        u64(1n),
        isBuy ? 1 : 0,
        addressData(TRADER),
      ),
      height: 2,
    });
    const paid: TapeInstruction = {
      program: SYSTEM_PROGRAM,
      accounts: [TRADER, curve.address],
      data: bytes(2, 0, 0, 0, u64(9_000n)),
      height: 2,
    };
    const rent: TapeInstruction = {
      ...paid,
      data: bytes(0, 0, 0, 0, u64(500n), u64(0n), addressData(PROGRAM)),
      height: 1,
    };
    const instructions = [
      rent,
      call(curve),
      transfer(curve.baseVault, WALLET_BASE, 8_000n),
      paid,
      event(9_000n, true),
      call(curve),
      transfer(WALLET_BASE, curve.baseVault, 3_000n),
      event(2_500n, false),
    ];
    expect(tradesOf(instructions, [[curve, { base: -5_000n, quote: 500n + 9_000n - 2_500n }]])).toMatchObject(
      [
        { side: 'buy', base: 8_000n, quote: 9_000n },
        { side: 'sell', base: 3_000n, quote: 2_500n },
      ],
    );
  });

  describe('of an order book', () => {
    const book = buildMarket({ kind: 'book' });
    const fill = (isBuy: boolean, paid: bigint, received: bigint, fee: bigint): string =>
      `Program data: ${Buffer.from(
        bytes(
          createHash('sha256').update('event:TotalOrderFillEvent').digest().subarray(0, 8),
          isBuy ? 0 : 1,
          addressData(named('taker')),
          u64(paid),
          u64(received),
          u64(fee),
        ),
      ).toString('base64')}`;
    const other = buildMarket({ kind: 'book', address: named('other book') });
    const instructions = [call(book), call(other)];
    const logs = [
      `Program ${PROGRAM} invoke [1]`,
      fill(true, 10_050n, 2_000n, 50n),
      `Program ${PROGRAM} success`,
      `Program ${PROGRAM} invoke [1]`,
      fill(false, 3_000n, 14_930n, 70n),
      `Program ${PROGRAM} success`,
    ];
    const quiet = { base: 0n, quote: 0n };

    it('gives each fill to the market whose instruction logged it, at the book’s price, with its fee', () => {
      const decoded = [book, other].map((one) =>
        decodeTrades(buildTransaction(instructions, [[one, quiet]], { logs }), one),
      );
      expect(decoded).toMatchObject([
        {
          trades: [
            {
              side: 'buy',
              base: 2_000n,
              quote: 10_000n,
              fee: 50n,
              feeSource: 'event',
              trader: named('taker'),
            },
          ],
        },
        { trades: [{ side: 'sell', base: 3_000n, quote: 15_000n, fee: 70n }] },
      ]);
    });

    it('takes cut logs, and logs of other instructions, for a fault', () => {
      const cut = { logs: [...logs.slice(0, 1), 'Log truncated'] };
      expect(faultOf(instructions, [[book, quiet]], cut)).toMatch(/logs are cut/);
      const foreign = { logs: [`Program ${named('ghost')} invoke [1]`, ...logs] };
      expect(faultOf(instructions, [[book, quiet]], foreign)).toMatch(/not among the instructions/);
      expect(faultOf([call(market)], [[market, quiet]], cut)).toBeNull();
    });
  });
});

import { describe, expect, it } from 'vitest';
import { loadGeyser } from '../../../../src/platform/chain/transaction-source/geyser/client.ts';
import { createStreamWindow } from '../../../../src/platform/chain/transaction-source/geyser/stream-window.ts';
import { readWireTransaction } from '../../../../src/platform/chain/transaction-source/wire-transaction.ts';
import { freshAddress } from '../../../support/tape-rows.ts';

const MARKET = freshAddress();

const block = (slot: number, parent = slot - 1) =>
  ({ kind: 'block', slot: BigInt(slot), parentSlot: BigInt(parent), at: 1_000 + slot }) as const;
const swap = (slot: number, index = 0, signature = `${slot} ${index}`) =>
  ({
    kind: 'transaction',
    slot: BigInt(slot),
    index,
    transaction: readWireTransaction({
      transaction: {
        signatures: [signature],
        message: { header: { numRequiredSignatures: 1 }, accountKeys: [MARKET], instructions: [] },
      },
      meta: { err: null, fee: 5_000, preBalances: [1], postBalances: [1], innerInstructions: [] },
    }),
  }) as const;

/** A window that was asked for the market before the first block, which is that of slot 100. */
function windowFrom100() {
  const window = createStreamWindow();
  window.ask(new Set([MARKET]));
  window.take(block(100));
  const read = (after: number, upTo: number) =>
    window.read(MARKET, BigInt(after), BigInt(upTo))?.map(({ signature }) => signature) ?? null;
  return { ...window, read };
}

describe('what a stream told', () => {
  it('is in the chain’s order, each once, however it came', () => {
    const { take, read } = windowFrom100();
    for (const update of [swap(102, 3), swap(101, 7), swap(101, 2), block(101), swap(102, 3), block(102)])
      take(update);
    expect(read(100, 102)).toEqual(['101 2', '101 7', '102 3']);
    expect(read(101, 102)).toEqual(['102 3']);
  });

  it('names a market when the block is told, and not before', () => {
    const { take } = windowFrom100();
    expect(take(swap(101))).toEqual([]);
    expect(take(block(101))).toEqual([MARKET]);
    expect(take(block(101))).toEqual([]);
    expect(take(block(102))).toEqual([]);
  });

  it('is not all of the first block, nor of what is still to come', () => {
    const { take, read } = windowFrom100();
    take(block(101));
    expect(read(99, 101)).toBeNull();
    expect(read(100, 101)).toEqual([]);
    expect(read(100, 102)).toBeNull();
  });

  it('counts from behind a hole on', () => {
    const { take, read } = windowFrom100();
    for (const update of [block(101), swap(103), block(103, 102), block(104)]) take(update);
    expect(read(100, 104)).toBeNull();
    expect(read(102, 104)).toBeNull();
    expect(read(103, 104)).toEqual([]);
  });

  it('goes over slots without a block', () => {
    const { take, read } = windowFrom100();
    for (const update of [block(101), swap(105), block(105, 101)]) take(update);
    expect(read(100, 105)).toEqual(['105 0']);
  });

  it('goes on behind the tip after a cut, and begins anew where it does not', () => {
    const { take, read, restart } = windowFrom100();
    take(block(101));
    restart(true);
    for (const update of [swap(101, 9), block(101), swap(102), block(102)]) take(update);
    expect(read(101, 102)).toEqual(['102 0']);
    restart(false);
    for (const update of [block(200), swap(201), block(201)]) take(update);
    expect(read(102, 201)).toBeNull();
    expect(read(200, 201)).toEqual(['201 0']);
  });

  it('tells of a market that was asked for later only after the filter has settled', () => {
    const window = createStreamWindow();
    window.take(block(100));
    window.ask(new Set([MARKET]));
    for (let slot = 101; slot <= 120; slot += 1) window.take(block(slot));
    expect(window.read(MARKET, 115n, 120n)).toBeNull();
    expect(window.read(MARKET, 116n, 120n)).toEqual([]);
    expect(window.read(freshAddress(), 116n, 120n)).toBeNull();
  });

  it('is kept for some hundred slots', () => {
    const { take, read } = windowFrom100();
    for (let slot = 101; slot <= 800; slot += 1) take(block(slot));
    expect(read(200, 800)).toBeNull();
    expect(read(288, 800)).toEqual([]);
  });
});

it('says what to install where gRPC is not there', async () => {
  await expect(loadGeyser()).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    details: {
      problems: [
        expect.stringMatching(
          /^GEYSER_URL: gRPC is not installed\. Run "npm install --no-save @grpc\/grpc-js@/,
        ),
      ],
    },
  });
});

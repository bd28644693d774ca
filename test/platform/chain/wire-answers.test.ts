import { describe, expect, it } from 'vitest';
import {
  readAccounts,
  readBlockhash,
  readPrices,
  readSimulation,
  readStatuses,
} from '../../../src/platform/chain/wire-answers.ts';

const OWNER = '11111111111111111111111111111111';
const context = { slot: 7, apiVersion: '3.0.0' };
const account = { lamports: 5, owner: OWNER, data: ['AQI=', 'base64'], executable: false, rentEpoch: 0 };

describe('answers of a well-behaved node', () => {
  it('are read', () => {
    expect(readAccounts({ context, value: [account, null] }, 2)).toEqual({
      slot: 7n,
      accounts: [{ lamports: 5n, owner: OWNER, data: Buffer.from([1, 2]), executable: false }, null],
    });
    expect(readBlockhash({ context, value: { blockhash: OWNER, lastValidBlockHeight: 150 } })).toEqual({
      blockhash: OWNER,
      lastValidBlockHeight: 150n,
      slot: 7n,
    });
    expect(readPrices([{ slot: 1, prioritizationFee: 3 }])).toEqual([3]);
    const failed = { err: { InstructionError: [0, 'Custom'] }, logs: null, accounts: null };
    expect(readSimulation({ context, value: failed }, 1)).toEqual({
      err: '{"InstructionError":[0,"Custom"]}',
      logs: [],
      unitsConsumed: 0,
      loadedBytes: null,
      after: [null],
      slot: 7n,
    });
  });
});

describe('answers in another form', () => {
  const bad: readonly (readonly [string, () => unknown])[] = [
    ['nothing', () => readAccounts(null, 1)],
    ['no context', () => readAccounts({ value: [account] }, 1)],
    ['a slot that is text', () => readAccounts({ context: { slot: '7' }, value: [account] }, 1)],
    ['fewer accounts than asked for', () => readAccounts({ context, value: [] }, 1)],
    ['negative lamports', () => readAccounts({ context, value: [{ ...account, lamports: -1 }] }, 1)],
    [
      'data in another encoding',
      () => readAccounts({ context, value: [{ ...account, data: ['', 'zstd'] }] }, 1),
    ],
    ['data that is text', () => readAccounts({ context, value: [{ ...account, data: 'AQI=' }] }, 1)],
    ['no owner', () => readAccounts({ context, value: [{ ...account, owner: undefined }] }, 1)],
    [
      'a blockhash that is none',
      () => readBlockhash({ context, value: { blockhash: 'x', lastValidBlockHeight: 1 } }),
    ],
    ['a negative price', () => readPrices([{ prioritizationFee: -1 }])],
    [
      'a success without the watched accounts',
      () => readSimulation({ context, value: { err: null, logs: [], accounts: null } }, 1),
    ],
  ];
  it.each(bad)('are refused: %s', (_, read) => {
    expect(read).toThrow(/in no known form/);
  });
});

describe('statuses', () => {
  const answer = (...value: unknown[]) => ({ context: { slot: 7 }, value });

  it('are read in the order asked, with the error as JSON', () => {
    const failed = { slot: 5, confirmations: null, err: { InstructionError: [3, { Custom: 1 }] } };
    expect(
      readStatuses(answer(null, { ...failed, confirmationStatus: 'finalized' }, { slot: 6, err: null }), 3),
    ).toEqual([
      null,
      { slot: 5n, level: 'finalized', err: '{"InstructionError":[3,{"Custom":1}]}' },
      { slot: 6n, level: 'processed', err: null },
    ]);
  });

  it.each([
    ['one too few', answer()],
    ['no list', { context: { slot: 7 }, value: null }],
    ['a level that no node has', answer({ slot: 5, err: null, confirmationStatus: 'rooted' })],
    ['no word on whether it failed', answer({ slot: 5, confirmationStatus: 'confirmed' })],
    ['a text for a slot', answer({ slot: '5', err: null, confirmationStatus: 'confirmed' })],
  ])('are refused: %s', (_, strange) => {
    expect(() => readStatuses(strange, 1)).toThrow('no known form');
  });
});

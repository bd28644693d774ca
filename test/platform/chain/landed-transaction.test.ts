import { Keypair, MessageV0, SystemProgram, type VersionedTransactionResponse } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { landedTransaction } from '../../../src/platform/chain/landed-transaction.ts';

const [payer, account, mint, owner, heir] = Array.from({ length: 5 }, () => Keypair.generate().publicKey) as [
  Keypair['publicKey'],
  Keypair['publicKey'],
  Keypair['publicKey'],
  Keypair['publicKey'],
  Keypair['publicKey'],
];

/** The record of a transaction that names one token account, with its owner and units before and after. */
function recordOf(
  before: readonly [owner: string, units: string] | null,
  after: readonly [owner: string, units: string] | null,
): VersionedTransactionResponse {
  const message = MessageV0.compile({
    payerKey: payer,
    instructions: [SystemProgram.transfer({ fromPubkey: payer, toPubkey: account, lamports: 1 })],
    recentBlockhash: mint.toBase58(),
  });
  const accountIndex = message.staticAccountKeys.findIndex((key) => key.equals(account));
  const row = (of: readonly [string, string] | null) =>
    of === null
      ? []
      : [{ accountIndex, mint: mint.toBase58(), owner: of[0], uiTokenAmount: { amount: of[1] } }];
  return {
    slot: 5,
    transaction: { message, signatures: ['s'] },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: [9, 0, 0],
      postBalances: [4, 1, 0],
      preTokenBalances: row(before),
      postTokenBalances: row(after),
    },
  } as unknown as VersionedTransactionResponse;
}

describe('the record of a landed transaction', () => {
  const [of, to] = [owner.toBase58(), heir.toBase58()];
  const read = (...sides: Parameters<typeof recordOf>) =>
    landedTransaction('s', recordOf(...sides))?.tokenBalances;

  it('has an account on both sides, and one that was opened or closed', () => {
    const row = { account: account.toBase58(), owner: of, mint: mint.toBase58() };
    expect(read([of, '7'], [of, '3'])).toEqual([{ ...row, before: 7n, after: 3n }]);
    expect(read(null, [of, '3'])).toEqual([{ ...row, before: 0n, after: 3n }]);
    expect(read([of, '7'], null)).toEqual([{ ...row, before: 7n, after: 0n }]);
  });

  it('names the new owner of an account that was given away', () => {
    expect(read([of, '7'], [to, '7'])).toMatchObject([{ owner: of, newOwner: to, before: 7n, after: 7n }]);
  });
});

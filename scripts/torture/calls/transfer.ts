import { sign } from 'node:crypto';
import { type Address, fromBase58 } from '@tradepost/solana';
import type { Wallet } from './integrators.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** The system program's instruction number of a transfer. */
const TRANSFER = 2;

/** A signed payment in the form without a version, with a memo that names the call on the chain. */
export function signedTransfer(of: {
  readonly from: Wallet;
  readonly to: Address;
  readonly lamports: bigint;
  readonly blockhash: string;
  readonly memo: string;
}): Uint8Array {
  const { from, to, lamports, blockhash, memo } = of;
  const amount = Buffer.alloc(12);
  amount.writeUInt32LE(TRANSFER, 0);
  amount.writeBigUInt64LE(lamports, 4);
  const text = Buffer.from(memo);
  const keys = [from.address, to, SYSTEM_PROGRAM, MEMO_PROGRAM].map(bytesOf);
  const message = Buffer.concat([
    // One signer, and the two programs are read only.
    Buffer.from([1, 0, 2, keys.length]),
    ...keys,
    bytesOf(blockhash),
    Buffer.from([2, 2, 2, 0, 1, amount.length]),
    amount,
    Buffer.from([3, 0, text.length]),
    text,
  ]);
  return Buffer.concat([Buffer.from([1]), sign(null, message, from.key), message]);
}

function bytesOf(text: string): Uint8Array {
  const bytes = fromBase58(text);
  if (bytes === null) throw new TypeError(`expected base58, not ${text}`);
  return bytes;
}

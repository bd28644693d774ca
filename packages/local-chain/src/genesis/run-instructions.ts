import {
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { Address } from '../address.ts';
import type { Svm } from '../svm.ts';

const ANY_BLOCKHASH = '11111111111111111111111111111111';

/** Runs instructions as one transaction of the genesis block: the real programs decide, no signature is needed. */
export function runInstructions(
  svm: Svm,
  payer: Address,
  instructions: readonly TransactionInstruction[],
): void {
  const message = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: ANY_BLOCKHASH,
    instructions: [...instructions],
  }).compileToV0Message();
  const outcome = svm.execute(new VersionedTransaction(message).serialize(), false);
  if (outcome.err !== null) {
    throw new Error(
      `Genesis of the local chain failed: ${JSON.stringify(outcome.err)} ${outcome.logs.join(' | ')}`,
    );
  }
}

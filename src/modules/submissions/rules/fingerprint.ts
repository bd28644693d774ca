import {
  type Address,
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
} from '@tradepost/solana';
import { decodeUnresolved } from '../../../engine/signing/rules/decode-message.ts';

/** A wallet may add instructions of these programs before it signs: they move nothing that is not the signer's own. */
const ADDED_BY_WALLETS: ReadonlySet<Address> = new Set([
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  LIGHTHOUSE_PROGRAM,
]);

/**
 * A text that two messages share exactly where the same wallet pays and the same instructions run in the same order, with the same
 * accounts, rights and data. The blockhash, the budget, memos and the guards that wallets add are left out. An account of a lookup
 * table is named by the table and its place there, which never changes. Throws UndecodableMessageError.
 */
export function fingerprintOf(message: Uint8Array): string {
  const { signers, instructions, lookedUp } = decodeUnresolved(message);
  const own = instructions.filter(({ programId }) => !ADDED_BY_WALLETS.has(programId));
  return JSON.stringify([
    signers[0],
    own.map(({ programId, accounts, data }) => [
      programId,
      accounts.map(({ address, signer, writable }) => [lookedUp.get(address) ?? address, signer, writable]),
      Buffer.from(data).toString('base64'),
    ]),
  ]);
}

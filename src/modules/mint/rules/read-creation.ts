import type { Address } from '@tradepost/solana';
import type { CreateTokenParams } from '../../../engine/intents/kinds/create-token/params.ts';
import { decodeInstruction } from '../../../engine/signing/rules/decode-instruction.ts';
import { decodeUnresolved } from '../../../engine/signing/rules/decode-message.ts';
import { messageOf } from '../../../engine/signing/rules/wire-transaction.ts';

/** The content of a creation that was signed: its mint, and the fee that it pays to the treasury. */
export type ReadCreation = { readonly mint: Address; readonly feeLamports: bigint };

/**
 * Reads a creation's own wire bytes: the mint is the second signer, or `prepared` by an earlier transaction. Its lookup tables
 * may be closed by now, so they are not asked for: the vault lets lamports of a launch go to an account from a table only
 * where that is the treasury. Throws UndecodableMessageError or a RangeError for bytes that are no creation, which none of our
 * own attempts is.
 */
export function readCreation(
  signedTransaction: Uint8Array,
  treasury: Address,
  prepared: Address | null = null,
): ReadCreation {
  const signatures = signedTransaction[0] ?? 0;
  const { signers, instructions, lookedUp } = decodeUnresolved(messageOf(signedTransaction));
  const mint = prepared ?? signers[1];
  if (signatures !== (prepared === null ? 2 : 1) || mint === undefined) {
    throw new RangeError('a creation has two signers, its second half one');
  }
  const fee = instructions
    .map(decodeInstruction)
    .find((action) => action.kind === 'transfer-sol' && (action.to === treasury || lookedUp.has(action.to)));
  return { mint, feeLamports: fee?.kind === 'transfer-sol' ? fee.lamports : 0n };
}

/** Lamports that a whole creation takes at most, network fees apart. */
export const creationCost = (params: CreateTokenParams): bigint =>
  params.recordLamports + params.mintRentLamports + params.holdingRentLamports + params.feeLamports;

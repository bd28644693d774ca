import { createHash } from 'node:crypto';
import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  addressBytes,
  addressFromBytes,
  isOnCurve,
} from '@tradepost/solana';

const MARKER = Buffer.from('ProgramDerivedAddress');
const HIGHEST_BUMP = 255;

/**
 * The associated token account of `owner`, derived here, so that the signer need not believe any other process about its owner. Source of
 * truth: solana-sdk `Pubkey::find_program_address`, the first address below bump 255 that cannot have a key.
 */
export function associatedAccount(owner: Address, mint: Address, tokenProgram: Address): Address {
  const seeds = [owner, tokenProgram, mint].map(addressBytes);
  for (let bump = HIGHEST_BUMP; bump >= 0; bump -= 1) {
    const digest = createHash('sha256');
    for (const part of [...seeds, Uint8Array.of(bump), addressBytes(ASSOCIATED_TOKEN_PROGRAM), MARKER]) {
      digest.update(part);
    }
    const found = addressFromBytes(Uint8Array.from(digest.digest()));
    if (!isOnCurve(found)) return found;
  }
  throw new RangeError('no address can be derived');
}

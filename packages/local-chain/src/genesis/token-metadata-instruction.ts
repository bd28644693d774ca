import { createHash } from 'node:crypto';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../address.ts';
import { TOKEN_2022_PROGRAM } from '../programs.ts';

/**
 * Writes name and symbol into a Token-2022 mint itself. Source of truth: spl-token-metadata-interface `Initialize`,
 * whose discriminator is the hash of "spl_token_metadata_interface:initialize_account".
 */
export function initializeTokenMetadata(input: {
  readonly mint: Address;
  readonly authority: Address;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}): TransactionInstruction {
  const discriminator = createHash('sha256')
    .update('spl_token_metadata_interface:initialize_account')
    .digest();
  const texts = [input.name, input.symbol, input.uri].map((text) => {
    const encoded = Buffer.from(text, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(encoded.length);
    return Buffer.concat([length, encoded]);
  });
  const mint = new PublicKey(input.mint);
  const authority = new PublicKey(input.authority);
  return new TransactionInstruction({
    programId: new PublicKey(TOKEN_2022_PROGRAM),
    keys: [
      { pubkey: mint, isSigner: false, isWritable: true },
      { pubkey: authority, isSigner: false, isWritable: false },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: authority, isSigner: true, isWritable: false },
    ],
    data: Buffer.concat([discriminator.subarray(0, 8), ...texts]),
  });
}

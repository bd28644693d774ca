import { type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';

const MINT_BYTES = 82;
const SUPPLY_AT = 36;

/** Units of a token in all; null where these fields are no mint. Source of truth: spl-token `Mint`. */
export function mintSupply(
  account: { readonly owner: Address; readonly data: Uint8Array } | null,
): bigint | null {
  if (account === null) return null;
  const { owner, data } = account;
  if ((owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) || data.length < MINT_BYTES) return null;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(SUPPLY_AT, true);
}

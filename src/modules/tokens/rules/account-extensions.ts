import { TOKEN_ACCOUNT_BYTES } from '@tradepost/solana';

/** Behind the byte that marks an account: type and length in two bytes each, then the value. */
const EXTENSIONS_AT = TOKEN_ACCOUNT_BYTES + 1;
const HEADER_BYTES = 4;

export type AccountExtension = { readonly type: number; readonly body: Uint8Array };

/**
 * The Token-2022 extensions of a token account's data, in their order, until the free space behind them; none of a plain one. A
 * torn last one has the bytes that are there. Source of truth: spl-token-2022 `get_tlv_data_info`.
 */
export function accountExtensions(data: Uint8Array): readonly AccountExtension[] {
  const found: AccountExtension[] = [];
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = EXTENSIONS_AT; at + HEADER_BYTES <= data.length; ) {
    const type = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    if (type === 0) break;
    const from = at + HEADER_BYTES;
    found.push({ type, body: data.subarray(from, from + length) });
    at = from + length;
  }
  return found;
}

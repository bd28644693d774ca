import type { Address, ChainAccount } from '@tradepost/solana';
import type { Chain } from '../ports/chain.ts';
import type { TokenMetadataRecord, TokenRecord, TokenRecords } from '../ports/token-records.ts';
import { decodeOrNull } from './byte-reader.ts';
import { metadataAddress, metaplexMetadata } from './metadata-layout.ts';
import { EXTENSION, mintExtensions } from './mint-layout.ts';
import { decodeText } from './text-layout.ts';
import { tokenOf } from './token-reader.ts';

/** `TokenRecords` over the accounts of a mint and of its Metaplex record, read together. */
export function createTokenRecords(chain: Pick<Chain, 'accounts'>): TokenRecords {
  return {
    find: async (mint) => {
      const { slot, accounts } = await chain.accounts([mint, metadataAddress(mint)]);
      const [account = null, record = null] = accounts;
      const token = tokenOf(mint, account, record);
      if (account === null || token === null) return null;
      return {
        token,
        slot,
        ...(decodeOrNull(() => ownParts(account)) ?? NO_PARTS),
        ...metadataOf(mint, account, record),
      };
    },
  };
}

type Parts = Pick<TokenRecord, 'feeCollector' | 'interest' | 'pauser'>;
const NO_PARTS: Parts = { feeCollector: null, interest: null, pauser: null };

/** Holders of powers that a plain `Token` only counts. Source of truth: spl-token-2022's extension layouts. */
function ownParts(account: ChainAccount): Parts {
  let parts = NO_PARTS;
  for (const { type, body } of mintExtensions(account)) {
    if (type === EXTENSION.transferFeeConfig) {
      body.skip(32);
      parts = { ...parts, feeCollector: body.optionalAddress() };
    } else if (type === EXTENSION.interestBearing) {
      const authority = body.optionalAddress();
      // Start, average rate before the last change, its time.
      body.skip(8 + 2 + 8);
      parts = { ...parts, interest: { authority, bps: signed16(body.u16()) } };
    } else if (type === EXTENSION.pausable) {
      parts = { ...parts, pauser: body.optionalAddress() };
    }
  }
  return parts;
}

/** As wallets read it: the mint's own when it points at itself, else the Metaplex record. */
function metadataOf(
  mint: Address,
  account: ChainAccount,
  record: ChainAccount | null,
): { readonly metadata: TokenMetadataRecord | null } {
  const own = decodeOrNull(() => ownMetadata(mint, account));
  if (own !== null) return { metadata: own };
  return { metadata: record === null ? null : metaplexMetadata(mint, record) };
}

function ownMetadata(mint: Address, account: ChainAccount): TokenMetadataRecord | null {
  let pointsHere = false;
  let found: TokenMetadataRecord | null = null;
  for (const { type, body } of mintExtensions(account)) {
    if (type === EXTENSION.metadataPointer) {
      body.skip(32);
      pointsHere = body.optionalAddress() === mint;
    } else if (type === EXTENSION.tokenMetadata) {
      const updateAuthority = body.optionalAddress();
      if (body.address() !== mint) continue;
      body.skip(body.u32());
      body.skip(body.u32());
      found = { kind: 'token-2022', uri: decodeText(body.bytes(body.u32())), updateAuthority };
    }
  }
  return pointsHere ? found : null;
}

const signed16 = (value: number): number => (value > 0x7fff ? value - 0x1_0000 : value);

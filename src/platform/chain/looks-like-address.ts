import type { Address } from '@tradepost/solana';

/**
 * Whether a node's answer may be an address, by its length alone: for answers that are compared and never used as bytes, where base58 would
 * be the dearest part of a read.
 */
export function looksLikeAddress(value: unknown): value is Address {
  return typeof value === 'string' && value.length >= 32 && value.length <= 44;
}

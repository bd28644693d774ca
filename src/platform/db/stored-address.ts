import type { Address } from '@tradepost/solana';

/** An address as a column has it: only a text that was an address when it was written is there, and each row has several. */
export function storedAddress(text: string): Address {
  return text as Address;
}

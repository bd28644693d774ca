import { type Address, addressBytes, toBase58 } from './address.ts';

/** Base58 of keys seen before: the same few programs and accounts come back in every transaction. */
export interface AddressCache {
  bytesOf(address: Address): Uint8Array;
  addressOf(bytes: Uint8Array): Address;
}

const MAX_ENTRIES = 50_000;

export function createAddressCache(): AddressCache {
  const bytesOf = new Map<Address, Uint8Array>();
  const addressOf = new Map<string, Address>();
  const remember = (address: Address, bytes: Uint8Array): void => {
    if (bytesOf.size >= MAX_ENTRIES) bytesOf.clear();
    if (addressOf.size >= MAX_ENTRIES) addressOf.clear();
    bytesOf.set(address, bytes);
    addressOf.set(textOf(bytes), address);
  };
  return {
    bytesOf: (address) => {
      const known = bytesOf.get(address);
      if (known !== undefined) return known;
      const bytes = addressBytes(address);
      remember(address, bytes);
      return bytes;
    },
    addressOf: (bytes) => {
      const known = addressOf.get(textOf(bytes));
      if (known !== undefined) return known;
      const address = keyAddress(bytes);
      remember(address, bytes.slice());
      return address;
    },
  };
}

/** The address of a slice that is known to be 32 bytes long. */
export function keyAddress(bytes: Uint8Array): Address {
  return toBase58(bytes) as Address;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

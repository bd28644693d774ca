import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';
import { keyAddress } from './address-cache.ts';
import type { WireMessage } from './wire.ts';

const TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
const TABLE_HEADER_BYTES = 56;

export type ResolvedKeys = {
  /** Static accounts, then writable and then read-only accounts of the lookup tables: the order instructions index. */
  readonly keys: readonly Address[];
  readonly writable: readonly boolean[];
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] };
};

/** The accounts of a message with its lookup tables read through `read`; the runtime's error name when a table fails. */
export function resolveKeys(
  message: WireMessage,
  read: (table: Address) => AccountState | null,
): ResolvedKeys | string {
  const writableKeys: Address[] = [];
  const readonlyKeys: Address[] = [];
  for (const lookup of message.lookups) {
    const table = read(lookup.table);
    if (table === null) return 'AddressLookupTableNotFound';
    if (table.owner !== TABLE_PROGRAM) return 'InvalidAddressLookupTableOwner';
    if (table.data.length < TABLE_HEADER_BYTES) return 'InvalidAddressLookupTableData';
    for (const [indexes, into] of [
      [lookup.writable, writableKeys],
      [lookup.readonly, readonlyKeys],
    ] as const) {
      for (const index of indexes) {
        const start = TABLE_HEADER_BYTES + 32 * index;
        if (start + 32 > table.data.length) return 'InvalidAddressLookupTableIndex';
        into.push(keyAddress(table.data.subarray(start, start + 32)));
      }
    }
  }
  const { staticKeys, requiredSignatures, readonlySigned, readonlyUnsigned } = message;
  const staticWritable = staticKeys.map((_, i) =>
    i < requiredSignatures
      ? i < requiredSignatures - readonlySigned
      : i < staticKeys.length - readonlyUnsigned,
  );
  if (writableKeys.length === 0 && readonlyKeys.length === 0) {
    return { keys: staticKeys, writable: staticWritable, loaded: { writable: [], readonly: [] } };
  }
  return {
    keys: [...staticKeys, ...writableKeys, ...readonlyKeys],
    writable: [...staticWritable, ...writableKeys.map(() => true), ...readonlyKeys.map(() => false)],
    loaded: { writable: writableKeys, readonly: readonlyKeys },
  };
}

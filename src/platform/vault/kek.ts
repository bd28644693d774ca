/** A key-encryption key: wraps the data keys of wallets. It lives outside the database, so that a dump alone opens nothing. */
export interface KeyEncryptionKey {
  /** Stable name, stored beside each wrapped key. */
  readonly id: string;
  /** Throws KEK_UNAVAILABLE when the provider cannot be asked. */
  wrap(dek: Uint8Array, aad: Uint8Array): Promise<Uint8Array>;
  /** Throws KEK_UNAVAILABLE when the provider cannot be asked, any other error when the box is not its own. */
  unwrap(box: Uint8Array, aad: Uint8Array): Promise<Uint8Array>;
}

/** The current key for new wallets, and the older ones that still open theirs. */
export type Keyring = {
  readonly current: KeyEncryptionKey;
  find(id: string): KeyEncryptionKey | null;
};

/** Throws a RangeError when two keys share an id: which of them opens a row would be chance. */
export function keyring(current: KeyEncryptionKey, older: readonly KeyEncryptionKey[] = []): Keyring {
  const byId = new Map<string, KeyEncryptionKey>();
  for (const key of [current, ...older]) {
    if (byId.has(key.id)) throw new RangeError(`two key-encryption keys are called ${key.id}`);
    byId.set(key.id, key);
  }
  return { current, find: (id) => byId.get(id) ?? null };
}

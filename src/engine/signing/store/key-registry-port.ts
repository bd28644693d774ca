/** A key-encryption key that sealed something of this installation at some time. */
export type SealingKey = {
  readonly kekId: string;
  /** Epoch milliseconds. */
  readonly firstSeen: number;
  /** When a rotation left nothing under it; null = in use, or in use again. */
  readonly retiredAt: number | null;
  /** Known bytes under this key; null for a key that is older than probes. */
  readonly probe: Uint8Array | null;
};

/** Which keys ever sealed something here, so that a key from elsewhere differs from one of this installation. */
export interface KeyRegistry {
  find(kekId: string): Promise<SealingKey | null>;
  /** Oldest first. */
  list(): Promise<readonly SealingKey[]>;
  /** The key is in use from now on: its row is made, or is no longer retired; `probe` takes the place of the former one. */
  introduce(key: { readonly kekId: string; readonly at: number; readonly probe: Uint8Array }): Promise<void>;
  /** Retires every key but `current` under which neither a wallet nor a secret of the service is sealed; their ids. */
  retireUnused(current: string, at: number): Promise<readonly string[]>;
}

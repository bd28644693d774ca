/** A secret of the service itself, wrapped by a key-encryption key: a dump alone does not open it. */
export type SealedSecret = { readonly name: string; readonly kekId: string; readonly wrapped: Uint8Array };

export interface SealedSecretStore {
  find(name: string): Promise<SealedSecret | null>;
  /** Inserts unless the name is known; false then. */
  insert(secret: SealedSecret): Promise<boolean>;
  /** Replaces the wrapping when it is still the one of `kekId`. */
  rewrap(secret: SealedSecret, kekId: string): Promise<boolean>;
}

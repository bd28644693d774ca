/** What is kept: documents of tokens, and pictures in the two forms that `Pictures` makes. */
export type MetadataFileType = 'json' | 'png' | 'jpg';

export type StoredFile = {
  /** Of the bytes, as 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Where everybody reads exactly these bytes from now on; at most 200 bytes, which is what Metaplex takes. */
  readonly uri: string;
};

/**
 * Files that tokens point at. Content-addressed: the name of a file is the hash of its bytes, so what a link shows can never
 * change, and putting the same bytes twice keeps them once.
 */
export interface MetadataStore {
  /**
   * Keeps the bytes for good; once it resolves every process of the service can serve them. Throws PUBLIC_URL_UNKNOWN when
   * there is no address to serve them at, METADATA_STORE_FULL when pictures have used up their room, DATABASE_UNREACHABLE,
   * and PINNING_FAILED where a pinning service is asked too.
   */
  put(type: MetadataFileType, bytes: Uint8Array): Promise<StoredFile>;
  /** The bytes of this hash and type, or null. */
  find(sha256: string, type: MetadataFileType): Promise<Uint8Array | null>;
}

/** Path under the public URL. A picture and a document never share one. */
export function metadataPath(sha256: string, type: MetadataFileType): string {
  return `/${type === 'json' ? 'metadata' : 'images'}/${sha256}.${type}`;
}

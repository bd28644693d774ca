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
   * Keeps the bytes; once it resolves every process of the service can serve them. A document stays for good, and so does
   * the picture of ours that it names as its `image`; any other picture waits for one, anew at each put of the same bytes,
   * and goes with `deleteUnused`. Throws PUBLIC_URL_UNKNOWN when there is no address to serve them at, METADATA_STORE_FULL
   * when pictures have used up their room, DATABASE_UNREACHABLE, and PINNING_FAILED where a pinning service is asked too.
   */
  put(type: MetadataFileType, bytes: Uint8Array): Promise<StoredFile>;
  /** The bytes of this hash and type, or null. */
  find(sha256: string, type: MetadataFileType): Promise<Uint8Array | null>;
  /**
   * Deletes pictures that wait for a document since before `before` (Unix milliseconds), a few hundred at most, and answers
   * how many. A document that is put meanwhile wins. What a pinning service holds stays pinned there.
   */
  deleteUnused(before: number): Promise<number>;
}

/** A store that others build on: files may have links that do not end in their hash. */
export interface FileShelf extends MetadataStore {
  /** From now on a document whose `image` ends in `/name` names this file too. */
  alsoKnownAs(
    file: { readonly sha256: string; readonly type: MetadataFileType },
    name: string,
  ): Promise<void>;
}

/** The part of a link by which a store knows its file: what follows the last slash. */
export function nameInLink(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

/** Path under the public URL. A picture and a document never share one. */
export function metadataPath(sha256: string, type: MetadataFileType): string {
  return `/${type === 'json' ? 'metadata' : 'images'}/${sha256}.${type}`;
}

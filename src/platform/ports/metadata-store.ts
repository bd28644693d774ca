import type { Address } from '@tradepost/solana';

/** The kinds of files: documents of tokens, and pictures in the two forms that `Pictures` makes. */
export type MetadataFileType = 'json' | 'png' | 'jpg';

export type StoredFile = {
  /** Of the bytes, as 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** The link under which everybody reads exactly these bytes from now on; at most 200 bytes, the limit of Metaplex. */
  readonly uri: string;
};

/**
 * Files that tokens point at. Content-addressed: the name of a file is the hash of its bytes. So the content of a link can never change,
 * and putting the same bytes twice keeps them once.
 */
export interface MetadataStore {
  /** Where `put` would keep these bytes; keeps nothing. Throws PUBLIC_URL_UNKNOWN. */
  locate(type: MetadataFileType, bytes: Uint8Array): Promise<StoredFile>;
  /**
   * Keeps the bytes; once it resolves every process of the service can serve them. A document waits for its token, anew at each put of the
   * same bytes, and a picture for a document that names it as its `image`; waiting files go with `deleteUnused`. Throws PUBLIC_URL_UNKNOWN
   * when there is no address to serve them at, METADATA_STORE_FULL when pictures have used up their room, DATABASE_UNREACHABLE, and
   * PINNING_FAILED where a pinning service is asked too.
   */
  put(type: MetadataFileType, bytes: Uint8Array): Promise<StoredFile>;
  /** The bytes of this hash and type, or null. */
  find(sha256: string, type: MetadataFileType): Promise<Uint8Array | null>;
  /**
   * Deletes files that wait since before `before` (Unix milliseconds), a few hundred at most, and returns how many. They are documents of
   * no token, of no intent that may still make one and of no awaited mint, and pictures that no document names any more. A put meanwhile
   * wins. Files at a pinning service stay pinned there.
   */
  deleteUnused(before: number): Promise<number>;
  /** A token points at this document: it stays for good, and with it the picture that it names. */
  keep(sha256: string): Promise<void>;
  /** A stranger may make this mint with the document at `uri`: it stays until the chain has been checked for it. */
  awaitMint(wait: AwaitedMint): Promise<void>;
  /** Mints to look for now: not looked for since `lookedBefore`, or waited for since before `endBefore`; oldest first. */
  awaitedMints(due: {
    readonly lookedBefore: number;
    readonly endBefore: number;
    readonly limit: number;
  }): Promise<readonly AwaitedMint[]>;
  /** `at`: it was looked for in vain then, and will be again; null: it is waited for no longer. */
  settleMint(wait: Pick<AwaitedMint, 'mint' | 'sha256'>, at: number | null): Promise<void>;
}

export type AwaitedMint = {
  readonly mint: Address;
  /** Of the document. */
  readonly sha256: string;
  readonly uri: string;
  readonly since: number;
};

/** A store that others build on: files may have links that do not end in their hash. */
export interface FileShelf extends MetadataStore {
  /** From now on a document whose `image` ends in `/name` names this file too. */
  alsoKnownAs(
    file: { readonly sha256: string; readonly type: MetadataFileType },
    name: string,
  ): Promise<void>;
}

/** The part of a link by which a store knows its file: the text after the last slash. */
export function nameInLink(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

/** Path under the public URL. A picture and a document never share one. */
export function metadataPath(sha256: string, type: MetadataFileType): string {
  return `/${type === 'json' ? 'metadata' : 'images'}/${sha256}.${type}`;
}

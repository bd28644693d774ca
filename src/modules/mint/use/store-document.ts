import { AppError } from '../../../core/errors/app-error.ts';
import type { MetadataStore, StoredFile } from '../../../platform/ports/metadata-store.ts';
import { metadataFaults, type TokenMetadata, tokenDocument } from '../rules/token-document.ts';

/** A document that is written and has its link, and is not stored. */
export type LocatedDocument = StoredFile & { readonly bytes: Uint8Array };

/**
 * The document of a token with the link that the token's metadata will point at. Stores nothing: that is for `put`, once a simulation has
 * shown that the token can be made. Throws METADATA_INVALID with every fault, and the errors of `MetadataStore.locate`.
 */
export async function locateDocument(
  deps: { readonly metadata: Pick<MetadataStore, 'locate'> },
  token: { readonly name: string; readonly symbol: string; readonly metadata: TokenMetadata },
): Promise<LocatedDocument> {
  const faults = metadataFaults(token.metadata);
  if (faults.length > 0) throw new AppError('METADATA_INVALID', { faults });
  const bytes = new TextEncoder().encode(tokenDocument(token));
  return { ...(await deps.metadata.locate('json', bytes)), bytes };
}

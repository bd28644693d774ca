import { AppError } from '../../core/errors/app-error.ts';
import { metadataFaults, type TokenMetadata, tokenDocument } from '../../core/metadata/token-document.ts';
import type { MetadataStore, StoredFile } from '../../core/ports/metadata-store.ts';

/**
 * The document of a token, stored; its link is what the token's metadata points at. The same token gives the same link, so a
 * repeated request stores nothing twice. Throws METADATA_INVALID with every fault, and what `MetadataStore.put` throws.
 */
export async function storeDocument(
  deps: { readonly metadata: Pick<MetadataStore, 'put'> },
  token: { readonly name: string; readonly symbol: string; readonly metadata: TokenMetadata },
): Promise<StoredFile> {
  const faults = metadataFaults(token.metadata);
  if (faults.length > 0) throw new AppError('METADATA_INVALID', { faults });
  return deps.metadata.put('json', new TextEncoder().encode(tokenDocument(token)));
}

import type { MetadataStore } from '../../../platform/ports/metadata-store.ts';
import { readDocument } from '../../mint/rules/read-document.ts';
import type { PassportDocument, TokenOrigin } from '../rules/passport.ts';

type Files = Pick<MetadataStore, 'find'>;

/**
 * The hash of the document that the link promises: the one in the link, on any host, or the one that was noted when the token was made, as
 * long as the link is still the same.
 */
export function documentHash(
  uri: string,
  origin: Pick<TokenOrigin, 'uri' | 'metadataHash'> | null,
): string | null {
  const named = /\/metadata\/([0-9a-f]{64})\.json$/.exec(uri)?.[1];
  if (named !== undefined) return named;
  return origin !== null && origin.uri === uri ? origin.metadataHash : null;
}

/** The parts of a document of ours that may be shown, its picture as a path of this host; null where we do not store it. */
export async function storedDocument(
  metadata: Files,
  sha256: string | null,
): Promise<PassportDocument | null> {
  if (sha256 === null) return null;
  const bytes = await metadata.find(sha256, 'json');
  const read = bytes === null ? null : readDocument(new TextDecoder().decode(bytes));
  if (read === null) return null;
  const { description, links, image } = read;
  return { sha256, description, links, picture: await storedPicture(metadata, image ?? '') };
}

async function storedPicture(metadata: Files, uri: string): Promise<string | null> {
  const [, sha256 = '', ending = ''] = /\/images\/([0-9a-f]{64})\.(png|jpg)$/.exec(uri) ?? [];
  if (ending !== 'png' && ending !== 'jpg') return null;
  return (await metadata.find(sha256, ending)) === null ? null : `/images/${sha256}.${ending}`;
}

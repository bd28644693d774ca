import {
  lineProblem,
  linkProblem,
  MAX_DESCRIPTION_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  paragraphProblem,
  uriProblem,
} from './check-text.ts';
import type { Refuse } from './refuse.ts';
import type { TokenDraft } from './token-draft.ts';
import { LINK_NAMES, type LinkName, type MetadataSource } from './token-spec.ts';

/**
 * The creator's own URI, or what our document is to say. With a URI, `metadata` is not even looked at, as the specification
 * has it. No URI is ever fetched: whoever names one says what stands there.
 */
export function planMetadata(draft: TokenDraft, refuse: Refuse): MetadataSource {
  if (draft.metadataUri !== undefined) {
    refuse(uriProblem('metadataUri', draft.metadataUri));
    return { kind: 'uri', uri: draft.metadataUri };
  }
  const { description = '', imageUri = '', extensions = {}, tags = '' } = draft.metadata ?? {};
  if (description !== '') {
    refuse(paragraphProblem('metadata.description', description, MAX_DESCRIPTION_BYTES));
  }
  if (imageUri !== '') refuse(uriProblem('metadata.imageUri', imageUri));
  const links: Partial<Record<LinkName, string>> = {};
  for (const name of LINK_NAMES) {
    const link = extensions[name] ?? '';
    if (link === '') continue;
    refuse(linkProblem(`metadata.extensions.${name}`, link));
    links[name] = link;
  }
  return {
    kind: 'document',
    fields: { description, imageUri, links, tags: planTags(tags, refuse) },
  };
}

function planTags(text: string, refuse: Refuse): readonly string[] {
  const tags = text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const isFit = tags.length <= MAX_TAGS && tags.every((tag) => lineProblem('', tag, MAX_TAG_BYTES) === null);
  if (!isFit) {
    refuse({ field: 'metadata.tags', code: 'TAGS_INVALID', maxTags: MAX_TAGS, maxBytes: MAX_TAG_BYTES });
  }
  return tags;
}

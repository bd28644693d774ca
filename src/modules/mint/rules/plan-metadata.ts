import { type IsOwnLink, uriProblem } from './check-text.ts';
import type { TokenProblem } from './problem.ts';
import type { Refuse } from './refuse.ts';
import { type MetadataFault, metadataFaults } from './token-document.ts';
import type { TokenDraft } from './token-draft.ts';
import type { MetadataSource } from './token-spec.ts';

/**
 * The creator's own URI, or the content of our document. With a URI, `metadata` is not even read, as the specification has it. No URI is
 * ever fetched: its author answers for its content.
 */
export function planMetadata(draft: TokenDraft, refuse: Refuse, isOwn: IsOwnLink): MetadataSource {
  if (draft.metadataUri !== undefined) {
    refuse(uriProblem('metadataUri', draft.metadataUri, isOwn));
    return { kind: 'uri', uri: draft.metadataUri };
  }
  const metadata = draft.metadata ?? {};
  for (const fault of metadataFaults(metadata)) refuse(problemOf(fault));
  return { kind: 'document', metadata };
}

function problemOf(fault: MetadataFault): TokenProblem {
  const { field } = fault;
  switch (fault.code) {
    case 'TOO_LONG':
      return { field, code: 'TEXT_TOO_LONG', maxBytes: fault.maxBytes };
    case 'TOO_MANY':
      return { field, code: 'TAGS_TOO_MANY', max: fault.max };
    case 'NOT_A_LINK':
      return { field, code: 'LINK_INVALID', schemes: fault.schemes };
    case 'CONTROL_CHARACTER':
      return { field, code: 'TEXT_UNPRINTABLE' };
  }
}

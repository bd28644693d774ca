import type { MetadataFault } from '../../../core/errors/details.ts';

export type { MetadataFault } from '../../../core/errors/details.ts';
/** The creator's texts about a token beside its name and symbol; everything may be left out. */
export type TokenMetadata = {
  readonly description?: string;
  /** Where the picture is. Never fetched by us. */
  readonly imageUri?: string;
  readonly extensions?: Partial<Readonly<Record<LinkName, string>>>;
  /** Comma-separated. */
  readonly tags?: string;
};

export const LINK_NAMES = ['website', 'twitter', 'telegram', 'discord'] as const;
export type LinkName = (typeof LINK_NAMES)[number];

export const METADATA_LIMITS = {
  descriptionBytes: 1_000,
  imageUriBytes: 300,
  linkBytes: 200,
  tags: 10,
  tagBytes: 32,
} as const;

/** The schemes of pictures. No `data:` and no `javascript:`: a program that shows the document would run or inline it. */
const PICTURE_SCHEMES = ['https:', 'http:', 'ipfs:', 'ar:'];
const LINK_SCHEMES = ['https:', 'http:'];

/** Everything that is wrong with it, at once; empty when it can become a document. `prefix` goes in front of the fields. */
export function metadataFaults(metadata: TokenMetadata, prefix = 'metadata'): readonly MetadataFault[] {
  const { description, imageUri, extensions = {}, tags } = metadata;
  const faults: MetadataFault[] = [];
  const at = (field: string): string => (prefix === '' ? field : `${prefix}.${field}`);
  const tooLong = (field: string, text: string, maxBytes: number): void => {
    if (utf8Bytes(text) > maxBytes) faults.push({ field, code: 'TOO_LONG', maxBytes });
  };
  const link = (field: string, text: string, schemes: readonly string[], maxBytes: number): void => {
    if (!isLink(text, schemes)) faults.push({ field, code: 'NOT_A_LINK', schemes });
    else tooLong(field, text, maxBytes);
  };
  if (description !== undefined) {
    if (hasControl(description)) faults.push({ field: at('description'), code: 'CONTROL_CHARACTER' });
    tooLong(at('description'), description, METADATA_LIMITS.descriptionBytes);
  }
  if (imageUri !== undefined && imageUri !== '') {
    link(at('imageUri'), imageUri, PICTURE_SCHEMES, METADATA_LIMITS.imageUriBytes);
  }
  for (const name of LINK_NAMES) {
    const text = extensions[name];
    if (text !== undefined && text !== '')
      link(at(`extensions.${name}`), text, LINK_SCHEMES, METADATA_LIMITS.linkBytes);
  }
  const split = tagsOf(tags);
  if (split.length > METADATA_LIMITS.tags)
    faults.push({ field: at('tags'), code: 'TOO_MANY', max: METADATA_LIMITS.tags });
  if (split.some(hasControl)) faults.push({ field: at('tags'), code: 'CONTROL_CHARACTER' });
  if (split.some((tag) => utf8Bytes(tag) > METADATA_LIMITS.tagBytes))
    faults.push({ field: at('tags'), code: 'TOO_LONG', maxBytes: METADATA_LIMITS.tagBytes });
  return faults;
}

/**
 * The document that wallets and explorers read, as the exact text that is stored: the same token always gives the same bytes.
 * Expects metadata without faults. Source of truth: Metaplex's fungible standard (`name symbol description image`,
 * `properties.files`), the token list's `extensions` and `tags`.
 */
export function tokenDocument(token: {
  readonly name: string;
  readonly symbol: string;
  readonly metadata: TokenMetadata;
}): string {
  const { name, symbol, metadata } = token;
  const image = metadata.imageUri ?? '';
  const links = LINK_NAMES.flatMap((link) => {
    const text = metadata.extensions?.[link] ?? '';
    return text === '' ? [] : [[link, text] as const];
  });
  const website = metadata.extensions?.website ?? '';
  return JSON.stringify({
    name,
    symbol,
    description: metadata.description ?? '',
    ...(image === '' ? {} : { image }),
    ...(website === '' ? {} : { external_url: website }),
    extensions: Object.fromEntries(links),
    tags: tagsOf(metadata.tags),
    ...(image === ''
      ? {}
      : { properties: { category: 'image', files: [{ uri: image, type: pictureType(image) }] } }),
  });
}

function tagsOf(tags: string | undefined): readonly string[] {
  const split = (tags ?? '').split(',').map((tag) => tag.trim());
  return [...new Set(split.filter((tag) => tag !== ''))];
}

/** By its ending, since nothing is fetched; PNG where the ending says nothing. */
function pictureType(uri: string): string {
  const ending = /\.(png|jpe?g|webp|gif)(?:$|[?#])/i.exec(uri)?.[1]?.toLowerCase();
  if (ending === undefined) return 'image/png';
  return `image/${ending === 'jpg' ? 'jpeg' : ending}`;
}

function isLink(text: string, schemes: readonly string[]): boolean {
  // Spelled out: core has no URL parser, and the part after the scheme is the reader's to resolve.
  const parts = /^([a-z]+:)\/\/[^\s/\\@"'<>]+([/?#][^\s"'<>\\]*)?$/.exec(text);
  return parts !== null && schemes.includes(parts[1] ?? '') && !hasControl(text);
}

/**
 * Control and format characters: a reversed or hidden half of a text is an attack on its reader. Line breaks, tabs and the
 * two joiners that emoji and Persian need are no attack.
 */
function hasControl(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}]/u.test(text.replace(/[\n\t\u200c\u200d]/g, ''));
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

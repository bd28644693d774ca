import { LINK_NAMES } from './token-document.ts';

/** The parts of a stored document that may be shown. The text is still to be escaped. */
export type ReadDocument = {
  readonly description: string;
  readonly image: string | null;
  readonly links: readonly { readonly name: string; readonly url: string }[];
};

/** Reads a token's document; null for a text that is no JSON object. Fields of a wrong type are left out. */
export function readDocument(text: string): ReadDocument | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const field = (from: unknown, name: string): string => {
    const value: unknown = typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const extensions: unknown = Reflect.get(json, 'extensions');
  const image = field(json, 'image');
  return {
    description: field(json, 'description'),
    image: image === '' ? null : image,
    links: LINK_NAMES.flatMap((name) => {
      const url = field(extensions, name);
      // A link with another scheme would be run where it is clicked.
      return /^https?:\/\//.test(url) ? [{ name, url }] : [];
    }),
  };
}

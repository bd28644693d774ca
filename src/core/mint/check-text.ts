import type { TokenProblem } from './problem.ts';

/** Metaplex's limits, which wallets apply to Token-2022 metadata too. Bytes of UTF-8, not characters. */
export const MAX_NAME_BYTES = 32;
export const MAX_SYMBOL_BYTES = 10;
export const MAX_URI_BYTES = 200;
export const MAX_DESCRIPTION_BYTES = 1_000;
export const MAX_TAGS = 10;
export const MAX_TAG_BYTES = 32;

/**
 * Emoji as fonts join them: these alone may hold a joiner or a variation selector. Anywhere else such invisible
 * characters make two names look alike.
 */
const EMOJI =
  /[0-9#*]\uFE0F\u20E3|\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*/gu;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What is wrong with one line of text: too long in bytes, or holding what no reader sees. At most one problem. */
export function lineProblem(field: string, text: string, maxBytes: number): TokenProblem | null {
  const bytes = utf8Bytes(text);
  if (bytes > maxBytes) return { field, code: 'TEXT_TOO_LONG', bytes, maxBytes };
  return isPrintable(text) && text === text.trim() ? null : { field, code: 'TEXT_UNPRINTABLE' };
}

/** As `lineProblem`, for text of several lines. */
export function paragraphProblem(field: string, text: string, maxBytes: number): TokenProblem | null {
  const bytes = utf8Bytes(text);
  if (bytes > maxBytes) return { field, code: 'TEXT_TOO_LONG', bytes, maxBytes };
  return isPrintable(text.replaceAll(/\r?\n/g, ' ')) ? null : { field, code: 'TEXT_UNPRINTABLE' };
}

/** A URI to write down, never to fetch: https, ipfs or ar, at most 200 bytes of printable ASCII. */
export function uriProblem(field: string, text: string): TokenProblem | null {
  const bytes = utf8Bytes(text);
  if (bytes > MAX_URI_BYTES) return { field, code: 'TEXT_TOO_LONG', bytes, maxBytes: MAX_URI_BYTES };
  const fits =
    /^https:\/\/[^\s/?#@]+\.[^\s/?#@]+([/?#]\S*)?$/i.test(text) || /^(?:ipfs|ar):\/\/[^\s/]\S*$/i.test(text);
  return fits && /^[\x21-\x7e]+$/.test(text) && !/["<>\\^`{|}]/.test(text)
    ? null
    : { field, code: 'URI_INVALID' };
}

/** A link to a site that people open: https alone. */
export function linkProblem(field: string, text: string): TokenProblem | null {
  const problem = uriProblem(field, text);
  if (problem !== null && problem.code !== 'URI_INVALID') return problem;
  return problem === null && /^https:/i.test(text) ? null : { field, code: 'LINK_INVALID' };
}

function isPrintable(text: string): boolean {
  return text.trim() !== '' && !UNPRINTABLE.test(text.replaceAll(EMOJI, ''));
}

import { utf8Bytes } from '@tradepost/solana/bytes';
import type { TokenProblem } from './problem.ts';

/** Metaplex's limits, which wallets apply to Token-2022 metadata too. Bytes of UTF-8, not characters. */
export const MAX_NAME_BYTES = 32;
export const MAX_SYMBOL_BYTES = 10;
export const MAX_URI_BYTES = 200;

/**
 * Emoji as fonts join them: these alone may hold a joiner or a variation selector. Anywhere else such invisible
 * characters make two names look alike.
 */
const EMOJI =
  /[0-9#*]\uFE0F\u20E3|\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*/gu;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The problem of one line of text: too long in bytes, or with characters that no reader sees. At most one problem. */
export function lineProblem(field: string, text: string, maxBytes: number): TokenProblem | null {
  if (utf8Bytes(text) > maxBytes) return { field, code: 'TEXT_TOO_LONG', maxBytes };
  return isPrintable(text) && text === text.trim() ? null : { field, code: 'TEXT_UNPRINTABLE' };
}

/** Whether a link is one of this service's own documents; a service on a private network is reached by http. */
export type IsOwnLink = (uri: string) => boolean;

/** Has the form of a document of some service like this one: which service, its host says. */
export const isDocumentLink: IsOwnLink = (uri) =>
  /^http:\/\/[^\s/?#@]+\/(?:[\w.~-]+\/)*metadata\/[0-9a-f]{64}\.json$/.test(uri);

/** A URI to write down, never to fetch: https, ipfs or ar, or our own, at most 200 bytes of printable ASCII. */
export function uriProblem(field: string, text: string, isOwn: IsOwnLink = () => false): TokenProblem | null {
  if (utf8Bytes(text) > MAX_URI_BYTES) return { field, code: 'TEXT_TOO_LONG', maxBytes: MAX_URI_BYTES };
  const fits =
    /^https:\/\/[^\s/?#@]+\.[^\s/?#@]+([/?#]\S*)?$/i.test(text) ||
    /^(?:ipfs|ar):\/\/[^\s/]\S*$/i.test(text) ||
    isOwn(text);
  return fits && /^[\x21-\x7e]+$/.test(text) && !/["<>\\^`{|}]/.test(text)
    ? null
    : { field, code: 'URI_INVALID' };
}

function isPrintable(text: string): boolean {
  return text.trim() !== '' && !UNPRINTABLE.test(text.replaceAll(EMOJI, ''));
}

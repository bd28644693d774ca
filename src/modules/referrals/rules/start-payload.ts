import { type Address, isAddress } from '@tradepost/solana';

/** The text behind `/start`: an inviter's code, a token to show, or nothing we know. */
export type StartPayload = {
  readonly inviteCode: string | null;
  readonly mint: Address | null;
  /** The campaign the link was made for; it only counts, and may be anything that fits. */
  readonly tag: string | null;
  /** The group whose creator wants to set it up: Telegram's id, below 0. */
  readonly group: bigint | null;
};

const NOTHING: StartPayload = { inviteCode: null, mint: null, tag: null, group: null };
const MAX_PAYLOAD = 64;
const TAG = '[A-Z0-9-]{1,16}';
const CODE = '[A-Z0-9-]{3,12}';
const INVITE = new RegExp(`^ref_(${CODE})(?:_(${TAG}))?$`, 'i');
const GROUP = /^g_(-[1-9]\d{0,15})$/;
const TOKEN = new RegExp(`^m_([1-9A-HJ-NP-Za-km-z]{32,44})(?:_(${CODE}))?$`, 'i');

/**
 * Reads `ref_<code>`, `ref_<code>_<tag>`, `m_<mint>_<code>` (the code may be missing) and `g_<group>`; anything else is ignored, as
 * strangers write it. Codes and tags come back in upper case.
 */
export function parseStartPayload(text: string): StartPayload {
  if (text.length > MAX_PAYLOAD) return NOTHING;
  const invite = INVITE.exec(text);
  if (invite !== null) {
    return { ...NOTHING, inviteCode: (invite[1] ?? '').toUpperCase(), tag: invite[2]?.toUpperCase() ?? null };
  }
  const group = GROUP.exec(text)?.[1];
  if (group !== undefined) return { ...NOTHING, group: BigInt(group) };
  const token = TOKEN.exec(text);
  const mint = token?.[1] ?? '';
  if (token === null || !isAddress(mint)) return NOTHING;
  return { ...NOTHING, inviteCode: token[2]?.toUpperCase() ?? null, mint };
}

/** A campaign's tag as it is kept, or null when it is none: 1 to 16 of A-Z a-z 0-9 -. */
export function readTag(text: string): string | null {
  return new RegExp(`^${TAG}$`, 'i').test(text) ? text.toUpperCase() : null;
}

/** The payload of an invite link. */
export const invitePayload = (code: string, tag: string | null = null): string =>
  tag === null ? `ref_${code}` : `ref_${code}_${tag}`;

/** The payload of a link that opens a token and brings the inviter along. At most 59 of Telegram's 64 characters. */
export const tokenPayload = (mint: Address, code: string | null): string =>
  code === null ? `m_${mint}` : `m_${mint}_${code}`;

/** The payload with which a group's creator sets it up. */
export const groupPayload = (groupId: bigint): string => `g_${groupId}`;

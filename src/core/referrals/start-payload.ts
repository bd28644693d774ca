import { type Address, isAddress } from '../address/address.ts';

/** What came behind `/start`: an inviter's code, a token to show, or nothing we know. */
export type StartPayload = {
  readonly inviteCode: string | null;
  readonly mint: Address | null;
};

const CODE = '[A-Z0-9-]{3,12}';
const INVITE = new RegExp(`^ref_(${CODE})$`, 'i');
const TOKEN = new RegExp(`^m_([1-9A-HJ-NP-Za-km-z]{32,44})(?:_(${CODE}))?$`, 'i');

/** Reads `ref_<code>` and `m_<mint>_<code>` (the code may be missing); anything else is ignored, as strangers write it. */
export function parseStartPayload(text: string): StartPayload {
  const invite = INVITE.exec(text);
  if (invite !== null) return { inviteCode: (invite[1] ?? '').toUpperCase(), mint: null };
  const token = TOKEN.exec(text);
  const mint = token?.[1] ?? '';
  if (token === null || !isAddress(mint)) return { inviteCode: null, mint: null };
  return { inviteCode: token[2]?.toUpperCase() ?? null, mint };
}

/** The payload of an invite link. */
export const invitePayload = (code: string): string => `ref_${code}`;

/** The payload of a link that opens a token and brings the inviter along. At most 59 of Telegram's 64 characters. */
export const tokenPayload = (mint: Address, code: string | null): string =>
  code === null ? `m_${mint}` : `m_${mint}_${code}`;

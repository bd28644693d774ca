/** Codes that would pass for us, for staff, or for a word of our own links. */
const RESERVED = [
  'ADMIN',
  'ADMINISTRATOR',
  'HELP',
  'HELPDESK',
  'MOD',
  'MODERATOR',
  'NULL',
  'OFFICIAL',
  'OPERATOR',
  'OWNER',
  'REF',
  'REFUND',
  'ROOT',
  'SECURITY',
  'SOLANA',
  'STAFF',
  'SUPPORT',
  'SYSTEM',
  'TEAM',
  'TELEGRAM',
  'TRADEPOST',
  'TREASURY',
] as const;

export type ReferralCodeProblem = 'shape' | 'reserved';

/**
 * A typed code, in the upper case in which codes are kept and compared, or why it cannot be one: It has 3 to 12 of A-Z a-z 0-9 -, with a
 * letter or digit at either end. Hyphens aside, it does not pass for the service or its staff.
 */
export function readReferralCode(
  text: string,
):
  | { readonly code: string; readonly problem: null }
  | { readonly code: null; readonly problem: ReferralCodeProblem } {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z0-9](?:[A-Z0-9-]{1,10})[A-Z0-9]$/.test(code)) return { code: null, problem: 'shape' };
  const bare = code.replaceAll('-', '');
  if (RESERVED.some((word) => word === bare)) return { code: null, problem: 'reserved' };
  return { code, problem: null };
}

import { createHash } from 'node:crypto';

/**
 * An invitee as their inviter sees them, eight digits: the same person always reads the same, and two inviters cannot compare notes. Ids
 * carry 80 random bits: the person behind the digits cannot be found by trying.
 */
export function inviteeMark(inviterId: string, inviteeId: string): string {
  return createHash('sha256').update(`${inviterId}/${inviteeId}`).digest('hex').slice(0, 8);
}

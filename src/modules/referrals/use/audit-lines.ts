import type { RewardLine, UncountedLine } from '../rules/reward.ts';
import type { ReferralStore } from '../store/referral-store-port.ts';

/** Why something an invitee did brought nothing (yet). */
export type UncountedReason = 'not-final' | 'not-landed' | 'no-fee' | 'too-small';

export function uncountedReason({ status, feeLamports }: UncountedLine): UncountedReason {
  if (status === 'CREATED' || status === 'ACTIVE' || status === 'NEEDS_REVIEW') return 'not-final';
  if (status !== 'SUCCEEDED') return 'not-landed';
  return feeLamports === null || feeLamports === 0n ? 'no-fee' : 'too-small';
}

const CSV_PAGE = 500;
/** More lines than this do not fit a document that a chat can hold. */
const CSV_LINES = 50_000;

/**
 * Every share of an inviter as CSV, newest first, amounts in lamports. No cell starts as a formula would: all of them are ours,
 * and times, hashes, receipts and numbers only.
 */
export async function rewardsCsv(
  referrals: Pick<ReferralStore, 'rewardLines'>,
  inviterId: string,
): Promise<string> {
  const lines = [
    'time,invitee,receipt,kind,fee_lamports,share_lamports,status,trade_signature,payout_signature',
  ];
  for (let offset = 0; offset < CSV_LINES; offset += CSV_PAGE) {
    const rows = await referrals.rewardLines(inviterId, { offset, limit: CSV_PAGE });
    lines.push(...rows.map((row) => csvLine(row)));
    if (rows.length < CSV_PAGE) break;
  }
  return `${lines.join('\r\n')}\r\n`;
}

function csvLine(row: RewardLine): string {
  return [
    new Date(row.createdAt).toISOString(),
    row.inviteeMark ?? '',
    row.receipt ?? '',
    row.kind ?? '',
    row.feeLamports ?? '',
    row.lamports,
    row.status,
    row.signature,
    row.payoutSignature ?? '',
  ].join(',');
}

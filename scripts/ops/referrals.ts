import { SOL_DECIMALS } from '@tradepost/solana';
import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { createReferralFlags } from '../../src/modules/referrals/store/referral-flags.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';

const ROWS = 200;

/**
 * `referrals flags`: inviters who look like one person with one of their invitees, the evidence beside each. It changes nothing about them.
 * 1 when there is one.
 */
export async function showFlags(io: Io): Promise<number> {
  const { print } = io;
  const { db, close } = await openDatabase(io);
  try {
    const flags = await createReferralFlags(db.query).flags(ROWS);
    for (const { rule, inviter, invitee, lamports, evidence } of flags) {
      print(
        `${rule.padEnd(14)} inviter ${inviter}, invitee ${invitee}, earned ${formatUnits(lamports, SOL_DECIMALS)} SOL: ${evidence}`,
      );
    }
    print(
      flags.length === 0
        ? 'No inviter looks like one person with somebody they invited.'
        : `${flags.length} flags. Nothing follows by itself: look at each, then pause payouts or talk to the person.`,
    );
    return flags.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

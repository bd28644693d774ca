import type { ReferralStore } from '../../core/ports/referral-store.ts';
import type { ReferralAccount, Reward } from '../../core/referrals/reward.ts';
import { type BigintColumn, fromTime, toTime } from './codec.ts';
import type { Connection } from './connection.ts';

type Totals = {
  readonly invited: number;
  readonly active: number;
  readonly earned: BigintColumn;
  readonly paid: BigintColumn;
  readonly signature: string | null;
  readonly paidAt: Date | null;
};

export function createPrismaReferralStore({ prisma, query }: Connection): ReferralStore {
  return {
    account: async (userId) => toAccount(await prisma.referralAccount.findUnique({ where: { userId } })),
    accountByCode: async (code) => toAccount(await prisma.referralAccount.findUnique({ where: { code } })),
    open: async (account) => {
      await query(
        `INSERT INTO referral_accounts (user_id, code, created_at) VALUES ($1, $2, $3::timestamptz)
         ON CONFLICT (user_id) DO NOTHING`,
        [account.userId, account.code, toTime(account.createdAt)],
      );
      const row = await prisma.referralAccount.findUniqueOrThrow({ where: { userId: account.userId } });
      return { ...row, createdAt: fromTime(row.createdAt) };
    },
    totals: async (userId) => {
      const [row] = await query<Totals>(
        `SELECT
           (SELECT count(*)::int FROM users WHERE inviter_id = $1) AS invited,
           (SELECT count(*)::int FROM users WHERE inviter_id = $1 AND EXISTS (
              SELECT 1 FROM intents
              WHERE user_id = users.id AND status = 'SUCCEEDED' AND kind IN ('buy', 'sell'))) AS active,
           (SELECT coalesce(sum(lamports), 0)::text FROM rewards WHERE inviter_id = $1 AND source = 'referral') AS earned,
           (SELECT coalesce(sum(lamports), 0)::text FROM rewards WHERE inviter_id = $1 AND source = 'referral' AND status = 'PAID') AS paid,
           last.signature, last.updated_at AS "paidAt"
         FROM (SELECT 1) AS always LEFT JOIN LATERAL (
           SELECT attempts.signature, intents.updated_at
           FROM rewards
           JOIN intents ON intents.id = rewards.payout_intent_id
           JOIN attempts ON attempts.intent_id = intents.id AND attempts.status = 'FINALIZED'
           WHERE rewards.inviter_id = $1 AND rewards.source = 'referral' AND rewards.status = 'PAID'
           ORDER BY intents.updated_at DESC LIMIT 1
         ) AS last ON true`,
        [userId],
      );
      const earned = BigInt(row?.earned ?? 0);
      const paid = BigInt(row?.paid ?? 0);
      return {
        invited: row?.invited ?? 0,
        active: row?.active ?? 0,
        earnedLamports: earned,
        paidLamports: paid,
        pendingLamports: earned - paid,
        lastPayout:
          row?.signature && row.paidAt ? { signature: row.signature, at: fromTime(row.paidAt) } : null,
      };
    },
    addReward: async (reward) => {
      const rows = await query(
        `INSERT INTO rewards (id, inviter_id, invitee_id, intent_id, signature, fee_lamports, lamports, status,
           payout_intent_id, created_at, source)
         VALUES ($1, $2, $3, $4, $5, $6::bigint, $7::bigint, $8, $9, $10::timestamptz, $11)
         ON CONFLICT (signature) DO NOTHING RETURNING id`,
        [
          reward.id,
          reward.inviterId,
          reward.inviteeId,
          reward.intentId,
          reward.signature,
          reward.feeLamports?.toString() ?? null,
          reward.lamports.toString(),
          reward.status,
          reward.payoutIntentId,
          toTime(reward.createdAt),
          reward.source,
        ],
      );
      return rows.length > 0;
    },
    lockAccrued: async (limit) => {
      // A second collector skips what this one holds and finds nothing: no reward is in two payouts.
      const rows = await query<{
        readonly inviterId: string;
        readonly lamports: string;
        readonly rewardIds: readonly string[];
      }>(
        `WITH top AS (
           SELECT inviter_id FROM rewards WHERE status = 'ACCRUED'
           GROUP BY inviter_id ORDER BY sum(lamports) DESC, inviter_id LIMIT $1::int
         ), held AS (
           SELECT rewards.id, rewards.inviter_id, rewards.lamports FROM rewards JOIN top USING (inviter_id)
           WHERE rewards.status = 'ACCRUED' ORDER BY rewards.id FOR UPDATE OF rewards SKIP LOCKED
         )
         SELECT inviter_id AS "inviterId", sum(lamports)::text AS lamports, array_agg(id ORDER BY id) AS "rewardIds"
         FROM held GROUP BY inviter_id ORDER BY sum(lamports) DESC, inviter_id`,
        [limit],
      );
      return rows.map((row) => ({ ...row, lamports: BigInt(row.lamports) }));
    },
    markBatched: async (rewardIds, payoutIntentId) => {
      const rows = await query(
        `UPDATE rewards SET status = 'BATCHED', payout_intent_id = $2
         WHERE id = ANY($1::text[]) AND status = 'ACCRUED' AND $3::int = (
           SELECT count(*) FROM rewards WHERE id = ANY($1::text[]) AND status = 'ACCRUED')
         RETURNING id`,
        [rewardIds, payoutIntentId, rewardIds.length],
      );
      if (rows.length !== rewardIds.length)
        throw new Error(`rewards: not all of ${rewardIds.join(', ')} are ACCRUED`);
    },
    settle: async (payoutIntentId, status) => {
      await prisma.reward.updateMany({
        where: { payoutIntentId, status: 'BATCHED' },
        data: { status, payoutIntentId: status === 'PAID' ? payoutIntentId : null },
      });
    },
    rewards: async (inviterId, limit) => {
      const rows = await prisma.reward.findMany({
        where: { inviterId },
        orderBy: { id: 'desc' },
        take: limit,
      });
      return rows.map((row) => ({
        ...row,
        status: row.status as Reward['status'],
        source: row.source as Reward['source'],
        createdAt: fromTime(row.createdAt),
      }));
    },
  };
}

function toAccount(row: { userId: string; code: string; createdAt: Date } | null): ReferralAccount | null {
  return row && { ...row, createdAt: fromTime(row.createdAt) };
}

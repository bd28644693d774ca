import { address } from '../../../core/address/address.ts';
import { FEE_KINDS } from '../../../engine/fees/rules/fee-kinds.ts';
import { type BigintColumn, fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { OUTCOME } from '../../../platform/db/json/intent-json.ts';
import type { ReferralAccount, Reward, RewardLine, UncountedLine } from '../rules/reward.ts';
import { inviteeMark } from './invitee-mark.ts';
import type { ReferralStore } from './referral-store-port.ts';

// SQL: rewards are summed, batched and settled by compare-and-set within the books' transaction.

type Totals = {
  readonly invited: number;
  readonly active: number;
  readonly earned: BigintColumn;
  readonly paid: BigintColumn;
  readonly signature: string | null;
  readonly paidAt: Date | null;
};

const REWARD_COLUMNS = `id, source, inviter_id AS "inviterId", invitee_id AS "inviteeId", intent_id AS "intentId", signature,
  fee_lamports AS "feeLamports", lamports, status, payout_intent_id AS "payoutIntentId", created_at AS "createdAt"`;

type RewardRow = Omit<Reward, 'feeLamports' | 'lamports' | 'createdAt'> & {
  readonly feeLamports: BigintColumn | null;
  readonly lamports: BigintColumn;
  readonly createdAt: Date;
};

type AccountRow = Omit<ReferralAccount, 'createdAt'> & { readonly createdAt: Date };

/** Of so many rewards that were paid, the newest by their trades, one was paid last: no payout waits while as many others go. */
const LATE_PAID = 100;

export function createPrismaReferralStore(connection: Connection): ReferralStore {
  return {
    ...inviterAccounts(connection),
    ...inviterCodes(connection),
    ...campaignRows(connection),
    ...inviterTotals(connection),
    ...accruedRewards(connection),
    ...payoutSources(connection),
    ...payoutBatches(connection),
    ...rewardLines(connection),
    uncounted: uncountedLines(connection),
  };
}

/** Inviters and their codes. */
function inviterAccounts({
  query,
}: Pick<Connection, 'query'>): Pick<ReferralStore, 'account' | 'accountByCode' | 'open'> {
  const account = async (condition: string, value: string): Promise<ReferralAccount | null> => {
    const [row] = await query<AccountRow>(
      `SELECT user_id AS "userId", code, created_at AS "createdAt", codes_chosen AS "codesChosen"
       FROM referral_accounts WHERE ${condition}`,
      [value],
    );
    return row ? { ...row, createdAt: fromTime(row.createdAt) } : null;
  };
  return {
    account: (userId) => account('user_id = $1', userId),
    accountByCode: (code) => account('code = $1', code),
    open: async (opened) => {
      await query(
        `INSERT INTO referral_accounts (user_id, code, created_at, codes_chosen)
         VALUES ($1, $2, $3::timestamptz, $4::int) ON CONFLICT (user_id) DO NOTHING`,
        [opened.userId, opened.code, toTime(opened.createdAt), opened.codesChosen],
      );
      const known = await account('user_id = $1', opened.userId);
      if (known === null) throw new Error(`referral_accounts: ${opened.userId} is neither new nor known`);
      return known;
    },
  };
}

/** Codes, those that are retired too. */
function inviterCodes({ query }: Pick<Connection, 'query'>): Pick<ReferralStore, 'codeOwner' | 'rename'> {
  return {
    codeOwner: async (code) => {
      const [row] = await query<{ readonly userId: string }>(
        `SELECT user_id AS "userId" FROM referral_accounts WHERE code = $1
         UNION ALL SELECT user_id FROM retired_referral_codes WHERE code = $1 LIMIT 1`,
        [code],
      );
      return row?.userId ?? null;
    },
    rename: async (_passed, userId, code, at) => {
      // Retiring and taking are one statement, and a code is looked for in both places under a lock of its own name. Two people who
      // choose the same code at once cannot both get it.
      await query(
        `SELECT pg_advisory_xact_lock(hashtextextended('referral-code/' || $1, 0))::text AS locked`,
        [code],
      );
      const rows = await query(
        `WITH mine AS (
           SELECT code FROM referral_accounts WHERE user_id = $1
             AND NOT EXISTS (SELECT 1 FROM referral_accounts WHERE code = $2)
             AND NOT EXISTS (SELECT 1 FROM retired_referral_codes WHERE code = $2 AND user_id <> $1)
           FOR UPDATE
         ), retired AS (
           INSERT INTO retired_referral_codes (code, user_id, retired_at)
           SELECT code, $1, $3::timestamptz FROM mine
           ON CONFLICT (code) DO UPDATE SET retired_at = EXCLUDED.retired_at
         )
         UPDATE referral_accounts SET code = $2, codes_chosen = codes_chosen + 1
         FROM mine WHERE user_id = $1 RETURNING user_id`,
        [userId, code, toTime(at)],
      );
      return rows.length > 0;
    },
  };
}

/** Who came by which link. */
function campaignRows({ query }: Pick<Connection, 'query'>): Pick<ReferralStore, 'addArrival' | 'campaigns'> {
  return {
    addArrival: async (arrival) => {
      await query(
        `INSERT INTO campaign_arrivals (invitee_id, inviter_id, tag) VALUES ($1, $2, $3)
         ON CONFLICT (invitee_id) DO NOTHING`,
        [arrival.inviteeId, arrival.inviterId, arrival.tag],
      );
    },
    campaigns: async (inviterId, limit) => {
      const rows = await query<{
        readonly tag: string;
        readonly invited: number;
        readonly active: number;
        readonly earned: BigintColumn;
      }>(
        `SELECT tag, count(*)::int AS invited,
           count(*) FILTER (WHERE EXISTS (
             SELECT 1 FROM intents
             WHERE user_id = invitee_id AND status = 'SUCCEEDED' AND kind IN ('buy', 'sell')))::int AS active,
           coalesce(sum((SELECT sum(lamports) FROM rewards
             WHERE rewards.inviter_id = $1 AND rewards.invitee_id = campaign_arrivals.invitee_id)), 0)::text AS earned
         FROM campaign_arrivals WHERE inviter_id = $1
         GROUP BY tag ORDER BY count(*) DESC, tag LIMIT $2::int`,
        [inviterId, limit],
      );
      return rows.map(({ tag, invited, active, earned }) => ({
        tag,
        invited,
        active,
        earnedLamports: BigInt(earned),
      }));
    },
  };
}

/** The earnings of an inviter, and the trades of the invitees. */
function inviterTotals({ query }: Pick<Connection, 'query'>): Pick<ReferralStore, 'totals' | 'volume'> {
  return {
    totals: async (userId) => {
      const [row] = await query<Totals>(
        `SELECT
           (SELECT count(*)::int FROM users WHERE inviter_id = $1) AS invited,
           (SELECT count(*)::int FROM users WHERE inviter_id = $1 AND EXISTS (
              SELECT 1 FROM intents
              WHERE user_id = users.id AND status = 'SUCCEEDED' AND kind IN ('buy', 'sell'))) AS active,
           sums.earned, sums.paid, last.signature, last.updated_at AS "paidAt"
         FROM (SELECT coalesce(sum(lamports), 0)::text AS earned,
             coalesce(sum(lamports) FILTER (WHERE status = 'PAID'), 0)::text AS paid
           FROM rewards WHERE inviter_id = $1 AND source = 'referral') AS sums
         LEFT JOIN LATERAL (
           SELECT attempts.signature, intents.updated_at
           FROM (SELECT payout_intent_id FROM rewards
             WHERE inviter_id = $1 AND source = 'referral' AND status = 'PAID'
             ORDER BY rewards.id DESC LIMIT ${LATE_PAID}) AS paid
           JOIN intents ON intents.id = paid.payout_intent_id
           JOIN attempts ON attempts.intent_id = intents.id AND attempts.status = 'FINALIZED'
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
    volume: async (userId, since) => {
      // The lamports that left a buyer's wallet or reached a seller's, without the network's fee, the tip and rent. A sale's platform fee
      // was part of its proceeds.
      const part = (name: string): string =>
        `coalesce((outcome -> 'receipt' -> '${name}' ->> '$bigint')::numeric, 0)`;
      const [row] = await query<{ readonly volume: string }>(
        `SELECT coalesce(sum(greatest(0, CASE kind WHEN 'buy' THEN -side ELSE side + ${part('platformFeeLamports')} END)), 0)::text AS volume
         FROM users JOIN intents ON intents.user_id = users.id
         CROSS JOIN LATERAL (SELECT ${part('walletLamportsDelta')} + ${part('feeLamports')} + ${part('rentLamports')} + ${part('tipLamports')} AS side) AS moved
         WHERE users.inviter_id = $1 AND status = 'SUCCEEDED' AND kind IN ('buy', 'sell') AND updated_at >= $2::timestamptz`,
        [userId, toTime(since)],
      );
      return BigInt(row?.volume ?? 0);
    },
  };
}

/** A reward of a conversion is paid where its period is among those of the parameter; see `conversionName`. */
const payable = (periods: string): string =>
  `(source <> 'conversion' OR split_part(signature, '.', 1) = ANY(${periods}::text[]))`;

/** Rewards that wait for a payout. */
function accruedRewards({
  query,
}: Pick<Connection, 'query'>): Pick<ReferralStore, 'addReward' | 'payoutCandidates'> {
  return {
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
    payoutCandidates: async ({ offset, limit, leastLamports, now, conversions }) => {
      const rows = await query<{
        readonly inviterId: string;
        readonly recipient: string;
        readonly lamports: string;
      }>(
        // As `payoutWallet` in modules/wallets/rules says: the last chosen, else the oldest made here, else the oldest confirmed one.
        `SELECT owed.inviter_id AS "inviterId", receiver.address AS recipient, owed.lamports::text AS lamports
         FROM (
           SELECT inviter_id, sum(lamports) AS lamports FROM rewards
           WHERE status = 'ACCRUED' AND ${payable('$5')} GROUP BY inviter_id
           HAVING sum(lamports) >= $3::bigint
         ) AS owed
         CROSS JOIN LATERAL (
           SELECT address FROM wallets
           WHERE user_id = owed.inviter_id AND deleted_at IS NULL AND (origin = 'made' OR confirmed_at <= $4::timestamptz)
           ORDER BY CASE WHEN payout_from <= $4::timestamptz THEN payout_from END DESC NULLS LAST, origin <> 'made', id
           LIMIT 1
         ) AS receiver
         ORDER BY owed.lamports DESC, owed.inviter_id LIMIT $2::int OFFSET $1::int`,
        [offset, limit, leastLamports.toString(), toTime(now), conversions],
      );
      return rows.map((row) => ({
        inviterId: row.inviterId,
        recipient: address(row.recipient),
        lamports: BigInt(row.lamports),
      }));
    },
  };
}

/** Whose rewards a payout holds, and where they came from. */
function payoutSources({
  query,
}: Pick<Connection, 'query'>): Pick<ReferralStore, 'payoutSources' | 'payoutConversions'> {
  return {
    payoutConversions: async (payoutIntentId) => {
      const rows = await query<{
        readonly userId: string;
        readonly name: string;
        readonly lamports: BigintColumn;
      }>(
        `SELECT inviter_id AS "userId", signature AS name, lamports::text FROM rewards
         WHERE payout_intent_id = $1 AND source = 'conversion' ORDER BY id`,
        [payoutIntentId],
      );
      return rows.map((row) => ({ ...row, lamports: BigInt(row.lamports) }));
    },
    payoutSources: async (payoutIntentId) => {
      const rows = await query<{ readonly inviterId: string; readonly source: Reward['source'] }>(
        `SELECT DISTINCT inviter_id AS "inviterId", source FROM rewards WHERE payout_intent_id = $1 ORDER BY inviter_id, source`,
        [payoutIntentId],
      );
      return rows;
    },
  };
}

/** Rewards of one payout, from its start to its end. */
function payoutBatches({
  query,
}: Pick<Connection, 'query'>): Pick<ReferralStore, 'lockAccrued' | 'markBatched' | 'settle'> {
  return {
    lockAccrued: async (inviterIds, conversions) => {
      // A second collector skips the rewards that this one holds and finds nothing: no reward is in two payouts.
      const rows = await query<{
        readonly inviterId: string;
        readonly lamports: string;
        readonly rewardIds: readonly string[];
      }>(
        `WITH held AS (
           SELECT id, inviter_id, lamports FROM rewards
           WHERE status = 'ACCRUED' AND inviter_id = ANY($1::text[]) AND ${payable('$2')}
           ORDER BY id FOR UPDATE SKIP LOCKED
         )
         SELECT inviter_id AS "inviterId", sum(lamports)::text AS lamports, array_agg(id ORDER BY id) AS "rewardIds"
         FROM held GROUP BY inviter_id ORDER BY sum(lamports) DESC, inviter_id`,
        [inviterIds, conversions],
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
      await query(
        `UPDATE rewards SET status = $2, payout_intent_id = CASE WHEN $2 = 'PAID' THEN $1 END
         WHERE payout_intent_id = $1 AND status = 'BATCHED'`,
        [payoutIntentId, status],
      );
    },
  };
}

/** Rewards as their inviter sees them. */
function rewardLines({ query }: Pick<Connection, 'query'>): Pick<ReferralStore, 'rewards' | 'rewardLines'> {
  return {
    rewards: async (inviterId, limit) => {
      const rows = await query<RewardRow>(
        `SELECT ${REWARD_COLUMNS} FROM rewards WHERE inviter_id = $1 ORDER BY id DESC LIMIT $2::int`,
        [inviterId, limit],
      );
      return rows.map(toReward);
    },
    rewardLines: async (inviterId, { offset, limit }) => {
      const rows = await query<RewardRow>(
        `SELECT ${REWARD_COLUMNS} FROM rewards WHERE inviter_id = $1 AND source = 'referral'
         ORDER BY id DESC OFFSET $2::int LIMIT $3::int`,
        [inviterId, offset, limit],
      );
      const intents = await query<{ readonly id: string; readonly receipt: string; readonly kind: string }>(
        'SELECT id, receipt, kind FROM intents WHERE id = ANY($1::text[])',
        [rows.flatMap(({ intentId }) => intentId ?? [])],
      );
      const payouts = await query<{ readonly intentId: string; readonly signature: string }>(
        `SELECT intent_id AS "intentId", signature FROM attempts
         WHERE intent_id = ANY($1::text[]) AND status = 'FINALIZED'`,
        [rows.flatMap((row) => (row.status === 'PAID' ? (row.payoutIntentId ?? []) : []))],
      );
      return rows.map((row) => {
        const intent = intents.find(({ id }) => id === row.intentId);
        return {
          ...toReward(row),
          inviteeMark: row.inviteeId === null ? null : inviteeMark(inviterId, row.inviteeId),
          receipt: intent?.receipt ?? null,
          kind: (intent?.kind ?? null) as RewardLine['kind'],
          payoutSignature: payouts.find(({ intentId }) => intentId === row.payoutIntentId)?.signature ?? null,
        };
      });
    },
  };
}

/** Trades of the invited that earned nothing. */
function uncountedLines({ query }: Pick<Connection, 'query'>): ReferralStore['uncounted'] {
  return async (inviterId, { offset, limit }) => {
    const rows = await query<{
      readonly inviteeId: string;
      readonly receipt: string;
      readonly kind: UncountedLine['kind'];
      readonly status: UncountedLine['status'];
      readonly outcome: unknown;
      readonly createdAt: Date;
    }>(
      // NOT IN and not NOT EXISTS: the rewards are hashed once, at any estimate of the planner. OFFSET 0 keeps the look into each
      // invitee's intents as it is: the planner walked everybody's by id, and an inviter who misses nothing has it walk them all.
      `WITH page AS (
         SELECT made.id FROM users CROSS JOIN LATERAL (
           SELECT id FROM intents WHERE user_id = users.id AND kind = ANY($4::text[]) OFFSET 0) AS made
         WHERE users.inviter_id = $1 AND made.id NOT IN (
           SELECT intent_id FROM rewards WHERE inviter_id = $1 AND intent_id IS NOT NULL)
         ORDER BY made.id DESC LIMIT $3::int OFFSET $2::int)
       SELECT intents.user_id AS "inviteeId", intents.receipt, intents.kind, intents.status, intents.outcome,
         intents.created_at AS "createdAt"
       FROM page JOIN intents ON intents.id = page.id ORDER BY intents.id DESC`,
      [inviterId, offset, limit, FEE_KINDS],
    );
    return rows.map(({ inviteeId, outcome, createdAt, ...row }) => ({
      ...row,
      inviteeMark: inviteeMark(inviterId, inviteeId),
      feeLamports:
        outcome === null ? null : (OUTCOME.decode(row.receipt, outcome).receipt?.platformFeeLamports ?? null),
      createdAt: fromTime(createdAt),
    }));
  };
}

function toReward({ feeLamports, ...row }: RewardRow): Reward {
  return {
    ...row,
    feeLamports: feeLamports === null ? null : BigInt(feeLamports),
    lamports: BigInt(row.lamports),
    createdAt: fromTime(row.createdAt),
  };
}

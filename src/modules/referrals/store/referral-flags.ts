import type { BigintColumn } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import type { ReferralFlag, ReferralFlags } from './referral-flags-port.ts';

// SQL: an operator's report: joins and sums over the whole of five tables.

/** So many pauses that a person's would differ by more than a twelfth. */
export const MACHINE = { leastPauses: 40, spread: 0.08 } as const;

type Row = Omit<ReferralFlag, 'inviter' | 'invitee' | 'lamports'> & {
  readonly inviter: BigintColumn;
  readonly invitee: BigintColumn;
  readonly lamports: BigintColumn;
};

const moved = `-coalesce((outcome -> 'receipt' -> 'walletLamportsDelta' ->> '$bigint')::numeric, 0)`;

export function createReferralFlags(query: Query): ReferralFlags {
  return {
    flags: async (limit) => {
      const rows = await query<Row>(
        `WITH sends AS (
           SELECT user_id, params ->> 'destination' AS address, status, ${moved} AS lamports FROM intents
           WHERE kind IN ('withdraw-sol', 'withdraw-token') AND user_id IS NOT NULL
         ), seen AS (
           SELECT user_id, address FROM address_book UNION SELECT user_id, address FROM sends
         ), to_wallet AS (
           SELECT seen.user_id AS who, wallets.user_id AS whose, seen.address
           FROM seen JOIN wallets ON wallets.address = seen.address
           WHERE wallets.user_id IS NOT NULL AND wallets.user_id <> seen.user_id
         ), funds AS (
           SELECT sends.user_id AS giver, wallets.user_id AS taker, count(*) AS times, sum(sends.lamports) AS lamports
           FROM sends JOIN wallets ON wallets.address = sends.address
           WHERE sends.status = 'SUCCEEDED' AND wallets.user_id <> sends.user_id GROUP BY sends.user_id, wallets.user_id
         ), machines AS (
           SELECT user_id, taps, pause_sum_ms::float8 / pauses AS mean FROM point_miners
           WHERE pauses >= ${MACHINE.leastPauses} AND sqrt(greatest(0, pause_squares_ms::float8 / pauses
             - (pause_sum_ms::float8 / pauses) ^ 2)) < ${MACHINE.spread} * pause_sum_ms::float8 / pauses
             OR taps >= ${MACHINE.leastPauses} AND fast_taps * 5 > taps
         ), pairs AS (
           SELECT id AS invitee, inviter_id AS inviter FROM users WHERE inviter_id IS NOT NULL
         ), found AS (
           SELECT 'shared-wallet' AS rule, inviter, invitee, string_agg(DISTINCT
             CASE who WHEN inviter THEN 'the inviter' ELSE 'the invitee' END || ' has ' || address || ' of the other', '; ') AS evidence
           FROM pairs JOIN to_wallet ON who = inviter AND whose = invitee OR who = invitee AND whose = inviter
           GROUP BY inviter, invitee
           UNION ALL
           SELECT 'shared-address', inviter, invitee, 'both have ' || string_agg(DISTINCT mine.address, ', ')
           FROM pairs JOIN seen AS mine ON mine.user_id = inviter
           JOIN seen AS theirs ON theirs.user_id = invitee AND theirs.address = mine.address
           GROUP BY inviter, invitee
           UNION ALL
           SELECT 'funding-loop', inviter, invitee, there.times || ' times ' || there.lamports || ' lamports to the invitee, '
             || back.times || ' times ' || back.lamports || ' back'
           FROM pairs JOIN funds AS there ON there.giver = inviter AND there.taker = invitee
           JOIN funds AS back ON back.giver = invitee AND back.taker = inviter
           UNION ALL
           SELECT 'machines', inviter, invitee, 'taps every ' || round(one.mean) || ' ms and every ' || round(other.mean) || ' ms'
           FROM pairs JOIN machines AS one ON one.user_id = inviter JOIN machines AS other ON other.user_id = invitee
         )
         SELECT rule, payer.telegram_id::text AS inviter, person.telegram_id::text AS invitee, evidence,
           coalesce((SELECT sum(lamports) FROM rewards
             WHERE rewards.inviter_id = found.inviter AND rewards.invitee_id = found.invitee), 0) AS lamports
         FROM found JOIN users AS payer ON payer.id = found.inviter JOIN users AS person ON person.id = found.invitee
         ORDER BY 5 DESC, 2, 3, rule LIMIT $1::int`,
        [limit],
      );
      return rows.map(({ inviter, invitee, lamports, ...row }) => ({
        ...row,
        inviter: BigInt(inviter),
        invitee: BigInt(invitee),
        lamports: BigInt(lamports),
      }));
    },
  };
}

import type { BookRule } from '../../../platform/db/mismatches.ts';

/**
 * The rules between the rows, each as a query that returns the offending rows: (subject, detail). Amounts inside JSON are written
 * `{"$bigint": "…"}`.
 */
export const AUDIT_RULES: readonly BookRule[] = [
  {
    rule: 'unbalanced',
    sql: `SELECT transfer.key, 'its entries sum to ' || coalesce(sum(entry.amount), 0) || ', not 0'
      FROM ledger_transfers AS transfer LEFT JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
      GROUP BY transfer.id, transfer.key HAVING coalesce(sum(entry.amount), 0) <> 0 OR count(entry.n) < 2`,
  },
  {
    rule: 'balance',
    sql: `SELECT account.key, 'it says ' || account.balance || ', its entries say ' || coalesce(sum(entry.amount), 0)
      FROM ledger_accounts AS account LEFT JOIN ledger_entries AS entry ON entry.account_key = account.key
      WHERE account.owner IS NOT NULL
      GROUP BY account.key HAVING account.balance <> coalesce(sum(entry.amount), 0) OR account.balance < 0`,
  },
  {
    rule: 'reward-unbooked',
    sql: `SELECT reward.signature, 'a reward of ' || reward.lamports || ' stands against ' ||
        coalesce(sum(entry.amount), 0) || ' in the ledger'
      FROM rewards AS reward
      LEFT JOIN ledger_transfers AS transfer ON transfer.key =
        CASE reward.source WHEN 'rebate' THEN 'rebate/' WHEN 'conversion' THEN 'conversion/' ELSE 'trade-fee/' END || reward.signature
      LEFT JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
        AND entry.account_key = 'referral-payable/' || reward.inviter_id
      GROUP BY reward.id HAVING coalesce(sum(entry.amount), 0) <> reward.lamports`,
  },
  {
    rule: 'reward-missing',
    sql: `SELECT split_part(transfer.key, '/', 2), 'the ledger owes ' || entry.amount || ' to ' ||
        split_part(entry.account_key, '/', 2) || ' and no reward says so'
      FROM ledger_transfers AS transfer JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
      LEFT JOIN rewards AS reward ON reward.signature = split_part(transfer.key, '/', 2)
      WHERE transfer.reason IN ('trade-fee', 'rebate', 'conversion') AND entry.account_key LIKE 'referral-payable/%' AND entry.amount <> 0
        AND reward.id IS NULL`,
  },
  {
    rule: 'reward-status',
    sql: `SELECT owner, 'rewards say ' || accrued || ' payable and ' || batched || ' in payouts, the ledger says ' ||
        payable || ' and ' || in_flight
      FROM (
        SELECT owner, sum(accrued) AS accrued, sum(batched) AS batched, sum(payable) AS payable, sum(in_flight) AS in_flight
        FROM (
          SELECT inviter_id AS owner, lamports * (status = 'ACCRUED')::int AS accrued,
            lamports * (status = 'BATCHED')::int AS batched, 0 AS payable, 0 AS in_flight FROM rewards
          UNION ALL
          SELECT account.owner, 0, 0, entry.amount * (account.kind = 'referral-payable')::int,
            entry.amount * (account.kind = 'referral-in-flight')::int
          FROM ledger_accounts AS account JOIN ledger_entries AS entry ON entry.account_key = account.key
          WHERE account.owner IS NOT NULL
        ) AS parts GROUP BY owner
      ) AS sums WHERE accrued <> payable OR batched <> in_flight`,
  },
  {
    rule: 'fee-booking',
    sql: `SELECT attempt.signature, 'its receipt shows a fee of ' || receipt.fee || ', the ledger ' ||
        coalesce(-entry.amount, 0)
      FROM intents AS intent JOIN attempts AS attempt ON attempt.intent_id = intent.id AND attempt.status = 'FINALIZED'
      CROSS JOIN LATERAL (SELECT coalesce((intent.outcome -> 'receipt' -> 'platformFeeLamports' ->> '$bigint')::bigint,
        (attempt.terms -> 'platformFeeLamports' ->> '$bigint')::bigint,
        (intent.params -> 'feeLamports' ->> '$bigint')::bigint, 0) AS fee) AS receipt
      LEFT JOIN ledger_transfers AS transfer ON transfer.key = 'trade-fee/' || attempt.signature
      LEFT JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id AND entry.account_key = 'house/treasury'
      WHERE intent.kind IN ('buy', 'sell', 'create-token', 'launch') AND intent.status = 'SUCCEEDED' AND intent.user_id IS NOT NULL
        AND receipt.fee <> coalesce(-entry.amount, 0)`,
  },
  {
    rule: 'fee-unfounded',
    sql: `SELECT transfer.key, 'a fee is booked for intent ' || transfer.ref || ', which has no final transaction of that signature'
      FROM ledger_transfers AS transfer
      LEFT JOIN attempts AS attempt ON attempt.signature = split_part(transfer.key, '/', 2)
        AND attempt.intent_id = transfer.ref AND attempt.status = 'FINALIZED'
      WHERE transfer.reason = 'trade-fee' AND attempt.id IS NULL`,
  },
  {
    rule: 'payout-booking',
    sql: `SELECT intent.id, 'the payout is ' || intent.status || ' over ' || due.lamports || '; held ' || booked.held ||
        ', captured ' || booked.captured || ', given back ' || booked.voided
      FROM intents AS intent
      CROSS JOIN LATERAL (SELECT coalesce(sum((item -> 'lamports' ->> '$bigint')::bigint), 0) AS lamports
        FROM jsonb_array_elements(intent.params -> 'items') AS item) AS due
      LEFT JOIN (SELECT transfer.ref,
          coalesce(sum(entry.amount) FILTER (WHERE transfer.reason = 'payout-hold'), 0) AS held,
          coalesce(-sum(entry.amount) FILTER (WHERE transfer.reason = 'payout-capture'), 0) AS captured,
          coalesce(-sum(entry.amount) FILTER (WHERE transfer.reason = 'payout-void'), 0) AS voided
        FROM ledger_transfers AS transfer JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
        WHERE transfer.reason IN ('payout-hold', 'payout-capture', 'payout-void')
          AND entry.account_key LIKE 'referral-in-flight/%'
        GROUP BY transfer.ref) AS sums ON sums.ref = intent.id
      CROSS JOIN LATERAL (SELECT coalesce(sums.held, 0) AS held, coalesce(sums.captured, 0) AS captured,
        coalesce(sums.voided, 0) AS voided) AS booked
      WHERE intent.kind = 'payout' AND NOT (booked.held = due.lamports AND CASE
        WHEN intent.status = 'SUCCEEDED' THEN booked.captured = due.lamports AND booked.voided = 0
        WHEN intent.status IN ('CREATED', 'ACTIVE', 'NEEDS_REVIEW') THEN booked.captured = 0 AND booked.voided = 0
        ELSE booked.captured = 0 AND booked.voided = due.lamports END)`,
  },
  {
    rule: 'payout-rewards',
    sql: `SELECT intent.id, 'its rewards sum to ' || coalesce(sum(reward.lamports), 0) || ', the payout is over ' || due.lamports
      FROM intents AS intent
      CROSS JOIN LATERAL (SELECT coalesce(sum((item -> 'lamports' ->> '$bigint')::bigint), 0) AS lamports
        FROM jsonb_array_elements(intent.params -> 'items') AS item) AS due
      LEFT JOIN rewards AS reward ON reward.payout_intent_id = intent.id
      WHERE intent.kind = 'payout' AND intent.status IN ('CREATED', 'ACTIVE', 'NEEDS_REVIEW', 'SUCCEEDED')
      GROUP BY intent.id, due.lamports HAVING coalesce(sum(reward.lamports), 0) <> due.lamports`,
  },
  {
    rule: 'currency',
    sql: `SELECT transfer.key, 'it moves ' || transfer.currency || ' and touches ' || entry.account_key
      FROM ledger_transfers AS transfer JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
      WHERE (transfer.currency = 'POINT') <> (entry.account_key LIKE 'points/%' OR entry.account_key LIKE 'points-locked/%' OR entry.account_key LIKE 'house/points-%')`,
  },
  {
    rule: 'redemption',
    sql: `SELECT coalesce(redemption.id, split_part(transfer.key, '/', 2)), 'it cost ' || coalesce(redemption.points, 0) ||
        ' points, the ledger took ' || coalesce(-entry.amount, 0)
      FROM point_redemptions AS redemption
      FULL JOIN (SELECT id, key FROM ledger_transfers WHERE reason = 'points-redeem') AS transfer
        ON transfer.key = 'points-redeem/' || redemption.id
      LEFT JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id AND entry.account_key = 'points/' || redemption.user_id
      WHERE coalesce(redemption.points, 0) <> coalesce(-entry.amount, 0)`,
  },
  {
    rule: 'game',
    sql: `SELECT coalesce(round.id, booked.ref), 'staked ' || coalesce(round.points, 0) || ' and paid ' || coalesce(round.payout, 0) ||
        ' points, the ledger took ' || coalesce(booked.staked, 0) || ' and gave ' || coalesce(booked.paid, 0)
      FROM (SELECT * FROM game_rounds WHERE points IS NOT NULL) AS round
      FULL JOIN (SELECT transfer.ref, entry.account_key, -coalesce(sum(entry.amount) FILTER (WHERE transfer.reason = 'points-bet'), 0) AS staked,
          coalesce(sum(entry.amount) FILTER (WHERE transfer.reason = 'points-win'), 0) AS paid
        FROM ledger_transfers AS transfer JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
        WHERE transfer.reason IN ('points-bet', 'points-win') AND entry.account_key LIKE 'points/%'
        GROUP BY transfer.ref, entry.account_key) AS booked
        ON booked.ref = round.id AND booked.account_key = 'points/' || round.user_id
      WHERE coalesce(round.points, 0) <> coalesce(booked.staked, 0) OR coalesce(round.payout, 0) <> coalesce(booked.paid, 0)`,
  },
  {
    rule: 'convert-locked',
    sql: `SELECT owner, 'they gave ' || given || ' points in periods without an end for them, the ledger locks ' || locked
      FROM (SELECT owner, sum(given) AS given, sum(locked) AS locked FROM (
          SELECT entry.user_id AS owner, entry.points AS given, 0 AS locked FROM convert_entries AS entry
          WHERE NOT EXISTS (SELECT FROM convert_outcomes AS outcome
            WHERE outcome.period = entry.period AND outcome.user_id = entry.user_id)
          UNION ALL SELECT owner, 0, balance FROM ledger_accounts WHERE kind = 'points-locked') AS parts GROUP BY owner) AS sums
      WHERE given <> locked`,
  },
  {
    rule: 'convert-paid',
    sql: `SELECT coalesce(outcome.name, transfer.ref), 'a share of ' || coalesce(outcome.lamports, 0) ||
        ' lamports stands against ' || coalesce(-entry.amount, 0) || ' in the ledger'
      FROM (SELECT period || '.' || user_id AS name, lamports FROM convert_outcomes WHERE lamports > 0) AS outcome
      FULL JOIN (SELECT id, ref FROM ledger_transfers WHERE reason = 'conversion') AS transfer ON transfer.ref = outcome.name
      LEFT JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id AND entry.account_key = 'house/conversions'
      WHERE coalesce(outcome.lamports, 0) <> coalesce(-entry.amount, 0)`,
  },
  {
    rule: 'landed-once',
    sql: `SELECT intent.id, 'it is ' || intent.status || ' and has ' || count(attempt.id) || ' transactions that succeeded'
      FROM intents AS intent LEFT JOIN attempts AS attempt ON attempt.intent_id = intent.id AND attempt.status = 'FINALIZED'
      GROUP BY intent.id HAVING count(attempt.id) <> (intent.status = 'SUCCEEDED')::int`,
  },
  {
    // An effect whose act was taken out of the trail: the chain alone does not show one that never was in it.
    rule: 'act-missing',
    sql: `SELECT 'export ' || export.id, 'the key of wallet ' || export.wallet_id || ' left, and no act of the trail says so'
      FROM exports AS export WHERE export.end_kind = 'TAKEN' AND NOT EXISTS (SELECT FROM audit_log AS act
        WHERE act.act = 'wallet-exported' AND act.outcome = 'done' AND act.details->>'walletId' = export.wallet_id)
      UNION ALL
      SELECT 'wallet ' || wallet.id, 'it receives by ' || chosen.act || ', and no act of the trail says so'
      FROM wallets AS wallet CROSS JOIN LATERAL (VALUES ('wallet-confirm', wallet.confirmed_at), ('payout-wallet', wallet.payout_from))
        AS chosen (act, at)
      WHERE chosen.at IS NOT NULL AND NOT EXISTS (SELECT FROM audit_log AS act
        WHERE act.act = chosen.act || '-asked' AND act.details->>'walletId' = wallet.id)`,
  },
  {
    // An export is remembered for ever since there are rows of them.
    rule: 'effect-missing',
    sql: `SELECT 'act ' || act.id, 'it says that the key of wallet ' || (act.details->>'walletId') || ' left, and no export was taken'
      FROM audit_log AS act WHERE act.act = 'wallet-exported' AND act.outcome = 'done'
        AND act.at >= (SELECT min(asked_at) FROM exports) AND NOT EXISTS (SELECT FROM exports AS export
        WHERE export.end_kind = 'TAKEN' AND export.wallet_id = act.details->>'walletId')`,
  },
  {
    rule: 'key-address',
    sql: `SELECT wallet.id, 'its address is ' || wallet.address || ', and its sealed key is of ' || secret.public_key
      FROM wallets AS wallet JOIN wallet_secrets AS secret ON secret.wallet_id = wallet.id
      WHERE secret.public_key <> wallet.address OR secret.user_id IS DISTINCT FROM wallet.user_id`,
  },
];

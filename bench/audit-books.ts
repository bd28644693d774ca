import type pg from 'pg';

/** Trades of three entries each, and payouts of fifteen rewards: 47 entries each. */
const TRADES = 169_000;
const PAYOUTS = 10_500;
const PEOPLE = 2_000;

/**
 * Fills an empty, migrated database with books of a million entries that hold: trades with their fees and rewards, payouts
 * with what they took. Written as a superuser with the tables' triggers off, which for a million rows saves a minute and
 * judges nothing here: the audit that follows judges all of it.
 */
export async function writeBooks(client: pg.Client): Promise<void> {
  for (const statement of STATEMENTS) await client.query(statement);
}

const id = (letter: string, number: string): string => `'${letter}' || lpad((${number})::text, 12, '0')`;
const trade = `generate_series(0, ${TRADES - 1}) AS i`;
/** Payout p pays the rewards 15 p … 15 p + 14, which belong to fifteen different people. */
const payout = `generate_series(0, ${PAYOUTS - 1}) AS p`;
const paid = `generate_series(0, ${PAYOUTS * 15 - 1}) AS i`;
const fee = '(10000 + i % 977)';
const share = `(${fee} * 3 / 10)`;
const big = (sql: string): string => `jsonb_build_object('$bigint', (${sql})::text)`;

const STATEMENTS: readonly string[] = [
  'ALTER TABLE ledger_entries DISABLE TRIGGER ALL',
  'ALTER TABLE ledger_transfers DISABLE TRIGGER ALL',
  `INSERT INTO users (id, telegram_id, first_name, settings, created_at)
   SELECT ${id('u', 'i')}, i, 'Person', '{}', now() FROM generate_series(0, ${PEOPLE - 1}) AS i`,
  `INSERT INTO wallets (id, user_id, name, address, created_at)
   SELECT ${id('w', 'i')}, ${id('u', 'i')}, 'Main', ${id('a', 'i')}, now() FROM generate_series(0, ${PEOPLE - 1}) AS i`,
  `INSERT INTO wallets (id, name, address, created_at) VALUES ('treasury', 'Treasury', 'treasury', now())`,
  `INSERT INTO intents (id, receipt, kind, user_id, wallet_id, idem_key, params, status, lease_epoch, outcome, created_at, updated_at)
   SELECT ${id('t', 'i')}, ${id('r', 'i')}, 'buy', ${id('u', `(i + 1) % ${PEOPLE}`)}, ${id('w', `(i + 1) % ${PEOPLE}`)}, ${id('k', 'i')},
     jsonb_build_object('kind', 'buy', 'mint', repeat('m', 44), 'lamportsIn', ${big('1000000 + i')}, 'tier', 'fast'),
     'SUCCEEDED', 1, jsonb_build_object('receipt', jsonb_build_object('signature', md5(i::text), 'slot', 1000 + i,
       'platformFeeLamports', ${big(fee)}, 'feeLamports', ${big('5000')})), now(), now() FROM ${trade}`,
  `INSERT INTO intents (id, receipt, kind, wallet_id, idem_key, params, status, lease_epoch, created_at, updated_at)
   SELECT ${id('p', 'p')}, ${id('q', 'p')}, 'payout', 'treasury', ${id('l', 'p')}, jsonb_build_object('kind', 'payout', 'items',
     (SELECT jsonb_agg(jsonb_build_object('inviterId', ${id('u', `i % ${PEOPLE}`)}, 'lamports', ${big(share)}))
      FROM generate_series(p * 15, p * 15 + 14) AS i)), 'SUCCEEDED', 1, now(), now() FROM ${payout}`,
  `INSERT INTO attempts (id, intent_id, n, signed_transaction, signature, blockhash, last_valid_block_height, signed_slot, signed_at, status, send_count)
   SELECT intent.id, intent.id, 1, decode(repeat(md5(intent.id), 18), 'hex'), 's' || md5(intent.id) || md5('x' || intent.id), repeat('b', 44), 1, 1, now(), 'FINALIZED', 1
   FROM intents AS intent`,
  `INSERT INTO ledger_accounts (key, kind, owner, balance)
   SELECT kind || '/' || ${id('u', 'i')}, kind, ${id('u', 'i')}, 0
   FROM generate_series(0, ${PEOPLE - 1}) AS i, unnest(ARRAY['referral-payable', 'referral-in-flight']) AS kind`,
  `INSERT INTO ledger_transfers (id, key, reason, ref, currency, created_at)
   SELECT 'f' || intent_id, 'trade-fee/' || signature, 'trade-fee', intent_id, 'LAMPORT', now() FROM attempts WHERE intent_id LIKE 't%'
   UNION ALL SELECT left(reason, 8) || ${id('p', 'p')}, reason || '/' || ${id('p', 'p')}, reason, ${id('p', 'p')}, 'LAMPORT', now()
   FROM ${payout}, unnest(ARRAY['payout-hold', 'payout-capture']) AS reason`,
  `INSERT INTO ledger_entries (transfer_id, n, account_key, amount)
   SELECT 'f' || ${id('t', 'i')}, part.* FROM ${trade}, LATERAL (VALUES (1, 'house/treasury', -${fee}::bigint),
     (2, 'house/revenue', ${fee} - ${share}), (3, 'referral-payable/' || ${id('u', `i % ${PEOPLE}`)}, ${share})) AS part`,
  `INSERT INTO ledger_entries (transfer_id, n, account_key, amount)
   SELECT left('payout-hold', 8) || ${id('p', 'i / 15')}, part.* FROM ${paid}, LATERAL (VALUES
     (1 + i % 15, 'referral-payable/' || ${id('u', `i % ${PEOPLE}`)}, -${share}::bigint),
     (16 + i % 15, 'referral-in-flight/' || ${id('u', `i % ${PEOPLE}`)}, ${share})) AS part`,
  `INSERT INTO ledger_entries (transfer_id, n, account_key, amount)
   SELECT left('payout-capture', 8) || ${id('p', 'i / 15')}, 1 + i % 15, 'referral-in-flight/' || ${id('u', `i % ${PEOPLE}`)}, -${share} FROM ${paid}
   UNION ALL SELECT left('payout-capture', 8) || ${id('p', 'p')}, 16, 'house/network-fees', -5000 FROM ${payout}
   UNION ALL SELECT left('payout-capture', 8) || ${id('p', 'p')}, 17, 'house/treasury',
     5000 + (SELECT sum(${share}) FROM generate_series(p * 15, p * 15 + 14) AS i) FROM ${payout}`,
  `INSERT INTO rewards (id, inviter_id, invitee_id, intent_id, signature, fee_lamports, lamports, status, payout_intent_id, created_at)
   SELECT ${id('x', 'i')}, ${id('u', `i % ${PEOPLE}`)}, ${id('u', `(i + 1) % ${PEOPLE}`)}, attempt.intent_id, attempt.signature, ${fee}, ${share},
     CASE WHEN i < ${PAYOUTS * 15} THEN 'PAID' ELSE 'ACCRUED' END, CASE WHEN i < ${PAYOUTS * 15} THEN ${id('p', 'i / 15')} END, now()
   FROM ${trade} JOIN attempts AS attempt ON attempt.intent_id = ${id('t', 'i')}`,
  `UPDATE ledger_accounts AS account SET balance = sums.amount
   FROM (SELECT account_key, sum(amount) AS amount FROM ledger_entries GROUP BY account_key) AS sums
   WHERE account.key = sums.account_key AND account.owner IS NOT NULL`,
  'ALTER TABLE ledger_entries ENABLE TRIGGER ALL',
  'ALTER TABLE ledger_transfers ENABLE TRIGGER ALL',
  'ANALYZE',
];

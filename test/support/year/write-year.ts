import type pg from 'pg';
import { firstUlid } from '../../../src/core/time/ulid.ts';
import { KEPT_DAYS, NOTICE_DAYS } from '../../../src/modules/operations/rules/retention.ts';
import { DAY_MS } from '../../../src/modules/points/rules/utc.ts';
import { FIRST_SLOT, makePeopleAndTokens, SLOTS_A_DAY, TOKEN_OF } from './people-and-tokens.ts';
import type { PersonTrades, RealTrades } from './real-trades.ts';
import { type StagedRows, stageRows } from './staged-rows.ts';
import { type Originals, removeOriginals, writeAlerts, writeOrders } from './write-orders.ts';
import { writeEvents, writeWallets } from './write-positions.ts';
import { writeTape } from './write-tape.ts';

/**
 * What one person does on one day: a buy, a sale, one booking of mined points, one mission; in a week a take-profit with its stop
 * that sells, a limit order that runs out, and an alert. One of four was invited.
 */
const POINTS = { mined: 100, mission: 50 };
/** Of a trade: on its way, confirmed, final. */
const NOTICES = 3;

const RECEIPT = `'R-' || upper(substr(trade.hash, 1, 7))`;
/** The id of the payout of a trade's reward, and of what belongs to it alone. */
const PAYOUT = `trade.ulid || 'Z' || upper(substr(trade.hash, 1, 15))`;

/** As long as the key of a tapped button, of a bot with ten digits. */
const TAP = `'tap-' || substr(trade.hash, 1, 30)`;

type Year = {
  readonly people: number;
  readonly days: number;
  /** False: rows that retention removes are written too. */
  readonly isClean: boolean;
};

/** The id of the person `p`. */
export const personId = (p: number): string => `U${String(p).padStart(25, '0')}`;
/** One of a few who came alone: 13 of a thousand people have some 19 invitees each. */
const INVITER = `'U' || lpad((1 + 4 * (p / 4 % (SELECT least(13, max(p) / 4) FROM everybody)))::text, 25, '0')`;

/**
 * Writes the days of many people by copying the rows that two real trades left, with other ids, people and times. Constraints
 * and triggers are off meanwhile: the originals passed them. Balances and the sums by day follow from the copied entries.
 */
export async function writeYear(client: pg.Client, trades: RealTrades, year: Year): Promise<void> {
  await client.query('SET session_replication_role = replica');
  await makePeopleAndTokens(client, year.people);
  await client.query('CREATE TEMP TABLE past (d int, at timestamptz(3), ulid text)');
  const now = Date.now();
  const past = Array.from({ length: year.days }, (_, index) => {
    const at = now - (index + 1) * DAY_MS;
    return { d: index + 1, at: new Date(at).toISOString(), ulid: firstUlid(at).slice(0, 10) };
  });
  await client.query(
    'INSERT INTO past SELECT * FROM jsonb_to_recordset($1) AS r (d int, at timestamptz, ulid text)',
    [JSON.stringify(past)],
  );
  const rows = stageRows(client);
  for (const [of, which] of [
    [trades.invited, 'p % 4 = 0'],
    [trades.alone, 'p % 4 <> 0'],
  ] as const) {
    await client.query(`CREATE TEMP TABLE person AS SELECT * FROM everybody WHERE ${which}`);
    await writePeople(rows, of, of === trades.invited ? INVITER : 'NULL');
    for (const kind of ['buy', 'sell'] as const)
      await writeTrades({ client, rows }, kind, { intent: of[kind], orders: trades.orders, year });
    await writePoints(client, rows);
    await client.query('DROP TABLE person');
  }
  await rows.write();
  await removeOriginals(client);
  await writeWallets(client, KEPT_DAYS);
  await writeTape(client);
  await sumUp(client);
  await client.query('DROP TABLE everybody, past, token');
  await client.query('SET session_replication_role = origin');
}

type Target = { readonly client: pg.Client; readonly rows: StagedRows };

async function writePeople(rows: StagedRows, { user, wallet }: PersonTrades, inviter: string): Promise<void> {
  await rows.copy('users', `id = '${user}'`, 'person', {
    id: 'person.user_id',
    telegram_id: '1000000 + person.p',
    active_wallet_id: 'person.wallet_id',
    inviter_id: inviter,
  });
  await rows.copy('wallets', `id = '${wallet}'`, 'person', {
    id: 'person.wallet_id',
    user_id: 'person.user_id',
    address: 'person.address',
  });
  await rows.copy('wallet_secrets', `wallet_id = '${wallet}'`, 'person', {
    wallet_id: 'person.wallet_id',
    user_id: 'person.user_id',
    public_key: 'person.address',
  });
}

async function writeTrades(
  { client, rows }: Target,
  kind: 'buy' | 'sell',
  {
    intent,
    orders,
    year: { isClean, days },
  }: { readonly intent: string; readonly orders: Originals; readonly year: Year },
): Promise<void> {
  await client.query(`CREATE TEMP TABLE trade AS SELECT person.*, past.*,
      ulid || upper('${kind[0]}') || lpad(p::text, 15, '0') AS intent_id,
      md5(concat_ws('/', p, d, '${kind}')) || md5(concat_ws('/', user_id, d, '${kind}')) || md5(concat_ws('/', '${kind}', p)) AS hash,
      mint, ${FIRST_SLOT}::bigint + (${days} - d) * ${SLOTS_A_DAY} + p * 137 % ${SLOTS_A_DAY - 1_000} + ${kind === 'buy' ? 0 : 700} AS slot,
      at + (p * 7919 % 86000 + ${kind === 'buy' ? 0 : 300}) * interval '1 second' AS moment
    FROM person, past JOIN token ON true WHERE token.k = ${TOKEN_OF} ORDER BY d DESC, p`);
  const of = `intent_id = '${intent}'`;
  const signature = 'substr(trade.hash, 1, 88)';
  const id = (n: number): string => `trade.ulid || '${n}' || upper(substr(trade.hash, 1, 15))`;
  const kept = isClean ? `trade.d <= ${KEPT_DAYS}` : 'true';
  const told = isClean ? `trade.d <= ${NOTICE_DAYS}` : 'true';
  await rows.copy('intents', `id = '${intent}'`, 'trade', {
    id: 'trade.intent_id',
    user_id: 'trade.user_id',
    wallet_id: 'trade.wallet_id',
    idem_key: TAP,
    receipt: RECEIPT,
    created_at: 'trade.at',
    updated_at: 'trade.at',
  });
  const bytes = {
    signed_transaction: `CASE WHEN ${kept} THEN original.signed_transaction ELSE ''::bytea END`,
    landing_proof: `CASE WHEN ${kept} THEN original.landing_proof END`,
  };
  await rows.copy('attempts', of, 'trade', {
    id: id(0),
    intent_id: 'trade.intent_id',
    signature,
    signed_at: 'trade.at',
    ...bytes,
  });
  await rows.copy('rewards', of, 'trade', {
    id: id(1),
    inviter_id: INVITER,
    invitee_id: 'trade.user_id',
    intent_id: 'trade.intent_id',
    signature,
    created_at: 'trade.at',
    payout_intent_id: PAYOUT,
  });
  for (let n = 0; n < NOTICES; n += 1) {
    const original = `id = (SELECT id FROM notices WHERE ${of} ORDER BY id OFFSET ${n} LIMIT 1)`;
    const times = { created_at: 'trade.at', delivered_at: 'trade.at' };
    const about = { id: id(2 + n), user_id: 'trade.user_id', intent_id: 'trade.intent_id' };
    await rows.copy('notices', original, 'trade', { ...about, ...times }, told);
  }
  await rows.copy('progress_messages', of, 'trade', { intent_id: 'trade.intent_id' }, kept);
  await writeTransfers({ client, rows }, { ref: intent, as: 'trade.intent_id', firstDigit: 5 });
  await writePayouts({ client, rows }, intent, bytes, told);
  await writeEvents(rows, intent);
  if (kind === 'sell') await writeOrders(rows, orders);
  else await writeAlerts(rows, orders);
  await client.query('DROP TABLE trade');
}

/** The payout of the reward of the trade `intent`, where there is one. */
async function writePayouts(
  { client, rows }: Target,
  intent: string,
  bytes: Readonly<Record<string, string>>,
  told: string,
): Promise<void> {
  const payouts = await client.query<{ id: string }>(
    'SELECT payout_intent_id AS id FROM rewards WHERE intent_id = $1',
    [intent],
  );
  for (const { id } of payouts.rows) {
    await rows.copy('intents', `id = '${id}'`, 'trade', {
      id: PAYOUT,
      idem_key: `'payout/' || ${PAYOUT}`,
      receipt: RECEIPT,
      created_at: 'trade.at',
      updated_at: 'trade.at',
    });
    await rows.copy('attempts', `intent_id = '${id}'`, 'trade', {
      id: PAYOUT,
      intent_id: PAYOUT,
      signature: `'p' || substr(trade.hash, 1, 87)`,
      signed_at: 'trade.at',
      ...bytes,
    });
    const original = `id = (SELECT id FROM notices WHERE kind = 'reward-paid' ORDER BY id LIMIT 1)`;
    const times = { created_at: 'trade.at', delivered_at: 'trade.at' };
    await rows.copy('notices', original, 'trade', { id: PAYOUT, user_id: INVITER, ...times }, told);
    await writeTransfers({ client, rows }, { ref: id, as: PAYOUT, firstDigit: 7 });
  }
}

/** The transfers of the original with their entries: of a trade the fee and the points for it, of a payout hold and capture. */
async function writeTransfers(
  { client, rows }: Target,
  { ref, as, firstDigit }: { readonly ref: string; readonly as: string; readonly firstDigit: number },
): Promise<void> {
  const transfers = await client.query<{ id: string; reason: string }>(
    'SELECT id, reason FROM ledger_transfers WHERE ref = $1 ORDER BY id',
    [ref],
  );
  for (const [index, { id, reason }] of transfers.rows.entries()) {
    const copyId = `trade.ulid || '${firstDigit + index}' || upper(substr(trade.hash, 1, 15))`;
    await rows.copy('ledger_transfers', `id = '${id}'`, 'trade', {
      id: copyId,
      key: `'${reason}/' || substr(trade.hash, 1, 88)`,
      ref: as,
      created_at: 'trade.at',
    });
    await rows.copy('ledger_entries', `transfer_id = '${id}'`, 'trade', {
      transfer_id: copyId,
      account_key: `CASE WHEN original.account_key LIKE 'points/%' THEN 'points/' || trade.user_id
        WHEN original.account_key LIKE 'referral%' THEN split_part(original.account_key, '/', 1) || '/' || ${INVITER}
        ELSE original.account_key END`,
    });
  }
}

async function writePoints(client: pg.Client, rows: StagedRows): Promise<void> {
  for (const [reason, points] of [
    ['points-mine', POINTS.mined],
    ['points-mission', POINTS.mission],
  ] as const) {
    await client.query(`CREATE TEMP TABLE gain AS SELECT person.*, past.*,
        ulid || '${reason === 'points-mine' ? 'P' : 'Q'}' || lpad(p::text, 15, '0') AS id FROM person, past ORDER BY d DESC, p`);
    await rows.add(
      'ledger_transfers',
      'id, key, reason, ref, currency, created_at',
      `SELECT id, '${reason}/' || id, '${reason}', d::text, 'POINT', at FROM gain`,
    );
    await rows.add(
      'ledger_entries',
      'transfer_id, n, account_key, amount',
      `SELECT id, n, CASE n WHEN 1 THEN 'house/points-issued' ELSE 'points/' || user_id END,
         CASE n WHEN 1 THEN -${points} ELSE ${points} END FROM gain, generate_series(1, 2) AS n`,
    );
    await client.query('DROP TABLE gain');
  }
}

/** Balances, and points by person and day, of the people that were added: day after day, as they come about in use. */
async function sumUp(client: pg.Client): Promise<void> {
  await client.query(`INSERT INTO ledger_accounts (key, kind, owner, balance)
    SELECT account_key, split_part(account_key, '/', 1), split_part(account_key, '/', 2), sum(amount) FROM ledger_entries
    WHERE account_key NOT LIKE 'house/%' GROUP BY account_key
    ON CONFLICT (key) DO UPDATE SET balance = excluded.balance`);
  await client.query(`INSERT INTO point_days (user_id, day, earned, mined, trade_points, trades)
    SELECT substr(entry.account_key, 8), (transfer.created_at AT TIME ZONE 'UTC')::date, sum(entry.amount),
      coalesce(sum(entry.amount) FILTER (WHERE transfer.reason = 'points-mine'), 0),
      coalesce(sum(entry.amount) FILTER (WHERE transfer.reason = 'points-trade'), 0),
      count(*) FILTER (WHERE transfer.reason = 'points-trade')
    FROM ledger_transfers AS transfer JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
    WHERE transfer.currency = 'POINT' AND entry.account_key LIKE 'points/%' GROUP BY 1, 2
    ORDER BY 2, 1 ON CONFLICT (user_id, day) DO NOTHING`);
}

import { type AccountRef, accountKey, isHouse, type LedgerTransfer } from '../../core/ledger/entry.ts';
import type { LedgerStore } from '../../core/ports/ledger-store.ts';
import { type BigintColumn, encodePlain, toTime } from './codec.ts';
import type { Connection } from './connection.ts';
import { violates } from './failure.ts';

/**
 * Lock order: people's accounts by key, then the transfer, then its entries. An entry refers to its account, so inserting it
 * first would hold a share lock that two transfers then wait for crosswise [measured: 23 of 24 concurrent transfers died].
 */
export function createPrismaLedgerStore({ query, atomic }: Connection): LedgerStore {
  return {
    post: async (transfer) => {
      const sum = transfer.entries.reduce((total, entry) => total + entry.amount, 0n);
      if (sum !== 0n) throw new RangeError(`ledger: the entries of ${transfer.key} sum to ${sum}, not 0`);
      try {
        return await atomic((inside) => apply(inside, transfer));
      } catch (error) {
        if (violates(error, 'ledger_people_never_owe')) {
          throw new RangeError(`ledger: ${transfer.key} would take an account below zero`, { cause: error });
        }
        throw error;
      }
    },
    balance: async (account) => {
      const sql = isHouse(account)
        ? 'SELECT coalesce(sum(amount), 0)::text AS balance FROM ledger_entries WHERE account_key = $1'
        : 'SELECT balance::text AS balance FROM ledger_accounts WHERE key = $1';
      const [row] = await query<{ readonly balance: BigintColumn }>(sql, [accountKey(account)]);
      return BigInt(row?.balance ?? 0);
    },
  };
}

async function apply({ query }: Connection, transfer: LedgerTransfer): Promise<boolean> {
  await lockPeople({ query }, transfer);
  // One statement: when the key is known, `transfer` is empty, and with it everything that hangs on it.
  const [row] = await query<{ readonly applied: boolean }>(
    `WITH transfer AS (
       INSERT INTO ledger_transfers (id, key, reason, ref, currency, created_at)
       VALUES ($1, $2, $3, $4, $5, $6::timestamptz) ON CONFLICT (key) DO NOTHING RETURNING id
     ), entry AS (
       SELECT n, account_key, amount
       FROM jsonb_to_recordset($7::jsonb) AS r (n int, account_key text, amount bigint)
     ), written AS (
       INSERT INTO ledger_entries (transfer_id, n, account_key, amount)
       SELECT transfer.id, entry.n, entry.account_key, entry.amount FROM transfer, entry
     ), moved AS (
       UPDATE ledger_accounts AS account SET balance = account.balance + change.amount
       FROM transfer, (SELECT account_key, sum(amount)::bigint AS amount FROM entry GROUP BY account_key) AS change
       WHERE account.key = change.account_key AND account.owner IS NOT NULL
     )
     SELECT EXISTS (SELECT 1 FROM transfer) AS applied`,
    [
      transfer.id,
      transfer.key,
      transfer.reason,
      transfer.ref,
      transfer.currency,
      toTime(transfer.createdAt),
      encodePlain(
        transfer.entries.map((entry, i) => ({
          n: i + 1,
          account_key: accountKey(entry.account),
          amount: entry.amount.toString(),
        })),
      ),
    ],
  );
  return row?.applied === true;
}

/** Makes missing accounts and locks all of them, in the order of their keys. */
async function lockPeople({ query }: Pick<Connection, 'query'>, transfer: LedgerTransfer): Promise<void> {
  const people = new Map<string, AccountRef>();
  for (const { account } of transfer.entries) if (!isHouse(account)) people.set(accountKey(account), account);
  if (people.size === 0) return;
  const keys = [...people.keys()];
  const lock = () =>
    query('SELECT key FROM ledger_accounts WHERE key = ANY($1::text[]) ORDER BY key FOR NO KEY UPDATE', [
      keys,
    ]);
  if ((await lock()).length === keys.length) return;
  await query(
    `INSERT INTO ledger_accounts (key, kind, owner, balance)
     SELECT key, kind, owner, 0 FROM jsonb_to_recordset($1::jsonb) AS r (key text, kind text, owner text)
     ORDER BY key ON CONFLICT (key) DO NOTHING`,
    [encodePlain([...people].map(([key, account]) => ({ ...account, key })))],
  );
  await lock();
}

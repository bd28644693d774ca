import { type BigintColumn, encodePlain, toTime } from '../../../platform/db/codec.ts';
import type { Connection, Query } from '../../../platform/db/connection.ts';
import { violates } from '../../../platform/db/failure.ts';
import { type AccountRef, accountKey, isHouse, type LedgerTransfer } from '../rules/entry.ts';
import type { LedgerStore } from './ledger-store-port.ts';

// SQL: a transfer is one call of the function `ledger_post`, which locks the accounts in one order.

/** The work is done by the database's function `ledger_post`, which knows the lock order: one round trip for any caller. */
export function createPrismaLedgerStore({ query }: Connection): LedgerStore {
  const postAll = async (transfers: readonly LedgerTransfer[]): Promise<number> => {
    for (const { key, entries } of transfers) {
      const sum = entries.reduce((total, entry) => total + entry.amount, 0n);
      if (sum !== 0n) throw new RangeError(`ledger: the entries of ${key} sum to ${sum}, not 0`);
    }
    try {
      return transfers.length === 0 ? 0 : await apply(query, distinct(transfers));
    } catch (error) {
      if (violates(error, 'ledger_people_never_owe')) {
        const keys = transfers.map(({ key }) => key).join(', ');
        throw new RangeError(`ledger: ${keys} would take an account below zero`, { cause: error });
      }
      throw error;
    }
  };
  return {
    post: async (transfer) => (await postAll([transfer])) === 1,
    postAll,
    entriesOf: async (keys) => {
      const rows = await query<{ readonly key: string; readonly account: string; readonly amount: string }>(
        `SELECT t.key, e.account_key AS account, e.amount::text AS amount
         FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id WHERE t.key = ANY($1::text[])`,
        [keys],
      );
      return rows.map(({ key, account, amount }) => ({ key, accountKey: account, amount: BigInt(amount) }));
    },
    balance: async (account) => {
      const [row] = await query<{ readonly balance: BigintColumn }>(balanceOf(account), [
        accountKey(account),
      ]);
      return BigInt(row?.balance ?? 0);
    },
  };
}

/** A person's points are the booked ones and those that are mined and not yet booked. */
function balanceOf(account: AccountRef): string {
  if (isHouse(account))
    return 'SELECT coalesce(sum(amount), 0)::text AS balance FROM ledger_entries WHERE account_key = $1';
  if (account.kind !== 'points') return 'SELECT balance::text AS balance FROM ledger_accounts WHERE key = $1';
  return `SELECT (coalesce((SELECT balance FROM ledger_accounts WHERE key = $1), 0)
    + coalesce((SELECT points FROM unbooked_points WHERE user_id = substr($1, 8)), 0))::text AS balance`;
}

/** The first of each key, as if they came one after the other. */
function distinct(transfers: readonly LedgerTransfer[]): readonly LedgerTransfer[] {
  return [...new Map(transfers.toReversed().map((transfer) => [transfer.key, transfer])).values()].reverse();
}

async function apply(query: Query, transfers: readonly LedgerTransfer[]): Promise<number> {
  const [row] = await query<{ readonly applied: number }>(
    'SELECT cardinality(ledger_post($1::jsonb, $2::jsonb)) AS applied',
    ledgerArguments(transfers),
  );
  return row?.applied ?? 0;
}

/** The two arguments of `ledger_post`. */
function ledgerArguments(transfers: readonly LedgerTransfer[]): readonly [string, string] {
  return [
    encodePlain(
      transfers.map(({ id, key, reason, ref, currency, createdAt }) => ({
        id,
        key,
        reason,
        ref,
        currency,
        created_at: toTime(createdAt),
      })),
    ),
    encodePlain(
      transfers.flatMap(({ id, entries }) =>
        entries.map(({ account, amount }, i) => ({
          transfer_id: id,
          n: i + 1,
          account_key: accountKey(account),
          kind: account.kind,
          owner: 'owner' in account ? account.owner : null,
          amount: amount.toString(),
        })),
      ),
    ),
  ];
}

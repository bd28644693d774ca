import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Statements that take rows or tables away, in SQL and by models. */
const DELETIONS =
  /\bDELETE\s+FROM\s+["$\w{}]+|\bTRUNCATE\s+(?:TABLE\s+)?\$\{|\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?\$\{|\bSELECT\s+tape_drop_partition\(|\.delete(?:Many)?\(\s*\{\s*where|\.\w+\.deleteMany\(/g;

/** `named`: by its own key, because of an act. `over`: its time is over. `owner`: its own process gives it back. `moved`: booked elsewhere in the same commit. */
type Reason = 'named' | 'over' | 'owner' | 'moved' | 'operator' | 'remade';

/**
 * Every deletion of the product, by file, with why each is right. None says "it was not there when we looked": what cannot be seen now is
 * kept, or needs two sources, a grace and a tombstone.
 */
const REASONS: Readonly<Record<string, readonly (readonly [Reason, string])[]>> = {
  'src/platform/cache/postgres-dialog-store.ts': [
    ['named', 'a dialogue that ended'],
    ['over', 'dialogues, locks and updates past their end'],
    ['owner', 'a lock that its holder gives back'],
  ],
  'src/modules/keys/store/one-time-link-store.ts': [['over', 'links past their end']],
  'src/platform/db/button-store.ts': [['over', 'buttons past their end']],
  'src/modules/keys/store/idempotency-store.ts': [
    ['over', 'answers past their end'],
    ['owner', 'a claim that gave no answer'],
  ],
  'src/engine/lookup-tables/store.ts': [['operator', 'a table that was closed on the chain, by name']],
  'src/modules/mint/store/metadata-file-store.ts': [
    ['over', 'documents of drafts that were given up, by age'],
    ['over', 'pictures that no document names, by age'],
    ['named', 'a mint whose document is settled'],
  ],
  'src/modules/keys/store/ip-blocks.ts': [['operator', 'a block that is lifted']],
  'src/platform/db/heartbeat.ts': [
    ['over', 'processes that were silent for a week'],
    ['owner', 'its own row at the stop'],
  ],
  'src/engine/watch/store.ts': [
    ['over', 'watchers a minute past their lease'],
    ['owner', 'its own row at the stop'],
  ],
  'src/modules/copying/store/paper-store.ts': [
    ['named', 'the decisions of a paper copy that its person ends'],
    ['named', 'a paper copy that its person ends'],
  ],
  'src/modules/follows/store/funder-rows.ts': [
    ['named', 'the search for the funder of a wallet that its last follower left'],
  ],
  'src/modules/follows/store/signal-store.ts': [['named', 'a signal that its person switches off']],
  'src/modules/follows/store/history-rows.ts': [
    ['named', 'the place in the past of a wallet that its last follower left'],
  ],
  'src/modules/follows/store.ts': [['named', 'a wallet that its person follows no more']],
  'src/modules/guard/store/address-book-store.ts': [['named', 'an address that its owner removes']],
  'src/modules/keys/store/key-request-store.ts': [
    ['over', 'requests that nobody confirmed, by age'],
    ['over', 'decided requests, by age'],
  ],
  'src/platform/db/restore.ts': [['operator', 'the rows of a database that a restore replaces']],
  'src/modules/webhooks/store.ts': [
    ['named', 'the deliveries of a webhook that its account removes'],
    ['named', 'a webhook that its account removes'],
  ],
  'src/modules/mail/store.ts': [['over', 'mails after 90 days']],
  'src/modules/operations/store/retention-store.ts': [
    ['over', 'nonces of personal keys, past the end of their requests'],
    ['over', 'uses of personal keys, by age'],
    ['over', 'verdicts of landed trades, by age'],
    ['over', 'days of health, by age'],
    ['over', 'skips of copies, and trades of copies that ended, by age'],
    ['over', 'uses of the withdrawal cap, by age'],
    ['over', 'uses of the spending cap that a PIN has answered, by age'],
    ['over', 'uses of acts, by age'],
    ['over', 'delivered notices, by age'],
    ['over', 'trades of followed wallets, by age'],
    ['over', 'windows of signals that were told, by age'],
    ['over', 'transfers of creators, older than any order that counts them'],
    ['over', 'seen launches, by age'],
    ['over', 'notices of launches, by age'],
    ['over', 'calls of groups, by age'],
    ['over', 'told deposits, by age'],
    ['over', 'messages of ended intents, by age'],
    ['over', 'idempotency keys, by age'],
    ['over', 'submitted transactions whose end is final or disputed, by age'],
    ['over', 'deliveries of webhooks that wait no more, by age'],
  ],
  'src/modules/market/store/pool-catalogue.ts': [
    ['named', 'pools that the chain gives back as closed accounts; a search finds them again'],
    ['over', 'pools empty or unasked for long; a search finds them again'],
    ['over', 'searches that are old; they are made again'],
    ['remade', 'tokens without a pool; a search finds them again'],
  ],
  'src/modules/market/store/market-store.ts': [['operator', '"market forget --yes"']],
  'src/modules/keys/store/api-usage-store.ts': [['over', 'counts of days past']],
  'src/engine/transactions/store/outbox-store.ts': [['over', 'rows that were dispatched, by age']],
  'src/modules/market/store/indexer-leases.ts': [
    ['over', 'indexers a minute past their lease'],
    ['owner', 'its own row at the stop'],
  ],
  'src/modules/deposits/store/unread-rows.ts': [['named', 'a transaction that was read at last']],
  'src/modules/orders/store/order-feed-store.ts': [
    ['owner', 'its own shards at the stop'],
    ['remade', 'a peak that a newer one replaces in the same statement'],
  ],
  'src/modules/positions/store/pending-store.ts': [
    ['named', 'what an attempt that ended did to positions, before it was final'],
  ],
  'src/modules/convert/store.ts': [['named', 'watchers who were told']],
  'src/modules/trading/store/source-counts.ts': [['over', 'counts of quotes, by day']],
  'src/platform/tape/tape-log.ts': [['over', 'the log beyond its length']],
  'src/platform/tape/wallet-flows.ts': [['over', 'sums of wallets, by age']],
  'src/platform/tape/faults.ts': [['named', 'faults that were decoded']],
  'src/platform/tape/postgres/seal-trades.ts': [
    ['remade', 'trades of a range that the same commit writes from whole blocks'],
    ['remade', 'bars of that range, made again in the same commit'],
    ['remade', 'people of trades that are gone'],
    ['remade', 'last trades, written again'],
  ],
  'src/platform/tape/postgres/keep-tape.ts': [
    ['over', 'bars of fifteen seconds, by age'],
    ['over', 'the oldest trades above TAPE_MAX_GB'],
    ['remade', 'bars that are made anew from trades'],
  ],
  'src/platform/tape/clickhouse/tables.ts': [['operator', '"market forget --yes"']],
  'prisma/migrations/20260210000000_point_days/migration.sql': [
    ['moved', 'points that the same statement books'],
  ],
};

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.(ts|sql)$/.test(path) && !path.includes('/generated/'));
}

/** The deletions of a text; comments, grants and triggers are none. */
function deletionsOf(text: string): number {
  return [...text.matchAll(DELETIONS)].length;
}

describe('what the product deletes', () => {
  const found = new Map(
    [...filesUnder('src'), ...filesUnder('scripts/ops'), ...filesUnder('prisma/migrations')]
      .map((path) => [path, deletionsOf(readFileSync(join(ROOT, path), 'utf8'))] as const)
      .filter(([, count]) => count > 0),
  );

  it('has a reason each, in the table of this file', () => {
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(REASONS).map(([path, reasons]) => [path, reasons.length])),
    );
  });

  it('is noticed when one is planted', () => {
    expect(deletionsOf('await query(`DELETE FROM wallets WHERE id = $1`, [id]);')).toBe(1);
    expect(deletionsOf('await query(`DELETE FROM ${table} WHERE 1 = 1`, []);')).toBe(1);
    expect(deletionsOf('await prisma().wallet.deleteMany({ where: { id } });')).toBe(1);
    expect(deletionsOf('await prisma().wallet.deleteMany({\n  where: { id } });')).toBe(1);
    expect(deletionsOf('await prisma().wallet.delete({ where: { id } });')).toBe(1);
    expect(deletionsOf('REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM PUBLIC;')).toBe(0);
  });
});

import { address } from '../../src/core/address/address.ts';
import { readRunFile } from '../../src/local/run-file.ts';
import type { Market } from '../../src/modules/market/rules/market.ts';
import type { MarketStore } from '../../src/modules/market/store/market-store-port.ts';
import { refaultMarkets } from '../../src/modules/market/use/refault-markets.ts';
import { type MarketReport, verifyMarket } from '../../src/modules/market/use/verify-market.ts';
import { openTransactionSource } from '../../src/platform/chain/transaction-source/open-source.ts';
import { openClickHouse } from '../../src/platform/tape/clickhouse/open-clickhouse.ts';
import { openTape } from '../../src/platform/tape/open-tape.ts';
import type { Io } from './command.ts';
import { openChain, openDatabaseUrl } from './open.ts';
import { OpsError } from './ops-error.ts';
import { wholeNumber } from './read-values.ts';

const MAX_SLOT = 2 ** 32;

/** Reads a market again from the chain and compares the tape with it. 1 when they differ. */
export async function verify(io: Io, word: string, from: string | undefined): Promise<number> {
  const fromSlot = from === undefined ? null : BigInt(wholeNumber('--from', from, { min: 0, max: MAX_SLOT }));
  const { tape, markets, close } = await openTapeStores(io);
  try {
    const market = await marketOf(markets, word);
    const report = await verifyMarket({ ...openReader(io), tape }, market, fromSlot);
    if (report === null)
      throw new OpsError(`The market ${word} was never read. Start a process with ROLES=indexer.`);
    printReport(io, market, report);
    return report.isExact && market.gapSince === null ? 0 : 1;
  } finally {
    await close();
  }
}

/** Decodes again the trades that could not be read. 1 when one still cannot. */
export async function refault(io: Io, word: string | undefined): Promise<number> {
  const { tape, markets, close } = await openTapeStores(io);
  try {
    const wanted = word === undefined ? await markets.all() : [await marketOf(markets, word)];
    const log = {
      warn: (fields: object, text: string) => io.note(`${text} ${JSON.stringify(fields, plain)}`),
      error: (fields: object, text: string) => io.note(`${text} ${JSON.stringify(fields, plain)}`),
    };
    const done = await refaultMarkets({ ...openReader(io), tape, log }, wanted);
    if (done.length === 0) io.print('There are no faults.');
    for (const { market, cleared, left } of done) {
      io.print(
        `${market.name}  ${market.address}  ${cleared} decoded again, ${left.length} still cannot be told`,
      );
      for (const { signature, slot, why } of left) io.print(`  slot ${slot}  ${signature}  ${why}`);
    }
    return done.some(({ left }) => left.length > 0) ? 1 : 0;
  } finally {
    await close();
  }
}

export async function rebuild(io: Io, word: string): Promise<number> {
  const { tape, markets, close } = await openTapeStores(io);
  try {
    const market = await marketOf(markets, word);
    await tape.rebuild(market.id);
    io.print(`The bars of ${market.name} were made anew from its trades.`);
    return 0;
  } finally {
    await close();
  }
}

/** Without `yes`, it only prints what would be deleted. */
export async function forget(io: Io, yes: boolean): Promise<number> {
  const { markets, close } = await openTapeStores(io);
  try {
    const [known, genesis] = await Promise.all([markets.all(), markets.genesis()]);
    const what = `the tape of ${known.length} markets of the chain ${genesis ?? 'that nobody has read yet'}`;
    if (!yes) {
      io.print(`Would delete ${what}. Stop every indexer, then repeat with --yes.`);
      return 1;
    }
    await markets.forget();
    io.print(`Deleted ${what}. What the next indexer reads begins it anew.`);
    return 0;
  } finally {
    await close();
  }
}

function printReport({ print }: Io, market: Market, report: MarketReport): void {
  const { from, upTo, transactions, links, hole, faults, trades, missing, extra, different, wrongBar } =
    report;
  print(`${market.name}  ${market.address}  slots ${from} to ${upTo}`);
  print(`  ${transactions} transactions, ${links} links of balances, ${trades} trades, ${faults} faults`);
  print(hole === null ? '  nothing is missing between them' : `  something is missing: ${hole}`);
  print(`  tape: ${missing.length} missing, ${extra.length} too many, ${different.length} different`);
  for (const { id, signature } of [...missing, ...extra, ...different].slice(0, 20))
    print(`    ${id}  ${signature}`);
  if (wrongBar !== null) {
    const { minutes, t, kept, made } = wrongBar;
    print(
      `  bars: the one of ${minutes} min at ${new Date(t * 1_000).toISOString()} is not what its trades make`,
    );
    print(`    kept ${JSON.stringify(kept, plain)}`);
    print(`    made ${JSON.stringify(made, plain)}`);
  }
  const { post, now } = report;
  if (post !== null)
    print(`  vaults: ${post.base} and ${post.quote} after them, ${now.base} and ${now.quote} now`);
  if (market.gapSince !== null) print(`  gap: trades since slot ${market.gapSince} may be missing`);
  print(report.isExact ? '  the tape is exact' : '  THE TAPE IS NOT EXACT');
}

async function marketOf(markets: Pick<MarketStore, 'find'>, word: string): Promise<Market> {
  const market = await markets.find(address(word));
  if (market === null) throw new OpsError(`The tape has no market ${word}.`);
  return market;
}

/** The tape and its markets, where the configuration has them. */
export async function openTapeStores(io: Io) {
  const where = await openDatabaseUrl(io, 'schema');
  const { databaseUrl, clickHouseUrl } = io.config().index;
  const { tape, markets } = await openTape({
    url: databaseUrl ?? where.url,
    clickHouse: openClickHouse(clickHouseUrl),
  });
  const close = async (): Promise<void> => {
    await tape.close();
    await where.close();
  };
  return { tape, markets, close };
}

function openReader(io: Io) {
  const config = io.config();
  const local = readRunFile(config.local.dir)?.rpcUrl ?? null;
  const urls = config.rpcUrls ?? (local === null ? [] : [local]);
  const { chain } = openChain(config);
  const isLocal = config.rpcUrls === null;
  return { chain, source: openTransactionSource({ ...config.index, isLocal }, { urls, wsUrls: [] }) };
}

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value instanceof Error ? value.message : value;
}

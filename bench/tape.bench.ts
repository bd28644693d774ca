/**
 * The tape on the embedded Postgres: trades appended per second over one connection and 1,000 markets, 1,000 bars of any
 * resolution beside an interleaved `SELECT 1`, and the 24 hour list of 10,000 markets as bytes. TRADES says how many trades
 * are written before bars are read (200,000).
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minutesOf, RESOLUTIONS, type TapeTrade } from '@tradepost/tape';
import pg from 'pg';
import { startLocalPostgres } from '../src/local/postgres/index.ts';
import { marketList } from '../src/modules/market/api/market-list.ts';
import { volumeOf } from '../src/modules/market/api/market-records.ts';
import { loadCandles } from '../src/modules/market/use/load-candles.ts';
import { createMarketData } from '../src/modules/market/use/market-data.ts';
import { openTape } from '../src/platform/tape/open-tape.ts';
import { DAY_START, freshAddress, freshSignature, idAt, newMarkets } from '../test/support/tape-rows.ts';
import type { Row } from './run.ts';

export const name = 'tape';

const MARKETS = 1_000;
const BATCH = 5_000;
const TRADES = Number(process.env['TRADES'] ?? 200_000);
const LISTED = 10_000;
const READS = 300;
const SECONDS_PER_TRADE = 0.4;

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  // Run as root, the server is another user, who must be able to walk here.
  chmodSync(dir, 0o711);
  const postgres = await startLocalPostgres({ dir: join(dir, 'postgres') });
  const { tape, markets, marketFeed } = await openTape({ url: postgres.url });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const quote = { quoteMint: freshAddress() };
    const found = await newMarkets(markets, symbols(0, MARKETS), quote);
    const appended = await appendRate(
      found.map(({ id }) => id),
      (trades) => tape.append({ trades, live: [] }),
    );
    const bars = await barReads(
      (resolution, from, to) =>
        loadCandles({ tape }, { marketId: found[0]?.id ?? 0, resolution, from, to, limit: 1_000 }),
      () => client.query('SELECT 1'),
    );
    const rest = await newMarkets(markets, symbols(MARKETS, LISTED - MARKETS), quote);
    await appendRate(
      rest.map(({ id }) => id),
      (trades) => tape.append({ trades, live: [] }),
      rest.length,
    );
    const market = createMarketData({
      tape,
      markets,
      feed: marketFeed,
      venues: [],
      clock: { now: () => DAY_START * 1_000 },
      dollars: [],
    });
    const list = await listReads(async () => {
      const answer = await marketList(
        { market },
        { path: '/v1/volumes', envelope: 'v1', record: volumeOf },
        {},
      );
      return answer.prepared?.bytes.gzip.length ?? 0;
    });
    market.stop();
    return [
      {
        metric: `trades appended per second, batches of ${BATCH}`,
        value: appended,
        unit: '/s',
        note: 'goal ≥ 5,000',
      },
      {
        metric: '1,000 bars of any resolution, p99',
        value: bars.p99,
        unit: 'ms',
        baseline: 'SELECT 1 p99',
        ratio: bars.p99 / bars.baseline,
        note: 'goal ≤ 20 ms or ≤ 4 ×',
      },
      { metric: '1,000 bars of any resolution, p50', value: bars.p50, unit: 'ms' },
      {
        metric: `24 h list of ${LISTED.toLocaleString('en-US')} markets, warm, p99`,
        value: list.p99,
        unit: 'ms',
        note: `goal ≤ 30 ms; built once in ${Math.round(list.first)} ms, ${Math.round(list.bytes / 1_024)} kB gzip`,
      },
    ];
  } finally {
    await client.end();
    await tape.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function symbols(from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `T${(from + n).toString(36).toUpperCase()}Q`);
}

/** Trades per second: markets in turn, one trade every 0.4 seconds of the chain. */
async function appendRate(
  marketIds: readonly number[],
  append: (trades: readonly TapeTrade[]) => Promise<unknown>,
  wanted = TRADES,
): Promise<number> {
  const traders = Array.from({ length: 5_000 }, () => freshAddress());
  let spent = 0;
  for (let written = 0; written < wanted; written += BATCH) {
    const trades = Array.from({ length: Math.min(BATCH, wanted - written) }, (_, n): TapeTrade => {
      const at = DAY_START + Math.floor((written + n) * SECONDS_PER_TRADE);
      return {
        id: idAt(at, (written + n) % 8_192),
        marketId: marketIds[(written + n) % marketIds.length] ?? 0,
        at,
        side: n % 3 === 0 ? 'sell' : 'buy',
        base: BigInt(1_000_000 + ((n * 7_919) % 1_000_000)),
        quote: BigInt(1_500_000 + ((n * 104_729) % 1_000_000)),
        fee: 4_500n,
        feeSource: 'rate',
        trader: traders[(n * 31) % traders.length] ?? freshAddress(),
        signature: freshSignature(),
        source: 'call',
      };
    });
    const startedAt = performance.now();
    await append(trades);
    spent += performance.now() - startedAt;
  }
  return (wanted / spent) * 1_000;
}

async function barReads(
  read: (resolution: (typeof RESOLUTIONS)[number], from: number, to: number) => Promise<unknown>,
  select1: () => Promise<unknown>,
) {
  const [times, base]: [number[], number[]] = [[], []];
  const end = DAY_START + Math.ceil(TRADES * SECONDS_PER_TRADE);
  for (let n = 0; n < READS; n += 1) {
    const resolution = RESOLUTIONS[n % RESOLUTIONS.length] ?? '1';
    base.push(await timed(select1));
    times.push(await timed(() => read(resolution, end - 1_000 * minutesOf(resolution) * 60, end)));
  }
  return { p50: percentile(times, 50), p99: percentile(times, 99), baseline: percentile(base, 99) };
}

async function listReads(read: () => Promise<number>) {
  let bytes = 0;
  const first = await timed(async () => {
    bytes = await read();
  });
  const times: number[] = [];
  for (let n = 0; n < READS; n += 1) times.push(await timed(read));
  return { first, bytes, p99: percentile(times, 99) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

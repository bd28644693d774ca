/**
 * Copies of followed wallets on the program as `npm start` composes it, in this process: chain, chat and database of its own. A thousand
 * wallets are followed, a hundred people copy one each by PIN. The time runs from the notice that wakes the reader of followed wallets, a
 * leader's trade being on the tape, to the signature of the copy's transaction. Then 2,000 copies of a hundred leaders who trade fifty times a second,
 * beside the same trades by wallets without a follower. `npm run bench -- copies`; TRADES sets the number of copied trades.
 */
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import pg from 'pg';
import { createRestTrader, type RestTrader } from '../scripts/tour/rest-swap.ts';
import { COPY_DEFAULTS, type CopyRules } from '../src/modules/copying/rules/copy.ts';
import { NO_EXITS } from '../src/modules/settings/rules/exit-set.ts';
import type { MarketFeed } from '../src/platform/ports/market-feed.ts';
import { openTape } from '../src/platform/tape/open-tape.ts';
import { type CopyDesk, copyLeader, inTurns, meetCopier, startCopyDesk, worldFolder } from './copy-desk.ts';
import { followedTrades } from './followed-trades.ts';
import { percentile } from './median.ts';
import { replayTime } from './replay-time.ts';
import type { Row } from './run.ts';

export const name = 'copies';

const SOL = 1_000_000_000n;
const PEOPLE = 100;
const FOLLOWED = 1_000;
const TRADES = Number(process.env['TRADES'] ?? 300);
const WARM_UP = 30;
/** Between two trades of leaders: about what the local chain takes for one. */
const BETWEEN_MS = 250;
const CROWD_ROUNDS = 3;
const AT_ONCE = 6;
const LEADER_LAMPORTS = 100_000_000n;
const RULES: CopyRules = {
  ...COPY_DEFAULTS,
  size: { kind: 'fixed', lamports: SOL / 100n },
  tradeLamports: SOL / 20n,
  dayLamports: SOL,
  totalLamports: 5n * SOL,
  each: true,
  young: true,
  accepted: ['MINT_AUTHORITY_LIVE', 'FREEZE_AUTHORITY_LIVE'],
  exits: NO_EXITS,
};

type Copier = Awaited<ReturnType<typeof meetCopier>>;
/** A copy's transaction; epoch milliseconds. */
type Copied = {
  readonly signature: string;
  readonly marketId: number;
  readonly tradeId: string;
  /** The transaction that writes the leader's trade to the tape began. */
  readonly writtenAt: number;
  readonly decidedAt: number;
  readonly signedAt: number;
};

export async function run(): Promise<readonly Row[]> {
  const { dir, remove } = worldFolder();
  try {
    const desk = await startCopyDesk(dir, 'bot,worker,api,indexer');
    const { rows, people } = await stopped(desk, () => latencies(desk));
    // Trades that are on no chain: a reader of the chain would take them back.
    const reader = await startCopyDesk(dir, 'bot,worker');
    const shares = await stopped(reader, () => followedTrades(reader, people));
    return [...rows, ...shares, replayTime()];
  } finally {
    remove();
  }
}

/** The result of the work. The desk is stopped behind it, whichever way it ends. */
async function stopped<T>(desk: CopyDesk, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await desk.stop();
  }
}

async function latencies(
  desk: CopyDesk,
): Promise<{ readonly rows: readonly Row[]; readonly people: readonly Copier[] }> {
  const database = new pg.Client({ connectionString: desk.urls.databaseUrl });
  await database.connect();
  const { tape, marketFeed } = await openTape({ url: desk.urls.databaseUrl });
  const hearing = hear(marketFeed);
  try {
    const mint = await tradedMint(desk);
    const people = await inTurns(
      Array.from({ length: PEOPLE }, (_, n) => 40_000 + n),
      AT_ONCE,
      (id) => meetCopier(desk, id, 20n * SOL),
    );
    const traders = await inTurns([...people, null], AT_ONCE, () => createRestTrader(desk.urls, 50n * SOL));
    const [whale, ...leaders] = traders as [RestTrader, ...RestTrader[]];
    await followAll(desk, people, leaders);
    const alone = await timed(database, 1, () => trade(leaders, mint));
    await inTurns(people, AT_ONCE, (one) => copyLeader(desk, one, whale.address as Address, RULES));
    const crowd: (readonly Copied[])[] = [];
    for (let n = 0; n < CROWD_ROUNDS; n += 1)
      crowd.push(
        await timed(database, PEOPLE, async () => {
          await pause(2_000);
          return [(await whale.swap(purchase(mint, LEADER_LAMPORTS))).signature];
        }),
      );
    return { rows: latencyRows(hearing, alone, crowd), people };
  } finally {
    await tape.close();
    await database.end();
  }
}

function latencyRows(
  hearing: Hearing,
  alone: readonly Copied[],
  crowd: readonly (readonly Copied[])[],
): readonly Row[] {
  const p = (percent: number, of: (one: Copied) => number): number => percentile(alone.map(of), percent);
  const seen = (one: Copied): number => one.signedAt - hearing.of(one);
  const written = (one: Copied): number => one.signedAt - one.writtenAt;
  const last = crowd.map((all) => Math.max(...all.map(seen)));
  const ms = (metric: string, value: number, note?: string): Row => ({
    metric,
    value,
    unit: 'ms',
    ...(note === undefined ? {} : { note }),
  });
  return [
    ms('leader’s trade seen to copy signed, p50', p(50, seen), 'goal <= 150'),
    ms('the same, p99', p(99, seen), 'goal <= 400'),
    ms(
      'of it until the decision is made, p50',
      p(50, (one) => one.decidedAt - hearing.of(one)),
    ),
    ms('with the write of the tape before it, p50', p(50, written)),
    ms('the same, p99', p(99, written)),
    { metric: 'copies that were timed', value: alone.length, unit: '', note: `of ${TRADES}` },
    ms(`${PEOPLE}th follower of one leader, slowest`, Math.max(...last), 'goal p99 <= 2000'),
    {
      metric: 'purchases of them that came in time',
      value: crowd.reduce((sum, all) => sum + all.length, 0),
      unit: '',
      note: `of ${CROWD_ROUNDS * PEOPLE}; later than 15 s is skipped`,
    },
  ];
}

type Hearing = { readonly of: (one: Pick<Copied, 'marketId' | 'tradeId'>) => number };

/** When this process heard of each trade of the tape: at that moment the reader of followed wallets is woken. */
function hear(feed: MarketFeed): Hearing {
  const heard: { readonly newest: ReadonlyMap<number, bigint>; readonly at: number }[] = [];
  feed.listen((change) => {
    if (change.kind === 'traded') heard.push({ newest: change.newest, at: Date.now() });
  });
  return {
    of: ({ marketId, tradeId }) => {
      const found = heard.find(({ newest }) => (newest.get(marketId) ?? -1n) >= BigInt(tradeId));
      if (found === undefined) throw new Error('the feed never named the trade');
      return found.at;
    },
  };
}

/** Each person follows so many wallets that all follow a thousand, and copies the one of them that trades. */
async function followAll(
  desk: CopyDesk,
  people: readonly Copier[],
  leaders: readonly RestTrader[],
): Promise<void> {
  const { follows } = desk.product.services;
  await inTurns([...people.entries()], AT_ONCE, async ([at, one]) => {
    await copyLeader(desk, one, (leaders[at]?.address ?? '') as Address, RULES);
    for (let n = 1; n < FOLLOWED / PEOPLE; n += 1)
      await follows.follow({ userId: one.userId, text: newWallet(), label: `w${n}` });
  });
  // A block's time is whole seconds: trades of this second are before the copies.
  await pause(2_000);
}

/** Of a key, as wallets are: an address off the curve is none. */
function newWallet(): Address {
  const der = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
  return addressFromBytes(new Uint8Array(der.subarray(-32)));
}

/** One leader after the other buys; the signatures of all but the first trades, which pay for compiling. */
async function trade(leaders: readonly RestTrader[], mint: string): Promise<readonly string[]> {
  const signatures: string[] = [];
  for (let n = 0; n < WARM_UP + TRADES; n += 1) {
    const leader = leaders[n % leaders.length];
    if (leader !== undefined) signatures.push((await leader.swap(purchase(mint, LEADER_LAMPORTS))).signature);
    await pause(BETWEEN_MS);
  }
  return signatures.slice(WARM_UP);
}

const purchase = (mint: string, lamports: bigint) => ({
  fromTokenAddress: WSOL_MINT,
  toTokenAddress: mint,
  amount: String(lamports),
  slippageBps: 2_000,
});

/** The times of the copies of these trades, once each trade has so many. */
async function timed(
  database: pg.Client,
  copiesEach: number,
  work: () => Promise<readonly string[]>,
): Promise<readonly Copied[]> {
  const signatures = await work();
  const until = performance.now() + 60_000;
  for (;;) {
    const { rows } = await database.query<Copied>(COPIED, [signatures]);
    const { rows: skips } = await database.query<Skipped>(SKIPS, [signatures]);
    const decided = skips.reduce((sum, { count }) => sum + count, rows.length);
    if (decided >= signatures.length * copiesEach || performance.now() > until) {
      if (skips.length > 0) console.error('not copied:', JSON.stringify(skips));
      return rows;
    }
    await pause(200);
  }
}

type Skipped = { readonly reason: string; readonly count: number };

const COPIED = `SELECT decided.signature, tape.market_id AS "marketId", tape.id::text AS "tradeId",
    (extract(epoch FROM tape.created_at) * 1000)::float8 AS "writtenAt",
    (extract(epoch FROM decided.seen_at) * 1000)::float8 AS "decidedAt",
    (extract(epoch FROM first.signed_at) * 1000)::float8 AS "signedAt"
  FROM copy_trades decided JOIN leader_trades trade USING (leader, signature, mint, side)
    JOIN trades tape ON tape.id = trade.trade_id JOIN attempts first ON first.intent_id = decided.intent_id AND first.n = 1
  WHERE decided.side = 'buy' AND decided.signature = ANY ($1::text[])`;
const SKIPS = `SELECT skip->>'reason' AS reason, count(*)::int AS count FROM copy_trades
  WHERE status = 'SKIPPED' AND signature = ANY ($1::text[]) GROUP BY 1`;

async function tradedMint({ urls }: CopyDesk): Promise<string> {
  const { pools } = (await (await fetch(`${urls.rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly { readonly mintA: string; readonly mintB: string }[];
  };
  return pools.find(({ mintB }) => mintB === WSOL_MINT)?.mintA ?? '';
}

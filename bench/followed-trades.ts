/** How much of a core a worker needs for followed wallets that trade all the time. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, toBase58, WSOL_MINT } from '@tradepost/solana';
import { type TapeTrade, tradeId } from '@tradepost/tape';
import pg from 'pg';
import { COPY_DEFAULTS } from '../src/modules/copying/rules/copy.ts';
import type { Market } from '../src/modules/market/rules/market.ts';
import { NO_EXITS } from '../src/modules/settings/rules/exit-set.ts';
import type { Wallet } from '../src/modules/wallets/rules/wallet.ts';
import { openTape } from '../src/platform/tape/open-tape.ts';
import { PASSED } from '../test/support/passed.ts';
import { freshAddress } from '../test/support/tape-rows.ts';
import type { CopyDesk } from './copy-desk.ts';
import type { Row } from './run.ts';

const SOL = 1_000_000_000n;
const LEADERS = 100;
const FOLLOWERS = 20;
const PER_SECOND = 50;
/** As a chain brings them: those of one slot together. */
const SLOT_MS = 400;
const WINDOW_MS = Number(process.env['WINDOW_MS'] ?? 20_000);
const GOAL = 'goal <= 30';

type Copier = { readonly userId: string; readonly wallet: Pick<Wallet, 'id'> };
type Tape = Awaited<ReturnType<typeof openTape>>;
type World = {
  readonly desk: CopyDesk;
  readonly database: pg.Client;
  readonly tape: Tape['tape'];
  readonly market: Market;
};
type Measured = { readonly share: number; readonly behindMs: number };

/**
 * A hundred leaders, each followed and then copied by twenty people, trade fifty times a second. The processor time of this process, from
 * the first trade until the last is read and decided on, as a part of the time in which they traded. Beside it the same trades by strangers.
 */
export async function followedTrades(desk: CopyDesk, people: readonly Copier[]): Promise<readonly Row[]> {
  const { databaseUrl } = desk.urls;
  const { tape, markets } = await openTape({ url: databaseUrl });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const market = (await markets.all()).find(({ quoteMint }) => quoteMint === WSOL_MINT);
    if (market === undefined) throw new Error('no market for SOL');
    const world = { desk, database, tape, market };
    const leaders = Array.from({ length: LEADERS }, () => freshAddress());
    const strangers = Array.from({ length: LEADERS }, () => freshAddress());
    const ids = createPlaces(await lastSlot(database));
    await measure(world, strangers, ids);
    const idle = await measure(world, strangers, ids);
    const follows = await followThem(world, people, leaders);
    const followed = await measure(world, leaders, ids);
    await copyThem(world, follows);
    const copied = await measure(world, leaders, ids);
    return [
      shareRow('trades of strangers', idle),
      shareRow(`leaders with ${FOLLOWERS} followers each`, followed, GOAL, idle),
      shareRow(`leaders with ${FOLLOWERS} copies each`, copied, GOAL, idle),
      { metric: 'last of them decided after', value: copied.behindMs, unit: 'ms' },
      { metric: 'undecided', value: await undecided(world), unit: '', note: 'must be 0' },
    ];
  } finally {
    await database.end();
    await tape.close();
  }
}

function shareRow(who: string, { share }: Measured, goal?: string, idle?: Measured): Row {
  return {
    metric: `${PER_SECOND} trades/s, ${who}`,
    value: share,
    unit: '% of a core',
    ...(goal === undefined ? {} : { note: goal }),
    ...(idle === undefined ? {} : { baseline: 'strangers', ratio: share / idle.share }),
  };
}

async function measure(world: World, traders: readonly Address[], nextId: () => bigint): Promise<Measured> {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const each = (PER_SECOND * SLOT_MS) / 1_000;
  for (let slot = 0; slot < WINDOW_MS / SLOT_MS; slot += 1) {
    await pause(Math.max(0, startedAt + slot * SLOT_MS - performance.now()));
    const trades = Array.from({ length: each }, (_, n) =>
      tradeOf(world.market, traders, nextId(), slot * each + n),
    );
    await world.tape.append({ trades, live: [] });
  }
  await pause(Math.max(0, startedAt + WINDOW_MS - performance.now()));
  const endedAt = performance.now();
  while (!(await isRead(world))) await pause(100);
  const behindMs = performance.now() - endedAt;
  const { user, system } = process.cpuUsage(cpu);
  return { share: (user + system) / 10 / WINDOW_MS, behindMs };
}

/** The reader has the end of the log, and no copy has a trade left to decide on. */
async function isRead(world: World): Promise<boolean> {
  const { db } = world.desk.product.world;
  const [place, end] = [await db.follows.place(), await world.tape.logEnd()];
  return (place === null || place >= end) && (await undecided(world)) === 0;
}

async function undecided({ desk }: Pick<World, 'desk'>): Promise<number> {
  return (await desk.product.world.db.copies.undecided(1)).length;
}

let serial = 0;

function tradeOf({ id: marketId }: Market, traders: readonly Address[], id: bigint, n: number): TapeTrade {
  serial += 1;
  const bytes = new Uint8Array(64).fill(9);
  new DataView(bytes.buffer).setUint32(0, serial);
  return {
    id,
    marketId,
    at: Math.floor(Date.now() / 1_000),
    // Each buys, then sells.
    side: Math.floor(n / traders.length) % 2 === 0 ? 'buy' : 'sell',
    base: 100_000_000n,
    quote: SOL / 10n,
    fee: null,
    feeSource: 'unknown',
    trader: traders[n % traders.length] ?? freshAddress(),
    signature: toBase58(bytes),
    source: 'call',
  };
}

/** Places behind all trades that are there. */
function createPlaces(after: bigint): () => bigint {
  let count = 0;
  return () => {
    count += 1;
    const id = tradeId({
      slot: after + 10n + BigInt(Math.floor(count / 1_000)),
      index: count % 1_000,
      ordinal: 0,
    });
    if (id === null) throw new RangeError('no such place');
    return id;
  };
}

async function lastSlot(database: pg.Client): Promise<bigint> {
  const { rows } = await database.query<{ readonly slot: string }>(
    'SELECT (max(id) >> 21)::text AS slot FROM trades',
  );
  return BigInt(rows[0]?.slot ?? 0);
}

type Followed = { readonly followId: string; readonly leader: Address; readonly person: Copier };

/** Twenty people follow each leader, and have had the messages of this hour: from then on a trade is counted. */
async function followThem(
  { desk }: World,
  people: readonly Copier[],
  leaders: readonly Address[],
): Promise<readonly Followed[]> {
  const { db, ids } = desk.product.world;
  const now = Date.now();
  const made: Followed[] = [];
  for (const [at, leader] of leaders.entries())
    for (let n = 0; n < FOLLOWERS; n += 1) {
      const person = people[(at * 7 + n * 5) % people.length];
      if (person === undefined) continue;
      const followId = ids.ulid();
      await db.follows.insert({
        id: followId,
        userId: person.userId,
        leader,
        label: 'leader',
        minLamports: 0n,
        notices: true,
        hourAt: now,
        hourTold: 20,
        hourHeld: 0,
        createdAt: now,
      });
      made.push({ followId, leader, person });
    }
  // The time of a trade is whole seconds.
  await pause(2_000);
  return made;
}

/**
 * Each of them copies purchases of a SOL and more: these are smaller, so each is skipped with its reason, and so are sales of a token that is not
 * held. A person may have five copies; here each has twenty.
 */
async function copyThem({ desk }: World, follows: readonly Followed[]): Promise<void> {
  const { db, ids } = desk.product.world;
  const now = Date.now();
  for (const { followId, leader, person } of follows)
    await db.copies.insert(PASSED, {
      id: ids.ulid(),
      userId: person.userId,
      walletId: person.wallet.id,
      followId,
      leader,
      status: 'ON',
      reason: null,
      rules: { ...COPY_DEFAULTS, leastLamports: SOL, exits: NO_EXITS },
      lockEpoch: 0,
      until: now + 86_400_000,
      certificate: null,
      since: now,
      version: 1,
      createdAt: now,
    });
  await pause(2_000);
}

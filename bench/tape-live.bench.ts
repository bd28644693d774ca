/**
 * The tape in the running program: how long after its confirmation a trade stands in `/v1/trades/:address/last`, and what the
 * indexer costs POST /dex/swap at p50, by programs with and without it, one after the other, twice, while somebody trades.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRestTrader, type RestTrader } from '../scripts/tour/rest-swap.ts';
import { type Program, startProgram } from '../test/support/program.ts';
import { median, percentile } from './median.ts';
import { sequential } from './paced.ts';
import type { Row } from './run.ts';

export const name = 'tape-live';

const SWAPS = 60;
const WARM_UP_SWAPS = 5;
const LOOK_MS = 10;
const WARM_UP_QUOTES = 500;
const QUOTES = 500;
const ROUNDS = 2;
const SOL = 'So11111111111111111111111111111111111111112';
const ENV = { API_RATE_PER_SECOND: '100000', API_RATE_BURST: '100000' };
const ROLES = { with: 'bot,worker,api,indexer', without: 'bot,worker,api' };

type Pool = { readonly id: string; readonly mintA: string; readonly mintB: string };

export async function run(): Promise<readonly Row[]> {
  const costs: Record<keyof typeof ROLES, number[]> = { with: [], without: [] };
  let lags: readonly number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const roles of ['with', 'without'] as const)
      await inProgram(ROLES[roles], async (program) => {
        costs[roles].push(await swapMedian(program));
        if (roles === 'with' && round === 0) lags = await freshness(program);
      });
  const [indexed, bare] = [median(costs.with), median(costs.without)];
  return [
    {
      metric: `a trade in /v1/trades/:address/last after its confirmation, p95 of ${SWAPS}`,
      value: percentile(lags, 95),
      unit: 'ms',
      note: 'goal ≤ 400, one slot',
    },
    { metric: 'the same, p50', value: percentile(lags, 50), unit: 'ms' },
    {
      metric: 'POST /dex/swap p50 with the indexer in the process',
      value: indexed,
      unit: 'ms',
      baseline: 'without it',
      ratio: indexed / bare,
      note: `goal ≤ 1.10 ×; with ${times(costs.with)}, without ${times(costs.without)}`,
    },
  ];
}

const times = (all: readonly number[]): string => all.map((one) => one.toFixed(2)).join(' and ');

async function inProgram(roles: string, work: (program: Program) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  const program = await startProgram(dir, { ...ENV, ROLES: roles });
  try {
    await work(program);
  } finally {
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function poolOf({ run: { rpcUrl } }: Program): Promise<Pool> {
  const { pools } = (await (await fetch(`${rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly Pool[];
  };
  const pool = pools.find(({ mintB }) => mintB === SOL);
  if (pool === undefined) throw new Error('the desk sells nothing for SOL');
  return pool;
}

const order = (pool: Pool, amount: string) => ({
  fromTokenAddress: SOL,
  toTokenAddress: pool.mintA,
  amount,
  slippageBps: 5_000,
});

/** Quotes one after the other while somebody else trades as fast as trades are confirmed. */
async function swapMedian(program: Program): Promise<number> {
  const pool = await poolOf(program);
  const trader = await createRestTrader(program.run, 50_000_000_000n);
  const body = JSON.stringify({ userWalletAddress: trader.address, ...order(pool, '5000000000') });
  const ask = async (): Promise<void> => {
    const response = await fetch(`${program.run.openApiUrl}/dex/swap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    await response.text();
  };
  await sequential(ask, WARM_UP_QUOTES);
  let isOver = false;
  const trading = (async () => {
    while (!isOver) await trader.swap(order(pool, '1000000'));
  })();
  const spent = await sequential(ask, QUOTES);
  isOver = true;
  await trading;
  return median(spent);
}

/** Milliseconds from a trade's first sight as confirmed at the node to its first sight in the answer, both looked at alike. */
async function freshness(program: Program): Promise<readonly number[]> {
  const { rpcUrl, openApiUrl } = program.run;
  const pool = await poolOf(program);
  const trader = await createRestTrader(program.run, 50_000_000_000n);
  const confirmed = firstSights(async () => {
    const answer = await postJson(rpcUrl, {
      jsonrpc: '2.0',
      id: 1,
      method: 'getSignaturesForAddress',
      params: [trader.address, { limit: 3, commitment: 'confirmed' }],
    });
    return (answer as { result: { signature: string }[] }).result;
  });
  const told = firstSights(async () => {
    const answer = await fetch(`${openApiUrl}/v1/trades/${pool.id}/last`);
    const { data } = (await answer.json()) as { readonly data?: readonly { readonly signature: string }[] };
    return data ?? [];
  });
  try {
    const signatures = await swaps(trader, pool, (signature) => told.of(signature));
    const counted = signatures.slice(WARM_UP_SWAPS);
    return await Promise.all(
      counted.map(async (one) => Math.max(0, (await told.of(one)) - (await confirmed.of(one)))),
    );
  } finally {
    await Promise.all([confirmed.stop(), told.stop()]);
  }
}

/** One after the other: each is seen before the next, or the last trade of the market would be another one. */
async function swaps(
  trader: RestTrader,
  pool: Pool,
  seen: (signature: string) => Promise<number>,
): Promise<readonly string[]> {
  const signatures: string[] = [];
  for (let n = 0; n < SWAPS + WARM_UP_SWAPS; n += 1) {
    const { signature } = await trader.swap(order(pool, '1000000'));
    signatures.push(signature);
    await seen(signature);
  }
  return signatures;
}

/** When a signature was first among what `look` sees, on this process's clock. */
function firstSights(look: () => Promise<readonly { readonly signature: string }[]>) {
  const sights = new Map<string, number>();
  let isOver = false;
  const looking = (async () => {
    for (; !isOver; await pause(LOOK_MS))
      for (const { signature } of await look())
        if (!sights.has(signature)) sights.set(signature, performance.now());
  })();
  return {
    of: async (signature: string): Promise<number> => {
      for (const until = performance.now() + 60_000; performance.now() < until; await pause(LOOK_MS)) {
        const at = sights.get(signature);
        if (at !== undefined) return at;
      }
      throw new Error(`${signature} was not seen within a minute`);
    },
    stop: async (): Promise<void> => {
      isOver = true;
      await looking;
    },
  };
}

async function postJson(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

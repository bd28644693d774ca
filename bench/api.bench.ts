/**
 * POST /dex/swap over the real program and the local chain at 50 requests per second, and as fast as one caller can ask,
 * beside a bare Fastify route that answers the same bytes, in the same run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { createRestTrader } from '../scripts/tour/rest-swap.ts';
import { startProgram } from '../test/support/program.ts';
import { percentile } from './median.ts';
import { paced, sequential } from './paced.ts';
import type { Row } from './run.ts';

export const name = 'api';

const RATE = 50;
const SECONDS = 10;
/** Until the compiler has settled: before, the same requests take half as long again. */
const WARM_UP = 1_500;
const SEQUENTIAL = 100;
const CALLERS = 4;
const SATURATED_MS = 2_000;
const SOL = 'So11111111111111111111111111111111111111112';

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  const program = await startProgram(dir, { API_RATE_PER_SECOND: '100000', API_RATE_BURST: '100000' });
  const bare = Fastify();
  try {
    const { rpcUrl, openApiUrl } = program.run;
    const { pools } = (await (await fetch(`${rpcUrl}/desk/pools`)).json()) as {
      readonly pools: readonly { readonly mintA: string; readonly mintB: string }[];
    };
    const mint = pools.find((pool) => pool.mintB === SOL)?.mintA ?? '';
    const trader = await createRestTrader({ rpcUrl, openApiUrl }, 20_000_000_000n);
    const body = JSON.stringify({
      userWalletAddress: trader.address,
      fromTokenAddress: SOL,
      toTokenAddress: mint,
      amount: '5000000000',
      slippageBps: 100,
    });
    const answer = await (await post(`${openApiUrl}/dex/swap`, body)).text();
    bare.post('/dex/swap', async (_request, reply) => reply.type('application/json').send(answer));
    const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 });

    for (let n = 0; n < WARM_UP; n += 1) await (await post(`${openApiUrl}/dex/swap`, body)).text();
    const swap = async () => (await post(`${openApiUrl}/dex/swap`, body)).text();
    const alone = await sequential(swap, SEQUENTIAL);
    const { times, refused } = await paced(swap, RATE, RATE * SECONDS);
    const ours = await saturated(`${openApiUrl}/dex/swap`, body);
    const baseline = await saturated(`${bareUrl}/dex/swap`, body);
    return [
      { metric: 'POST /dex/swap p50, one at a time', value: percentile(alone, 50), unit: 'ms' },
      { metric: 'POST /dex/swap p99, one at a time', value: percentile(alone, 99), unit: 'ms' },
      {
        metric: `POST /dex/swap p50 at ${RATE}/s, split over two desks`,
        value: percentile(times, 50),
        unit: 'ms',
        note: 'goal 15',
      },
      {
        metric: `POST /dex/swap p99 at ${RATE}/s`,
        value: percentile(times, 99),
        unit: 'ms',
        note: 'goal 60',
      },
      {
        metric: `answers at ${RATE}/s that were no transaction`,
        value: refused,
        unit: '',
        note: `of ${RATE * SECONDS}`,
      },
      {
        metric: `POST /dex/swap, ${CALLERS} callers at once`,
        value: ours,
        unit: '/s',
        baseline: 'a bare Fastify route',
        ratio: ours / baseline,
      },
      { metric: 'bare Fastify route, same answer', value: baseline, unit: '/s' },
    ];
  } finally {
    await bare.close();
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function post(url: string, body: string): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

async function saturated(url: string, body: string): Promise<number> {
  const until = performance.now() + SATURATED_MS;
  let answered = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < until) {
        await (await post(url, body)).text();
        answered += 1;
      }
    }),
  );
  return (answered * 1_000) / SATURATED_MS;
}

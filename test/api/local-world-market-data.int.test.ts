import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRestTrader } from '../../scripts/tour/rest-swap.ts';
import { createUdfClient } from '../../src/platform/http/look/browser/udf-client.js';
import { type Program, startProgram } from '../support/program.ts';
import { v1Shapes } from './v1-shapes.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const SHAPES = v1Shapes({ traded: 1, lately: 1, known: 1 });

const dir = mkdtempSync(join(tmpdir(), 'tradepost-market-data-'));
let program: Program;
/** The market that the trade went to. */
let market: string;
type Pool = { readonly mintA: string; readonly mintB: string };
type Told = { readonly signature: string; readonly marketAddress: string };
type Answer = { readonly data: unknown; readonly error?: { readonly code: string } };

/** The program as `npm start` composes it, and somebody who trades by REST. */
beforeAll(async () => {
  program = await startProgram(dir, { API_RATE_PER_SECOND: '1000', API_RATE_BURST: '1000' });
  const { rpcUrl } = program.run;
  const { pools } = (await (await fetch(`${rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly Pool[];
  };
  const found = pools.find(({ mintB }) => mintB === SOL);
  if (found === undefined) throw new Error('the desk sells nothing for SOL');
  const trader = await createRestTrader(program.run, 5_000_000_000n);
  const { signature } = await trader.swap({
    fromTokenAddress: SOL,
    toTokenAddress: found.mintA,
    amount: '10000000',
    slippageBps: 500,
  });
  // Lists are made at most every two seconds.
  for (let told: Told | undefined; told === undefined; await pause(100)) {
    const trades = (await get('/v1/trades')).data as readonly Told[] | undefined;
    told = trades?.find((one) => one.signature === signature);
    market = told?.marketAddress ?? '';
  }
});
afterAll(async () => {
  await program?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const get = async (path: string): Promise<Answer> => {
  const answer = await fetch(program.run.openApiUrl + path.replace(':address', market));
  return (await answer.json()) as Answer;
};

it('tells of the trade in every answer of /v1, with the types of the specification', async () => {
  for (const [path, shape] of Object.entries(SHAPES)) {
    const { data } = await get(path);
    expect([path, shape.safeParse(data).error]).toEqual([path, undefined]);
  }
});

it('draws it at the address that the run names for charts', async () => {
  const charts = createUdfClient({ url: `${program.run.chartUrl}/v1/trade-history/tv` });
  const config = await charts.config();
  expect(config['supported_resolutions']).toContain('1D');
  expect(Math.abs((await charts.time()) - Date.now() / 1_000)).toBeLessThan(60);
  const symbol = await charts.symbol(market);
  expect(symbol).toMatchObject({ type: 'Spot', session: '24x7', timezone: 'Etc/UTC', minmov: 1 });
  for (const resolution of ['1', '60', '1D']) {
    const bars = await charts.newest({ symbol: String(symbol['ticker']), resolution, count: 10 });
    expect([resolution, bars.length > 0 && (bars.at(-1)?.volume ?? 0) > 0]).toEqual([resolution, true]);
  }
});

/**
 * POST /token over the real program and the local chain at 50 requests per second, every one another token2022 with a metadata
 * document of its own, beside one caller asking in sequence.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRestTrader } from '../scripts/tour/rest-swap.ts';
import { startProgram } from '../test/support/program.ts';
import { percentile } from './median.ts';
import { paced, sequential } from './paced.ts';
import type { Row } from './run.ts';

export const name = 'token';

const RATE = 50;
const SECONDS = 4;
const WARM_UP = 30;
const SEQUENTIAL = 40;

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  const program = await startProgram(dir, {
    API_RATE_PER_SECOND: '100000',
    API_RATE_BURST: '100000',
    CHAT_UPDATES: '1000',
  });
  try {
    const { rpcUrl, openApiUrl } = program.run;
    const { address } = await createRestTrader({ rpcUrl, openApiUrl }, 20_000_000_000n);
    let serial = 0;
    const ask = async (): Promise<void> => {
      serial += 1;
      const response = await fetch(`${openApiUrl}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          payer: address,
          symbol: 'BENCH',
          name: `Bench ${serial}`,
          program: 'token2022',
          permanentDelegate: address,
          transferFeeConfigAuthority: address,
          transferFeeWithdrawalAuthority: address,
          transferFeeBps: 100,
          transferFeeMax: '1000000',
          metadata: { description: `Number ${serial}`, tags: 'bench' },
        }),
      });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      await response.text();
    };
    for (let n = 0; n < WARM_UP; n += 1) await ask();
    const alone = await sequential(ask, SEQUENTIAL);
    const { times, refused } = await paced(ask, RATE, RATE * SECONDS);
    return [
      { metric: 'POST /token p50, one at a time', value: percentile(alone, 50), unit: 'ms' },
      { metric: 'POST /token p99, one at a time', value: percentile(alone, 99), unit: 'ms' },
      { metric: `POST /token p50 at ${RATE}/s`, value: percentile(times, 50), unit: 'ms' },
      {
        metric: `POST /token p99 at ${RATE}/s`,
        value: percentile(times, 99),
        unit: 'ms',
        baseline: 'one at a time',
        ratio: percentile(times, 99) / percentile(alone, 99),
        note: 'goal 60',
      },
      {
        metric: `answers at ${RATE}/s that were no transaction`,
        value: refused,
        unit: '',
        note: `of ${RATE * SECONDS}`,
      },
    ];
  } finally {
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

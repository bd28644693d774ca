import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTradepost,
  EndUnknownError,
  messageOf,
  RefusalError,
  type Sign,
  type Tradepost,
  UnansweredError,
  withSignature,
} from '../../packages/sdk/src/index.ts';
import { operationsText } from '../../scripts/sdk/operations-text.ts';
import { SOL } from '../api/build-api.ts';
import { signMessage } from '../modules/trading/desk-rig.ts';
import { type LivingService, startLivingService } from './living-service.ts';

const SWAPS = 12;
const LAMPORTS = 10_000_000n;

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService('sdk');
});
afterAll(() => service.stop());

const sign: Sign = (transaction) =>
  withSignature(transaction, service.rig.wallet, signMessage(service.rig.keypair, messageOf(transaction)));
const request = () => ({
  userWalletAddress: service.rig.wallet,
  amount: LAMPORTS.toString(),
  fromTokenAddress: SOL,
  toTokenAddress: service.rig.token('PUP').mint,
  slippageBps: 500,
});
const client = (more: { fetch?: typeof fetch; retries?: number } = {}): Tradepost =>
  createTradepost({ baseUrl: service.url, apiKey: service.apiKey, ...more });

/** Numbers from 0 to 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Loses three answers of ten: half of the requests on their way, half of the answers on their way back. */
function lossy(random: () => number): { readonly fetch: typeof fetch; readonly lost: () => number } {
  let lost = 0;
  return {
    lost: () => lost,
    fetch: async (input, init) => {
      const fate = random();
      if (fate >= 0.3) return fetch(input, init);
      lost += 1;
      if (fate >= 0.15) await (await fetch(input, init)).text();
      throw new TypeError('the connection was lost');
    },
  };
}

/** As a shop does: the same order again until its end is known. */
async function untilKnown(desk: Tradepost, idempotencyKey: string): Promise<string> {
  let kept: Uint8Array | null = null;
  for (;;) {
    try {
      if (kept !== null) return (await desk.submitAndFollow(kept)).status;
      return (await desk.swapAndFollow(request(), sign, { idempotencyKey })).record.status;
    } catch (error) {
      if (error instanceof EndUnknownError) kept = error.transaction;
      else if (!(error instanceof UnansweredError)) throw error;
    }
  }
}

describe('the SDK against the service', () => {
  it('has the types of the documents that the hosts serve', () => {
    const file = new URL('../../packages/sdk/src/generated/operations.ts', import.meta.url);
    expect(readFileSync(file, 'utf8'), 'run `npm run sdk:types`').toBe(operationsText());
  });

  it('quotes, builds, signs, submits and follows a swap to its final word', async () => {
    const desk = client();
    const { fromTokenAddress, toTokenAddress, amount } = request();
    const quote = await desk.quoteSwap({ fromTokenAddress, toTokenAddress, amount });
    expect(BigInt(quote.toTokenAmount)).toBeGreaterThan(0n);
    const statuses: string[] = [];
    const { swap, record } = await desk.swapAndFollow(request(), sign, {
      reference: 'order 17',
      onChange: ({ status }) => statuses.push(status),
    });
    expect(record).toMatchObject({ status: 'finalized', final: true, err: null, reference: 'order 17' });
    expect(statuses.at(-1)).toBe('finalized');
    expect(swap.fromTokenAmount).toBe(amount);
    expect(await desk.follow(record.signature)).toEqual(record);
  });

  it('tells a refusal by its code', async () => {
    const failure = await client()
      .swapAndFollow({ ...request(), amount: '99000000000000' }, sign)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RefusalError);
    expect(failure).toMatchObject({ code: 'INSUFFICIENT_LAMPORTS', retryable: false });
  });

  it('pays once where the same order is asked for twice at once, and again later', async () => {
    const before = service.api.submissions.history.size;
    const swap = () => client().swapAndFollow(request(), sign, { idempotencyKey: 'order-18' });
    const [one, two] = await Promise.all([swap(), swap()]);
    const three = await swap();
    expect(new Set([one, two, three].map(({ record }) => record.signature)).size).toBe(1);
    expect(service.api.submissions.history.size).toBe(before + 1);
  });

  it('pays each order once while three answers of ten are lost', async () => {
    const { fetch: losing, lost } = lossy(numbers(1));
    const before = service.api.submissions.history.size;
    const ends: string[] = [];
    for (let order = 0; order < SWAPS; order += 1)
      ends.push(await untilKnown(client({ fetch: losing, retries: 1 }), `lossy-${order}`));
    expect(ends).toEqual(Array.from({ length: SWAPS }, () => 'finalized'));
    expect(lost()).toBeGreaterThan(SWAPS);
    expect(service.api.submissions.history.size - before).toBe(SWAPS);
  });
});

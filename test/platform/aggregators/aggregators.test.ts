import { createHmac } from 'node:crypto';
import { type Instruction, WSOL_MINT } from '@tradepost/solana';
import { afterEach, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createJupiter } from '../../../src/platform/aggregators/jupiter/index.ts';
import { createOkx } from '../../../src/platform/aggregators/okx/index.ts';
import { createRaydium } from '../../../src/platform/aggregators/raydium/index.ts';
import { createBreaker } from '../../../src/platform/aggregators/shared/breaker.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import type { Aggregator, AggregatorOrder } from '../../../src/platform/ports/aggregator.ts';
import { addressOf } from '../../engine/intents/build.ts';
import {
  jupiterInstructions,
  jupiterQuote,
  jupiterRouteData,
  okx,
  okxInstructions,
  okxRouter,
  raydiumCompute,
  raydiumTransactions,
} from './vendor-answers.ts';
import { startVendor, type Vendor, type VendorAnswer, type VendorRequest } from './vendor-server.ts';

const USER = addressOf(1);
const ACCOUNTS = { user: USER, source: addressOf(11), destination: addressOf(12) };
const order: AggregatorOrder = {
  mintIn: WSOL_MINT,
  mintOut: addressOf(4),
  amountIn: 1_000_000n,
  slippageBps: bps(50),
  maxAccounts: 20,
};
const OUT = 2_000_000n;
const NOW = 1_700_000_000_000;

const swap = (programId: string, data: Uint8Array = new Uint8Array([1])): Instruction => ({
  programId: programId as never,
  accounts: [{ address: USER, signer: true, writable: true }],
  data,
});
const wire = (instructions: readonly Instruction[], signers = 1): Uint8Array => {
  const { bytes } = createMessageCompiler().compile({ payer: USER, instructions, blockhash: addressOf(9) });
  return Uint8Array.from([signers, ...new Uint8Array(64 * signers), ...bytes]);
};

type Case = {
  readonly create: (url: string, timeoutMs?: number) => Aggregator;
  readonly quoteRoute: string;
  readonly quote: (changed?: Partial<AggregatorOrder>, out?: bigint) => unknown;
  readonly noRoute: VendorAnswer;
  readonly build: unknown;
  readonly impactBps: number;
};

const breaker = () => createBreaker({ clock: { now: () => NOW }, failures: 100, openMs: 1 });
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const OKX = '6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma';
const RAYDIUM = 'routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS';
const keys = { apiKey: 'key', secretKey: 'secret', passphrase: 'pass' };

const CASES: Readonly<Record<string, Case>> = {
  jupiter: {
    create: (url, timeoutMs = 2_000) =>
      createJupiter({ baseUrl: `${url}/swap/v1`, timeoutMs, breaker: breaker(), apiKey: 'jup-key' }),
    quoteRoute: 'GET /swap/v1/quote',
    quote: (changed, out = OUT) => jupiterQuote({ ...order, ...changed }, out),
    noRoute: { raw: '{"error":"x","errorCode":"COULD_NOT_FIND_ANY_ROUTE"}', status: 400 },
    build: jupiterInstructions(swap(JUPITER, jupiterRouteData(order.amountIn, OUT, 50))),
    impactBps: 12,
  },
  okx: {
    create: (url, timeoutMs = 2_000) =>
      createOkx({ baseUrl: url, timeoutMs, breaker: breaker(), keys, clock: { now: () => NOW } }),
    quoteRoute: 'GET /api/v6/dex/aggregator/quote',
    quote: (changed, out = OUT) => okx(okxRouter({ ...order, ...changed }, out)),
    noRoute: { raw: '{"code":"82000","msg":"Insufficient liquidity","data":[]}' },
    build: okxInstructions(order, OUT, USER, [swap(OKX)]),
    impactBps: 25,
  },
  raydium: {
    create: (url, timeoutMs = 2_000) => createRaydium({ baseUrl: url, timeoutMs, breaker: breaker() }),
    quoteRoute: 'GET /compute/swap-base-in',
    quote: (changed, out = OUT) => raydiumCompute({ ...order, ...changed }, out),
    noRoute: { raw: '{"id":"x","success":false,"version":"V1","msg":"ROUTE_NOT_FOUND"}' },
    build: raydiumTransactions(wire([swap(RAYDIUM)])),
    impactBps: 12,
  },
};

let vendor: Vendor | null = null;
afterEach(async () => {
  await vendor?.stop();
  vendor = null;
});
const open = async (answer: (request: VendorRequest) => VendorAnswer): Promise<Vendor> => {
  vendor = await startVendor(answer);
  return vendor;
};

describe.each(Object.entries(CASES))('the %s client', (name, one) => {
  const honest = (request: VendorRequest): VendorAnswer => ({
    json: request.route === one.quoteRoute ? one.quote() : one.build,
  });

  it('asks as the vendor documents and reads quote and transaction', async () => {
    const { url, complaints, requests } = await open(honest);
    const quote = await one.create(url).quote(order);
    expect(quote).toMatchObject({ amountIn: order.amountIn, amountOut: OUT, priceImpactBps: one.impactBps });
    expect(quote?.hops[0]).toMatchObject({ mintIn: order.mintIn, mintOut: order.mintOut });
    const built = await quote?.build(ACCOUNTS);
    expect(built?.kind).toBe(name === 'raydium' ? 'message' : 'instructions');
    expect(requests).toHaveLength(2);
    expect(complaints).toEqual([]);
  });

  it('takes the vendor’s way of saying so for no route', async () => {
    const { url } = await open(() => one.noRoute);
    await expect(one.create(url).quote(order)).resolves.toBeNull();
  });

  it.each([
    ['an answer that never comes', 'never', 'timeout'],
    ['a server error', { raw: 'oops', status: 500 }, 'status'],
    ['too many requests', { raw: '', status: 429 }, 'status'],
    ['text that is not JSON', { raw: '<html>' }, 'malformed'],
    ['JSON of another shape', { raw: '{"data":[1]}' }, 'malformed'],
    ['an answer without end', { raw: `"${'x'.repeat(1_100_000)}"` }, 'malformed'],
    [
      'a redirect to somebody else',
      { raw: '', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'unreachable',
    ],
  ] as const)('gives up on %s', async (_title, answer, failure) => {
    const { url } = await open(() => answer);
    await expect(one.create(url, answer === 'never' ? 60 : 5_000).quote(order)).rejects.toMatchObject({
      failure,
    });
  });

  it.each([
    ['another token sold', { mintIn: addressOf(5) }],
    ['another token bought', { mintOut: addressOf(5) }],
    ['another amount', { amountIn: 999_999n }],
  ] as const)('refuses a quote about %s', async (_title, changed) => {
    const { url } = await open(() => ({ json: one.quote(changed) }));
    await expect(one.create(url).quote(order)).rejects.toMatchObject({ failure: 'contradiction' });
  });

  it('refuses an output of nothing', async () => {
    const { url } = await open(() => ({ json: one.quote({}, 0n) }));
    await expect(one.create(url).quote(order)).rejects.toMatchObject({ failure: 'contradiction' });
  });
});

describe('the jupiter client', () => {
  const built = async (data: Uint8Array) => {
    const { url } = await open((request) => ({
      json: request.route.startsWith('GET')
        ? jupiterQuote(order, OUT)
        : jupiterInstructions(swap(JUPITER, data)),
    }));
    const quote = await CASES['jupiter']?.create(url).quote(order);
    return quote?.build(ACCOUNTS);
  };

  it.each([
    ['another amount', jupiterRouteData(order.amountIn + 1n, OUT, 50)],
    ['a lower quote', jupiterRouteData(order.amountIn, OUT - 1n, 50)],
    ['more slippage', jupiterRouteData(order.amountIn, OUT, 51)],
    ['a platform fee', jupiterRouteData(order.amountIn, OUT, 50, 10)],
    ['another instruction', new Uint8Array(40).fill(7)],
  ] as const)('refuses an instruction with %s', async (_title, data) => {
    await expect(built(data)).rejects.toMatchObject({ failure: 'contradiction' });
  });

  it('sends its key as the vendor asks, hands the quote back unchanged and asks for the trader’s account', async () => {
    const { url, requests } = await open((request) => ({
      json: request.route.startsWith('GET') ? jupiterQuote(order, OUT) : CASES['jupiter']?.build,
    }));
    await (await CASES['jupiter']?.create(url).quote(order))?.build(ACCOUNTS);
    expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual(['jup-key', 'jup-key']);
    expect(requests[1]?.body).toMatchObject({
      quoteResponse: jupiterQuote(order, OUT),
      destinationTokenAccount: ACCOUNTS.destination,
      wrapAndUnwrapSol: false,
    });
  });
});

describe('the okx client', () => {
  it('signs time, method and path with its query', async () => {
    const { url, requests } = await open(() => ({ json: okx(okxRouter(order, OUT)) }));
    await CASES['okx']?.create(url).quote(order);
    const [request] = requests;
    const timestamp = new Date(NOW).toISOString();
    expect(request?.headers).toMatchObject({
      'ok-access-key': 'key',
      'ok-access-passphrase': 'pass',
      'ok-access-timestamp': timestamp,
      'ok-access-sign': createHmac('sha256', 'secret')
        .update(`${timestamp}GET${request?.target}`)
        .digest('base64'),
    });
  });

  it('refuses an instruction that promises less than its quote', async () => {
    const { url } = await open((request) => ({
      json: request.route.endsWith('quote')
        ? okx(okxRouter(order, OUT))
        : okxInstructions(order, OUT - 1n, USER, [swap(OKX)]),
    }));
    const quote = await CASES['okx']?.create(url).quote(order);
    await expect(quote?.build(ACCOUNTS)).rejects.toMatchObject({ failure: 'contradiction' });
  });
});

describe('the raydium client', () => {
  it.each([
    ['several transactions', [wire([swap(RAYDIUM)]), wire([swap(RAYDIUM)])]],
    ['a second signer', [wire([swap(RAYDIUM)], 2)]],
  ] as const)('refuses %s', async (_title, wires) => {
    const { url } = await open((request) => ({
      json: request.route.startsWith('GET') ? raydiumCompute(order, OUT) : raydiumTransactions(...wires),
    }));
    const quote = await CASES['raydium']?.create(url).quote(order);
    await expect(quote?.build(ACCOUNTS)).rejects.toMatchObject({ failure: 'contradiction' });
  });
});

describe('createBreaker', () => {
  it('opens after failures in a row, lets one probe through, and closes or opens again by what it finds', async () => {
    let now = 0;
    let calls = 0;
    const run = createBreaker({ clock: { now: () => now }, failures: 3, openMs: 1_000 });
    const next = (): number => {
      calls += 1;
      return calls;
    };
    const fail = () => run(() => Promise.reject(new Error(`${next()}`)));
    const pass = () => run(async () => next());
    await expect(fail()).rejects.toThrow('1');
    await expect(fail()).rejects.toThrow('2');
    await expect(pass()).resolves.toBe(3);
    for (const n of [4, 5, 6]) await expect(fail()).rejects.toThrow(`${n}`);
    await expect(pass()).rejects.toMatchObject({ failure: 'circuit-open' });
    expect(calls).toBe(6);
    now = 1_000;
    let release: (value: number) => void = () => undefined;
    const probe = run(() => new Promise<number>((resolve) => (release = resolve)));
    await expect(pass()).rejects.toMatchObject({ failure: 'circuit-open' });
    release(7);
    await expect(probe).resolves.toBe(7);
    for (const n of [7, 8, 9]) await expect(fail()).rejects.toThrow(`${n}`);
    now = 2_000;
    await expect(fail()).rejects.toThrow('10');
    await expect(pass()).rejects.toMatchObject({ failure: 'circuit-open' });
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { createTradepost, EndUnknownError, type Submission, toBase58 } from '../src/index.ts';
import { data, refused, type Step, startScriptedService } from './scripted-service.ts';

const SIGNED = Uint8Array.from([
  1,
  ...Array.from({ length: 64 }, () => 5),
  1,
  0,
  0,
  1,
  ...new Uint8Array(70),
]);
const SIGNATURE = toBase58(SIGNED.subarray(1, 65));
const UNSIGNED = Uint8Array.from([1, ...new Uint8Array(64), 1, 0, 0, 1, ...new Uint8Array(70)]);
const SWAP = { userWalletAddress: 'w', amount: '100', fromTokenAddress: 'a', toTokenAddress: 'b' };

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function clientOf(steps: readonly Step[], retries = 0) {
  const service = await startScriptedService(steps);
  stops.push(service.stop);
  return { service, desk: createTradepost({ baseUrl: service.baseUrl, retries }) };
}

const record = (change: Partial<Submission>): Step =>
  data({ signature: SIGNATURE, status: 'sent', final: false, version: 1, err: null, ...change });
const FINALIZED = record({ status: 'finalized', final: true, version: 9 });
const EXPIRED = record({ status: 'expired', final: true, version: 9 });
const BUILT = data({ tx: toBase58(UNSIGNED) });
const paths = (seen: readonly { readonly method: string; readonly url: string }[]): readonly string[] =>
  seen.map(({ method, url }) => `${method} ${url.replace(/\?.*/, '').replace(SIGNATURE, ':signature')}`);

describe('follow', () => {
  it('asks until the word is final, over lost answers, and passes over what is older', async () => {
    const { desk } = await clientOf([
      record({ version: 2 }),
      'drop',
      record({ status: 'confirmed', version: 4 }),
      record({ status: 'received', version: 1 }),
      FINALIZED,
    ]);
    const told: string[] = [];
    const end = await desk.follow(SIGNATURE, { onChange: ({ status }) => told.push(status) });
    expect(end).toMatchObject({ status: 'finalized', final: true });
    expect(told).toEqual(['sent', 'confirmed', 'finalized']);
  });

  it('ends at `confirmed` where that is enough', async () => {
    const { desk, service } = await clientOf([record({ status: 'confirmed', version: 4 })]);
    expect(await desk.follow(SIGNATURE, { until: 'confirmed' })).toMatchObject({ status: 'confirmed' });
    expect(service.seen[0]?.url).toContain('waitFor=confirmed');
  });

  it('never calls `disputed` an end', async () => {
    const { desk } = await clientOf([record({ status: 'disputed', version: 4 })]);
    const failure = await desk.follow(SIGNATURE, { patienceMs: 0 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EndUnknownError);
    expect(failure).toMatchObject({ signature: SIGNATURE, last: { status: 'disputed' } });
  });

  it('has the service wait no longer than its own patience', async () => {
    const { desk, service } = await clientOf([record({}), record({})]);
    await desk.follow(SIGNATURE, { patienceMs: 300 }).catch(() => undefined);
    const asked = service.seen.map(({ url }) =>
      Number(new URL(url, service.baseUrl).searchParams.get('timeoutMs')),
    );
    expect(asked[0]).toBeGreaterThan(0);
    expect(Math.max(...asked)).toBeLessThanOrEqual(300);
  });

  it('hands on that a signature is unknown here', async () => {
    const { desk } = await clientOf([refused(404, 'TRANSACTION_UNKNOWN')]);
    await expect(desk.follow(SIGNATURE)).rejects.toMatchObject({ code: 'TRANSACTION_UNKNOWN' });
  });
});

describe('submitAndFollow', () => {
  it('sends the same bytes again when the answer is lost', async () => {
    const { desk, service } = await clientOf(['drop', record({}), FINALIZED], 1);
    expect(await desk.submitAndFollow(SIGNED, { reference: 'order 17' })).toMatchObject({ final: true });
    const [first, second] = service.seen;
    expect(second?.body).toBe(first?.body);
    expect(JSON.parse(first?.body ?? '')).toEqual({
      transaction: Buffer.from(SIGNED).toString('base64'),
      reference: 'order 17',
    });
  });

  it('follows what the service kept, whatever it refuses after a lost answer', async () => {
    const { desk, service } = await clientOf(
      ['drop', refused(400, 'SIMULATION_FAILED'), record({}), FINALIZED],
      1,
    );
    expect(await desk.submitAndFollow(SIGNED)).toMatchObject({ status: 'finalized' });
    expect(paths(service.seen)).toEqual([
      'POST /transactions',
      'POST /transactions',
      'GET /transactions/:signature',
      'GET /transactions/:signature',
    ]);
  });

  it('calls no end what was refused after a lost answer and is unknown', async () => {
    const { desk } = await clientOf(
      ['drop', refused(400, 'BLOCKHASH_UNKNOWN'), refused(404, 'TRANSACTION_UNKNOWN')],
      1,
    );
    const failure = await desk.submitAndFollow(SIGNED).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EndUnknownError);
    expect(failure).toMatchObject({ signature: SIGNATURE, transaction: SIGNED, last: null });
  });

  it('calls no end what failed within the service', async () => {
    const { desk } = await clientOf([
      refused(500, 'UPSTREAM_FAILED', { retryable: true }),
      refused(404, 'TRANSACTION_UNKNOWN'),
      refused(400, 'SIMULATION_FAILED'),
      refused(404, 'TRANSACTION_UNKNOWN'),
    ]);
    await expect(desk.submitAndFollow(SIGNED)).rejects.toBeInstanceOf(EndUnknownError);
  });

  it('hands on a clear refusal: nothing was sent', async () => {
    const { desk, service } = await clientOf([refused(400, 'SIMULATION_FAILED')]);
    await expect(desk.submitAndFollow(SIGNED)).rejects.toMatchObject({ code: 'SIMULATION_FAILED' });
    expect(service.seen).toHaveLength(1);
  });

  it('takes no unsigned bytes', async () => {
    const { desk, service } = await clientOf([]);
    await expect(desk.submitAndFollow(UNSIGNED)).rejects.toThrow('expected a signed transaction');
    expect(service.seen).toEqual([]);
  });
});

describe('swapAndFollow', () => {
  const sign = (): Uint8Array => SIGNED;

  it('builds one transaction unless told otherwise, also when it expires', async () => {
    const { desk, service } = await clientOf([BUILT, record({}), EXPIRED]);
    expect((await desk.swapAndFollow(SWAP, sign)).record).toMatchObject({ status: 'expired' });
    expect(service.left).toEqual([]);
  });

  it.each([EXPIRED, record({ status: 'failed', final: true, version: 9, err: { x: 1 } })])(
    'builds another one after the end of the first, under a key of its own',
    async (end) => {
      const { desk, service } = await clientOf([BUILT, record({}), end, BUILT, record({}), FINALIZED]);
      const { record: last } = await desk.swapAndFollow(SWAP, sign, { builds: 2, idempotencyKey: 'mine' });
      expect(last.status).toBe('finalized');
      const keys = service.seen.filter(({ url }) => url === '/dex/swap');
      expect(keys.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine.2']);
    },
  );

  it('builds nothing more where the end is unknown', async () => {
    const { desk, service } = await clientOf([
      BUILT,
      record({}),
      record({ status: 'disputed', version: 3 }),
      BUILT,
    ]);
    const swapped = desk.swapAndFollow(SWAP, sign, { builds: 9, patienceMs: 0 });
    await expect(swapped).rejects.toBeInstanceOf(EndUnknownError);
    expect(paths(service.seen)).toEqual([
      'POST /dex/swap',
      'POST /transactions',
      'GET /transactions/:signature',
    ]);
  });

  it('hands the signed bytes out before it submits them, and submits nothing where that fails', async () => {
    const { desk, service } = await clientOf([BUILT]);
    const swapped = desk.swapAndFollow(SWAP, sign, {
      onSigned: ({ signature, transaction }) => {
        expect([signature, transaction]).toEqual([SIGNATURE, SIGNED]);
        throw new Error('the disk is full');
      },
    });
    await expect(swapped).rejects.toThrow('the disk is full');
    expect(service.seen).toHaveLength(1);
  });

  it('submits nothing where the wallet refuses', async () => {
    const { desk, service } = await clientOf([BUILT]);
    const refusal = () => Promise.reject(new Error('the person said no'));
    await expect(desk.swapAndFollow(SWAP, refusal)).rejects.toThrow('the person said no');
    expect(service.seen).toHaveLength(1);
  });
});

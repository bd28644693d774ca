import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyTerms } from '../../src/modules/personal-keys/rules/personal-key.ts';
import { createProgramDesk } from '../../src/modules/personal-keys/use/program-desk.ts';
import { personalKeyCheck } from '../../src/platform/certificate-check.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import { buildSite } from '../api/build-site.ts';
import { addedProgram, type Program, signedHeaders } from '../api/program.ts';
import { newAddress, newId } from '../conformance/store-rows.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { PASSED } from '../support/passed.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const DAY = 86_400_000;
const PRICE = SOL / 2n;

let rig: JourneyRig;
let app: ReturnType<typeof buildSite>['app'];
let of: { readonly userId: string; readonly walletId: string; readonly address: Address };
let mint: Address;
beforeAll(async () => {
  rig = await startJourneyRig('program-trades', { spendCapLamports: 10n * SOL });
  const { wallet } = await rig.trader('Robin', 20n);
  of = { userId: wallet.userId ?? '', walletId: wallet.id, address: wallet.address };
  mint = rig.token('PUP').mint;
  ({ app } = buildSite(
    { kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() },
    {
      programDesk: createProgramDesk({
        db: rig.db,
        clock: rig.clock,
        signatureChecks: createSignatureChecks(),
        endOrder: rig.services.personalKeys.endOrder,
        makeTrade: rig.services.personalKeys.makeTrade,
        placeOrder: rig.services.personalKeys.placeOrder,
        isCertified: personalKeyCheck(await rig.vault.certificateKey()),
        log: rig.log,
      }),
      clock: rig.clock,
    },
  ));
});
afterAll(async () => {
  await app.close();
  await rig.stop();
});

const TERMS: KeyTerms = {
  rights: ['read', 'trade'],
  orderLamports: 12n * SOL,
  dayLamports: 12n * SOL,
  tokens: null,
  ips: null,
};
const program = (terms: Partial<KeyTerms> = {}): Promise<Program> =>
  addedProgram(rig.db, of, { until: rig.clock.now() + DAY, terms: { ...TERMS, ...terms } });

type Trade = {
  readonly id: string;
  readonly status: string;
  readonly units: string | null;
  readonly side: string;
};
type Answer = {
  readonly data: Trade;
  readonly error?: { readonly code: string; readonly message: string; readonly field?: string };
};

let asked = 0;
const nextAddress = (): string => {
  asked += 1;
  return `198.51.${Math.floor(asked / 250)}.${asked % 250}`;
};

async function send(by: Program, method: 'GET' | 'POST', url: string, given?: object) {
  const body = given === undefined ? '' : JSON.stringify(given);
  const headers = signedHeaders(by, rig.clock.now(), { method, url, body });
  const answer = await app.inject({
    method,
    url,
    // Each from an address of its own: how often one address may ask is another test's.
    remoteAddress: nextAddress(),
    headers: given === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(given === undefined ? {} : { payload: body }),
  });
  const { data, error } = answer.json<Answer>();
  return { status: answer.statusCode, data, code: error?.code, error };
}
const buyOf = (more: object = {}): object => ({
  side: 'buy',
  mint,
  amount: PRICE.toString(),
  minReceived: '1',
  idempotencyKey: newId(),
  ...more,
});
const trade = (by: Program, body: object) => send(by, 'POST', '/desk/trades', body);

async function ended(by: Program, id: string): Promise<Trade> {
  return until(async () => {
    const { data } = await send(by, 'GET', `/desk/trades/${id}`);
    return data.status === 'open' ? undefined : data;
  });
}

describe('a program trades from the wallet of its person', () => {
  it('buys, follows the trade to its last word, and sells what arrived', async () => {
    const by = await program();
    const bought = await trade(by, buyOf());
    expect(bought).toMatchObject({ status: 200, data: { side: 'buy', status: 'open' } });
    const landed = await ended(by, bought.data.id);
    expect(landed).toMatchObject({ status: 'succeeded' });
    const { amount } = await rig.chain.holding(of.address, mint);
    expect(landed.units).toBe(amount.toString());
    const sold = await trade(by, buyOf({ side: 'sell', amount: landed.units }));
    expect(sold.status).toBe(200);
    expect(await ended(by, sold.data.id)).toMatchObject({ status: 'succeeded', side: 'sell' });
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toHaveLength(2);
  });

  it('trades once for each idempotency key: asked again, at once or later, the trade is the same', async () => {
    const by = await program();
    const body = buyOf();
    const both = await Promise.all([trade(by, body), trade(by, body)]);
    const made = both.filter(({ status }) => status === 200);
    expect(both.every(({ status, code }) => status === 200 || code === 'IDEMPOTENCY_IN_PROGRESS')).toBe(true);
    const [first] = made;
    await ended(by, first?.data.id ?? '');
    const again = await trade(by, body);
    expect(again.data.id).toBe(first?.data.id);
    expect(again.data.status).toBe('succeeded');
    for (const other of [
      { minReceived: '2' },
      { amount: '500000001' },
      { priority: 'fast' },
      { side: 'sell' },
    ])
      expect(await trade(by, { ...body, ...other })).toMatchObject({
        status: 409,
        code: 'IDEMPOTENCY_CONFLICT',
      });
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toHaveLength(1);
  });

  it('gets no less than its least', async () => {
    const by = await program();
    const refused = await trade(by, buyOf({ minReceived: '18446744073709551615' }));
    expect(refused).toMatchObject({ status: 400, code: 'PRICE_MOVED' });
    const probe = await rig.services.trade.quoteTrade({
      side: 'buy',
      wallet: of.address,
      mint,
      amount: { lamports: PRICE },
      slippageBps: 500 as never,
      tier: 'normal',
    });
    // Between the least of the person's slippage and the quote: the request's least is signed.
    const least = (probe.terms.quotedOut * 99n) / 100n;
    const { data } = await trade(by, buyOf({ minReceived: least.toString() }));
    const intent = await rig.db.intents.find(data.id);
    expect(intent?.params).toMatchObject({ terms: { minOut: least } });
    await ended(by, data.id);
  });

  it.each<readonly [string, Partial<KeyTerms>, () => object, object]>([
    [
      'another token than its list has',
      { tokens: [newAddress()] },
      () => ({}),
      { status: 403, code: 'PERSONAL_KEY_TOKEN' },
    ],
    [
      'more than one purchase may cost',
      { orderLamports: PRICE - 1n },
      () => ({}),
      { status: 403, code: 'PERSONAL_KEY_CAP' },
    ],
    [
      'more than its day allows',
      { orderLamports: PRICE - 1n, dayLamports: PRICE - 1n },
      () => ({}),
      { status: 403, code: 'PERSONAL_KEY_CAP' },
    ],
    [
      'without the right',
      { rights: ['read', 'orders'] },
      () => ({}),
      { status: 403, code: 'PERSONAL_KEY_RIGHT' },
    ],
    [
      'what the chat asks a PIN for',
      {},
      () => ({ amount: (11n * SOL).toString() }),
      { status: 403, code: 'PIN_REQUIRED' },
    ],
    ['no token', {}, () => ({ mint: newAddress() }), { status: 400, code: 'TOKEN_NOT_FOUND' }],
    [
      'more than the wallet holds',
      {},
      () => ({ side: 'sell', amount: '18446744073709551615' }),
      { status: 400, code: 'INSUFFICIENT_TOKENS' },
    ],
    ['without a least', {}, () => ({ minReceived: undefined }), { status: 400, code: 'FIELD_REQUIRED' }],
    ['with a field more', {}, () => ({ slippageBps: 5 }), { status: 400, code: 'FIELD_UNKNOWN' }],
    [
      'without an idempotency key',
      {},
      () => ({ idempotencyKey: undefined }),
      { status: 400, code: 'FIELD_REQUIRED' },
    ],
    [
      'with a body that is too large',
      {},
      () => ({ mint: 'x'.repeat(3_000) }),
      { status: 400, code: 'ADDRESS_INVALID' },
    ],
  ])('is refused %s, and nothing is written', async (_, terms, change, wanted) => {
    const by = await program(terms);
    expect(await trade(by, buyOf(change()))).toMatchObject(wanted);
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toEqual([]);
  });

  it('is refused by the signer where the rows of its day are gone, and its trade is not there', async () => {
    const by = await program({ dayLamports: PRICE, orderLamports: PRICE });
    const { data } = await trade(by, buyOf());
    await ended(by, data.id);
    const uses = rig.db.personalKeys.uses.bind(rig.db.personalKeys);
    rig.db.personalKeys.uses = async () => [];
    try {
      expect(await trade(by, buyOf())).toMatchObject({ status: 403, code: 'PERSONAL_KEY_CAP' });
    } finally {
      rig.db.personalKeys.uses = uses;
    }
  });

  it('is refused after /panic, and by an operator’s pause of trading', async () => {
    const by = await program();
    await rig.db.flags.set('trading-paused', true, rig.clock.now());
    expect(await trade(by, buyOf())).toMatchObject({ status: 503, code: 'PAUSED' });
    await rig.db.flags.set('trading-paused', false, rig.clock.now());
    const guard = await rig.db.guards.find(of.userId);
    await rig.db.guards.save({ ...guard, lockEpoch: guard.lockEpoch + 1 }, PASSED);
    expect(await trade(by, buyOf())).toMatchObject({ status: 403, code: 'PERSONAL_KEY_ENDED' });
  });
});

import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyTerms } from '../../src/modules/personal-keys/rules/personal-key.ts';
import { createProgramDesk } from '../../src/modules/personal-keys/use/program-desk.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { personalKeyCheck } from '../../src/platform/certificate-check.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import { buildSite } from '../api/build-site.ts';
import { addedProgram, type Program, signedHeaders } from '../api/program.ts';
import { newAddress, newId } from '../conformance/store-rows.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { PASSED } from '../support/passed.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const DAY = 86_400_000;
const PRICE = SOL / 2n;

let rig: JourneyRig;
let app: ReturnType<typeof buildSite>['app'];
let person: Awaited<ReturnType<JourneyRig['trader']>>['person'];
let wallet: Wallet;
let whale: Wallet;
let mint: Address;
const desk = orderDesk(() => rig);

beforeAll(async () => {
  rig = await startJourneyRig('program-orders', { spendCapLamports: 10n * SOL });
  ({ person, wallet } = await rig.trader('Robin', 60n));
  whale = await desk.whaleOf('Whale');
  mint = rig.token('PUP').mint as Address;
  const { personalKeys } = rig.services;
  ({ app } = buildSite(
    { kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() },
    {
      programDesk: createProgramDesk({
        db: rig.db,
        clock: rig.clock,
        signatureChecks: createSignatureChecks(),
        endOrder: personalKeys.endOrder,
        makeTrade: personalKeys.makeTrade,
        placeOrder: personalKeys.placeOrder,
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
  rights: ['read', 'orders', 'place'],
  orderLamports: 12n * SOL,
  dayLamports: 100n * SOL,
  tokens: null,
  ips: null,
};
const program = (terms: Partial<KeyTerms> = {}): Promise<Program> =>
  addedProgram(
    rig.db,
    { userId: wallet.userId ?? '', walletId: wallet.id },
    { until: rig.clock.now() + DAY, terms: { ...TERMS, ...terms } },
  );

type Placed = { readonly id: string; readonly status: string; readonly number: number };
type Answer = {
  readonly data: Placed;
  readonly error?: { readonly code: string; readonly message: string; readonly field?: string };
};

let asked = 0;
async function send<T = Placed>(by: Program, method: 'GET' | 'POST' | 'DELETE', url: string, given?: object) {
  asked += 1;
  const body = given === undefined ? '' : JSON.stringify(given);
  const headers = signedHeaders(by, rig.clock.now(), { method, url, body });
  const answer = await app.inject({
    method,
    url,
    remoteAddress: `198.51.${Math.floor(asked / 250)}.${asked % 250}`,
    headers: given === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(given === undefined ? {} : { payload: body }),
  });
  const { data, error } = answer.json<Answer>();
  return { status: answer.statusCode, data: data as T, code: error?.code, error };
}

/** A purchase at a price that is not there: twice as many units as now. */
async function buyAt(permille = 2_000n, more: object = {}): Promise<object> {
  const { got, given } = await desk.triggerAt(wallet, mint, permille);
  return {
    side: 'buy',
    type: 'LIMIT',
    mint,
    amount: PRICE.toString(),
    trigger: { got: got.toString(), given: given.toString() },
    expiresAt: new Date(rig.clock.now() + DAY).toISOString(),
    acceptedWarnings: ['MINT_AUTHORITY_LIVE', 'FREEZE_AUTHORITY_LIVE', 'POOR_EXIT', 'TRANSFER_FEE'],
    idempotencyKey: newId(),
    ...more,
  };
}
async function sellAt(permille: bigint, units: bigint, more: object): Promise<object> {
  const { got, given } = await desk.triggerAt(wallet, mint, permille, 'sell', units);
  const rate = { got: got.toString(), given: given.toString() };
  return buyAt(2_000n, {
    side: 'sell',
    amount: undefined,
    acceptedWarnings: undefined,
    trigger: rate,
    ...more,
  });
}
const place = (by: Program, body: object) => send(by, 'POST', '/desk/orders', body);
const one = (by: Program, id: string) => send(by, 'GET', `/desk/orders/${id}`);
const rowOf = async (id: string) => (await rig.db.orders.find(id))?.orders.find((order) => order.id === id);

describe('a program places orders for its person', () => {
  it('a purchase waits, is in every list, buys when the price comes, and the word is final', async () => {
    const by = await program();
    await desk.trade(whale, mint, 'buy', 40n * SOL);
    const body = await buyAt(1_004n);
    const placed = await place(by, body);
    expect(placed).toMatchObject({ status: 200, data: { status: 'OPEN', side: 'buy', type: 'LIMIT' } });
    const { id, number } = placed.data;
    const open = await send<readonly Placed[]>(by, 'GET', '/desk/orders');
    expect(open.data.map((order) => order.id)).toContain(id);
    // Its person hears of it, and sees it in the chat.
    await rig.services.personalKeys.watch.round();
    await person.waitFor(/1 orders placed/);
    await person.say('/orders');
    await person.waitFor(new RegExp(`#${number} `));

    await desk.trade(whale, mint, 'sell', 10_000n);
    const last = await until(async () => {
      const { data } = await one(by, id);
      return data.status === 'FILLED' ? data : undefined;
    });
    expect(last).toMatchObject({ id, filled: PRICE.toString() });
    const trades = await send<{
      readonly trades: readonly { readonly orderId: string; readonly status: string }[];
    }>(by, 'GET', '/desk/trades');
    expect(trades.data.trades).toContainEqual(expect.objectContaining({ orderId: id, side: 'buy' }));
    // Asked again, it is the same order, and buys nothing more.
    expect(await place(by, body)).toMatchObject({ status: 200, data: { id, status: 'FILLED' } });
    expect(await rig.db.orders.fires(id, 10)).toHaveLength(1);
  });

  it('sells what is held: at a limit, by a take profit and a stop that cut each other', async () => {
    const by = await program();
    const other = await desk.whaleOf('Second');
    await desk.trade(other, mint, 'buy', 40n * SOL);
    const { amount: held } = await rig.chain.holding(wallet.address, mint);
    const limit = await place(by, await sellAt(2_000n, held / 2n, { amount: (held / 2n).toString() }));
    expect(limit).toMatchObject({ status: 200, data: { side: 'sell', type: 'LIMIT' } });
    const take = await place(by, await sellAt(3_000n, held, { type: 'TAKE_PROFIT', shareBps: 5_000 }));
    expect(take).toMatchObject({ status: 200, data: { amount: { kind: 'share', bps: 5_000 } } });
    const stopBody = await sellAt(950n, held, { type: 'STOP_LOSS', shareBps: 10_000 });
    const stop = await place(by, stopBody);
    expect(stop).toMatchObject({ status: 200, data: { type: 'STOP_LOSS' } });
    expect(await place(by, { ...stopBody, idempotencyKey: newId() })).toMatchObject({
      status: 400,
      code: 'ORDER_REFUSED',
    });
    expect((await rowOf(take.data.id))?.groupId).toBe((await rowOf(stop.data.id))?.groupId);
    expect((await rowOf(stop.data.id))?.terms.floor).not.toBeNull();
    // The price falls, and the stop sells all of it.
    await desk.trade(other, mint, 'sell', 10_000n);
    await until(async () => ((await one(by, stop.data.id)).data.status === 'FILLED' ? true : undefined));
    expect((await one(by, take.data.id)).data.status).toBe('CANCELLED');
    expect(await send(by, 'DELETE', `/desk/orders/${limit.data.id}`)).toMatchObject({
      data: { status: 'CANCELLED' },
    });
  });

  it('is one order for each idempotency key, at once or later, also when its person edited it', async () => {
    const by = await program();
    const body = await buyAt();
    const both = await Promise.all([place(by, body), place(by, body)]);
    expect(both.every(({ status, code }) => status === 200 || code === 'IDEMPOTENCY_IN_PROGRESS')).toBe(true);
    const id = both.find(({ status }) => status === 200)?.data.id ?? '';
    expect((await place(by, body)).data.id).toBe(id);
    for (const other of [
      { amount: '500000001' },
      { priority: 'fast' },
      { partial: true },
      { toleranceBps: 1 },
    ])
      expect(await place(by, { ...body, ...other })).toMatchObject({
        status: 409,
        code: 'IDEMPOTENCY_CONFLICT',
      });
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ terms: { program: { keyId: by.key.id }, grants: null } });
    expect(await send(by, 'DELETE', `/desk/orders/${id}`)).toMatchObject({ data: { status: 'CANCELLED' } });
    expect(await place(by, body)).toMatchObject({ status: 200, data: { id, status: 'CANCELLED' } });
  });
});

type Refused = readonly [string, Partial<KeyTerms>, () => object, object];
const REFUSED: readonly Refused[] = [
  ['another token than its list has', { tokens: [newAddress()] }, () => ({}), { code: 'PERSONAL_KEY_TOKEN' }],
  ['more than one purchase', { orderLamports: PRICE - 1n }, () => ({}), { code: 'PERSONAL_KEY_CAP' }],
  [
    'more than its day',
    { orderLamports: PRICE - 1n, dayLamports: PRICE - 1n },
    () => ({}),
    { code: 'PERSONAL_KEY_CAP' },
  ],
  [
    'without the right of its own',
    { rights: ['read', 'trade', 'orders'] },
    () => ({}),
    { status: 403, code: 'PERSONAL_KEY_RIGHT' },
  ],
  [
    'what the chat asks a PIN for',
    {},
    () => ({ amount: (11n * SOL).toString() }),
    { status: 403, code: 'PIN_REQUIRED' },
  ],
  ['no token', {}, () => ({ mint: newAddress() }), { code: 'TOKEN_NOT_FOUND' }],
  ['SOL', {}, () => ({ mint: 'So11111111111111111111111111111111111111112' }), { code: 'SAME_TOKEN' }],
  [
    'a price that is there',
    {},
    () => ({ trigger: { got: '1', given: '1000000000' } }),
    { code: 'TRIGGER_INVALID', error: { field: 'trigger' } },
  ],
  ['a trigger of nothing', {}, () => ({ trigger: { got: '0', given: '1' } }), { code: 'TRIGGER_INVALID' }],
  ['a trigger in words', {}, () => ({ trigger: { got: 'five', given: '1' } }), { status: 400 }],
  ['half a trigger', {}, () => ({ trigger: { got: '1' } }), { status: 400 }],
  ['an amount of dust', {}, () => ({ amount: '1000' }), { code: 'AMOUNT_DUST' }],
  ['an amount as a number', {}, () => ({ amount: 5 }), { code: 'AMOUNT_INVALID' }],
  ['neither amount nor share', {}, () => ({ amount: undefined }), { code: 'FIELD_REQUIRED' }],
  ['both', {}, () => ({ shareBps: 1 }), { status: 400 }],
  ['a share of a limit', {}, () => ({ amount: undefined, shareBps: 1 }), { code: 'VALIDATION_FAILED' }],
  ['a stop that buys', {}, () => ({ type: 'STOP_LOSS' }), { code: 'VALIDATION_FAILED' }],
  ['a DCA', {}, () => ({ type: 'DCA' }), { code: 'VALIDATION_FAILED' }],
  ['a floor of a limit', {}, () => ({ floor: { got: '1', given: '1' } }), { code: 'VALIDATION_FAILED' }],
  ['too much tolerance', {}, () => ({ toleranceBps: 5_001 }), { code: 'SLIPPAGE_OUT_OF_RANGE' }],
  ['an end that was', {}, () => ({ expiresAt: '2024-01-01T00:00:00Z' }), { code: 'TIME_INVALID' }],
  ['an end that is no moment', {}, () => ({ expiresAt: 'tomorrow' }), { code: 'TIME_INVALID' }],
  ['no end', {}, () => ({ expiresAt: undefined }), { code: 'FIELD_REQUIRED' }],
  ['a field more', {}, () => ({ slippageBps: 5 }), { code: 'FIELD_UNKNOWN' }],
  ['no idempotency key', {}, () => ({ idempotencyKey: undefined }), { code: 'FIELD_REQUIRED' }],
  [
    'more than the wallet holds',
    {},
    () => ({ side: 'sell', amount: '18446744073709551615', acceptedWarnings: undefined }),
    { code: 'INSUFFICIENT_TOKENS' },
  ],
];

describe('an order of a program', () => {
  it.each(REFUSED)('is refused: %s; and nothing is written', async (_, terms, change, wanted) => {
    const by = await program(terms);
    const body = await buyAt(2_000n, change());
    expect(await place(by, body)).toMatchObject(wanted);
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toEqual([]);
  });

  it('names the warnings that it does not accept', async () => {
    const warned = rig.token('TAX').mint;
    const by = await program();
    const answer = await place(by, await buyAt(2_000n, { mint: warned, acceptedWarnings: [] }));
    expect(answer).toMatchObject({
      status: 400,
      code: 'ORDER_REFUSED',
      error: { field: 'acceptedWarnings' },
    });
  });

  it('lives on when its key is ended, and can be cancelled in the chat', async () => {
    const by = await program();
    const { data } = await place(by, await buyAt());
    await rig.services.personalKeys.end({ userId: by.key.userId, keyId: by.key.id });
    expect(await place(by, await buyAt())).toMatchObject({ status: 403, code: 'PERSONAL_KEY_ENDED' });
    expect(await rowOf(data.id)).toMatchObject({ status: 'OPEN' });
    await rig.services.orders.cancel({ userId: by.key.userId, orderId: data.id });
    expect(await rowOf(data.id)).toMatchObject({ status: 'CANCELLED', reason: 'person' });
  });

  it('is paused by a lock and fires nothing; its person may resume it, and then it is theirs', async () => {
    const by = await program();
    const { data } = await place(by, await buyAt());
    const { userId } = by.key;
    const guard = await rig.db.guards.find(userId);
    await rig.db.guards.save({ ...guard, pinHash: 'a hash' }, PASSED);
    await rig.services.guard.lockTrades({ userId });
    expect(await rowOf(data.id)).toMatchObject({ status: 'PAUSED', reason: 'locked' });
    expect(await place(by, await buyAt())).toMatchObject({ status: 403, code: 'PERSONAL_KEY_ENDED' });
    await rig.services.orders.resume({ userId, orderId: data.id });
    const resumed = await rowOf(data.id);
    expect(resumed).toMatchObject({ status: 'OPEN' });
    expect(resumed?.terms.program).toBeUndefined();
    await rig.services.orders.cancel({ userId, orderId: data.id });
  });

  it('is refused by an operator’s pause of trading, and by the signer where the rows of its day are gone', async () => {
    const guard = await rig.db.guards.find(wallet.userId ?? '');
    const by = await addedProgram(
      rig.db,
      { userId: wallet.userId ?? '', walletId: wallet.id },
      {
        until: rig.clock.now() + DAY,
        lockEpoch: guard.lockEpoch,
        terms: { ...TERMS, orderLamports: PRICE, dayLamports: PRICE },
      },
    );
    await rig.db.flags.set('trading-paused', true, rig.clock.now());
    expect(await place(by, await buyAt())).toMatchObject({ status: 503, code: 'PAUSED' });
    await rig.db.flags.set('trading-paused', false, rig.clock.now());
    const first = await place(by, await buyAt());
    expect(first.status).toBe(200);
    const uses = rig.db.personalKeys.uses.bind(rig.db.personalKeys);
    rig.db.personalKeys.uses = async () => [];
    try {
      expect(await place(by, await buyAt())).toMatchObject({ status: 403, code: 'PERSONAL_KEY_CAP' });
    } finally {
      rig.db.personalKeys.uses = uses;
    }
    await rig.db.guards.save({ ...guard, frozenAt: rig.clock.now() }, PASSED);
    expect((await place(by, await buyAt())).status).toBe(403);
  });
});

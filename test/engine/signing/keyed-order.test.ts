import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderFacts } from '../../../src/modules/orders/rules/order-facts.ts';
import { type KeyedOrder, readKeyedOrder } from '../../../src/modules/personal-keys/rules/keyed-order.ts';
import type { Program, Signing } from '../../api/program.ts';
import { newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';
import {
  fires,
  honestFacts,
  ORDER_TERMS,
  orderAt,
  orderBody,
  orderIdOf,
  places,
  signedOrder,
} from './keyed-order-rig.ts';
import { DAY, keyedRig, SOL, TERMS, TRADE } from './keyed-rig.ts';

const DENIED = { code: 'POLICY_DENIED', details: { rule: 'personal-key' } };
const refused = (why: string) => ({ code: 'KEY_REQUEST_REFUSED', details: { why } });

let rig: Awaited<ReturnType<typeof keyedRig>>;
let by: Program;
let order: KeyedOrder;
beforeEach(async () => {
  rig = await keyedRig(fakeDatabase());
  by = await rig.program({ terms: ORDER_TERMS });
  order = orderAt(rig.clock.now());
});

const STOP: Partial<KeyedOrder> = {
  side: 'sell',
  type: 'STOP_LOSS',
  amount: { kind: 'share', bps: 10_000 },
  trigger: { got: 7n, given: 10n },
  floor: { got: 5n, given: 10n },
};
const TAKE: Partial<KeyedOrder> = {
  side: 'sell',
  type: 'TAKE_PROFIT',
  amount: { kind: 'share', bps: 5_000 },
  toleranceBps: 100,
};

/** Of an order as it was signed, with these facts in the place of its own. */
const certify = (asked: KeyedOrder = order, facts: Partial<OrderFacts> = {}, change: Partial<Signing> = {}) =>
  rig.vault.certifyKeyedOrder({
    order: { ...honestFacts(by, asked), ...facts },
    signed: signedOrder(rig, by, asked, change),
  });
const named = (idempotencyKey: string, more: Partial<KeyedOrder> = {}): KeyedOrder => ({
  ...order,
  ...more,
  idempotencyKey,
});

describe('an order that a program signed', () => {
  it.each<readonly [string, Partial<KeyedOrder>]>([
    ['a purchase at a limit', {}],
    ['a sale at a limit', { side: 'sell', partial: true, toleranceBps: 50 }],
    ['a take profit', TAKE],
    ['a stop', STOP],
    ['a stop of so many units', { ...STOP, amount: { kind: 'fixed', units: 500n } }],
  ])('is certified, and fires: %s', async (_, more) => {
    const id = await places(rig, by, { ...order, ...more });
    expect(await fires(rig, id)).toEqual(expect.any(String));
    const { side = 'buy' } = more;
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toMatchObject([
      { what: 'order', subject: id, side, lamports: side === 'buy' ? SOL : 0n, toldAt: null },
    ]);
  });

  it.each<readonly [string, () => Partial<OrderFacts>]>([
    ['name', () => ({ id: newId() })],
    ['person', () => ({ userId: newId() })],
    ['wallet', () => ({ walletId: newId() })],
    ['token', () => ({ mint: newAddress() })],
    ['side', () => ({ side: 'sell' })],
    ['kind', () => ({ type: 'STOP_BUY' })],
    ['amount', () => ({ amount: { kind: 'fixed', units: SOL + 1n } })],
    ['kind of amount', () => ({ amount: { kind: 'rest' } })],
    ['unit', () => ({ unit: 'USD' })],
    ['trigger', () => ({ trigger: { got: 999n, given: SOL } })],
    ['span of its condition', () => ({ holdMs: 1 })],
    ['answer to parts', () => ({ partial: true })],
    ['end', () => ({ expiresAt: order.expiresAt + 1 })],
    ...(
      [
        ['tolerance', { toleranceBps: 1 }],
        ['slippage', { slippageBps: 501 }],
        ['priority', { tier: 'turbo' }],
        ['floor', { floor: { got: 1n, given: 1n } }],
        ['trail', { trailing: { bps: 100, activation: null } }],
        ['event', { event: { kind: 'liquidity-falls', fallBps: 1, liquidity: 1n, onCurve: false } }],
        [
          'schedule',
          { schedule: { startAt: 0, intervalMs: 60_000, rounds: 2, band: { least: null, most: null } } },
        ],
        ['sale at its end', { sellsOnExpiry: true }],
        ['warning', { accepted: ['MINT_AUTHORITY'] }],
        ['supply', { supply: 1n }],
        ['grant', { grants: { steep: true, doubts: [], lockEpoch: 0, until: 1 } }],
        ['time of agreement', { agreedAt: 1 }],
        ['text of its price', { request: '-20%' }],
        ['depth', { depthLamports: -1n }],
      ] as readonly (readonly [string, Partial<OrderFacts['terms']>])[]
    ).map(([name, terms]): readonly [string, () => Partial<OrderFacts>] => [
      `term: ${name}`,
      () => ({ terms: { ...honestFacts(by, order).terms, ...terms } }),
    ]),
    [
      'lock',
      () => ({
        terms: { ...honestFacts(by, order).terms, program: { keyId: by.key.id, lockEpoch: 1 } },
      }),
    ],
    [
      'key',
      () => ({ terms: { ...honestFacts(by, order).terms, program: { keyId: newId(), lockEpoch: 0 } } }),
    ],
    ['maker', () => ({ terms: withoutProgram(honestFacts(by, order).terms) })],
  ])('is no other order: another %s is not certified', async (_, facts) => {
    await expect(certify(order, facts())).rejects.toMatchObject(DENIED);
    expect(rig.log).toHaveLength(1);
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toEqual([]);
    await expect(certify()).resolves.toBeDefined();
  });

  it.each<readonly [string, Partial<Signing>]>([
    ['method', { method: 'DELETE' }],
    ['host', { host: 'other.example' }],
    ['path', { path: '/desk/trades' }],
    ['query', { query: '?x=1' }],
    ['body', { digest: `sha-256=:${Buffer.alloc(32).toString('base64')}:` }],
  ])('is signed for exactly this request: another %s is not', async (_, change) => {
    await expect(certify(order, {}, change)).rejects.toMatchObject(DENIED);
  });

  it('is no other body: each field that was changed on the way is refused', async () => {
    const right = signedOrder(rig, by, order);
    for (const change of [
      { side: 'sell' },
      { mint: newAddress() },
      { amount: { kind: 'fixed', units: SOL / 2n } },
      { trigger: { got: 1n, given: SOL } },
      { toleranceBps: 5_000 },
      { partial: true },
      { acceptedWarnings: ['MINT_AUTHORITY'] },
      { priority: 'turbo' },
      { expiresAt: order.expiresAt + 1_000 },
      { idempotencyKey: 'two' },
    ] as readonly Partial<KeyedOrder>[]) {
      const other = { ...order, ...change };
      const signed = { ...right, body: Buffer.from(orderBody(other)) };
      await expect(
        rig.vault.certifyKeyedOrder({ order: honestFacts(by, other), signed }),
      ).rejects.toMatchObject(DENIED);
    }
    await expect(
      rig.vault.certifyKeyedOrder({ order: honestFacts(by, order), signed: right }),
    ).resolves.toBeDefined();
  });

  it('is no trade, and a trade is no order, with one and the same key', async () => {
    by = await rig.program({ terms: { ...TERMS, rights: ['trade', 'place'] } });
    const asTrade = { signed: rig.signed(by, TRADE), order: honestFacts(by, order) };
    await expect(rig.vault.certifyKeyedOrder(asTrade)).rejects.toMatchObject(DENIED);
    const request = rig.requestOf(by, TRADE);
    await expect(
      rig.vault.confirmKeyed({ request, signed: signedOrder(rig, by, order) }),
    ).rejects.toMatchObject(DENIED);
  });

  it('counts for its seconds by the clock of the signer, and once', async () => {
    const seconds = Math.floor(rig.clock.now() / 1_000);
    await expect(certify(order, {}, { created: seconds - 31 })).rejects.toMatchObject(refused('time'));
    await expect(certify(order, {}, { created: seconds + 6 })).rejects.toMatchObject(refused('time'));
    await expect(certify(order, {}, { expires: seconds + 61 })).rejects.toMatchObject(refused('time'));
    const asked = { order: honestFacts(by, order), signed: signedOrder(rig, by, order) };
    await rig.vault.certifyKeyedOrder(asked);
    await expect(rig.vault.certifyKeyedOrder(asked)).rejects.toMatchObject(refused('replayed'));
  });

  it('ends in time: not before now, and within 30 days', async () => {
    const now = rig.clock.now();
    for (const expiresAt of [now, now + 31 * DAY])
      await expect(certify({ ...order, expiresAt })).rejects.toMatchObject(DENIED);
    await certify({ ...order, expiresAt: now + 30 * DAY });
  });

  it('is of an open key with the right of its own', async () => {
    await rig.db.personalKeys.end(PASSED, by.key, rig.clock.now());
    await expect(certify()).rejects.toMatchObject(refused('ended'));
    by = await rig.program({ terms: ORDER_TERMS, until: rig.clock.now() });
    await expect(certify()).rejects.toMatchObject(refused('ended'));
    by = await rig.program({ terms: { ...TERMS, rights: ['read', 'trade', 'orders'] } });
    await expect(certify()).rejects.toMatchObject(DENIED);
    by = await rig.program({ terms: { ...ORDER_TERMS, tokens: [newAddress()] } });
    await expect(certify()).rejects.toMatchObject(DENIED);
    const stranger = await storedPerson(rig.db);
    by = await rig.program({ terms: ORDER_TERMS, walletId: stranger.wallet.id });
    await expect(certify()).rejects.toMatchObject({ details: { rule: 'foreign-wallet' } });
    by = await rig.program({ terms: ORDER_TERMS });
    const guard = await rig.db.guards.find(rig.of.userId);
    await rig.db.guards.save({ ...guard, lockEpoch: 1 }, PASSED);
    await expect(certify()).rejects.toMatchObject(refused('ended'));
    await rig.db.guards.save({ ...guard, lockEpoch: 0, frozenAt: rig.clock.now() }, PASSED);
    await expect(certify()).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
  });
});

function withoutProgram({ program: _program, ...terms }: OrderFacts['terms']): OrderFacts['terms'] {
  return terms;
}

describe('the caps of a key', () => {
  const bought = (units: bigint, name: string): KeyedOrder =>
    named(name, { amount: { kind: 'fixed', units } });

  it('count the whole purchase when it is placed, with the trades of 24 hours, to the lamport', async () => {
    by = await rig.program({ terms: { ...TERMS, rights: ['trade', 'place'] } });
    await expect(certify(bought(SOL + 1n, 'a'))).rejects.toMatchObject(DENIED);
    await certify(bought(SOL, 'a'));
    await rig.trades(by, { ...TRADE, idempotencyKey: 'a' });
    await certify(bought(SOL - 1n, 'b'));
    await expect(certify(bought(2n, 'c'))).rejects.toMatchObject(refused('day-cap'));
    await expect(rig.trades(by, { ...TRADE, amount: 2n, idempotencyKey: 'd' })).rejects.toMatchObject(
      refused('day-cap'),
    );
    await certify(named('s', TAKE));
    await certify(bought(1n, 'c'));
    rig.clock.advance(DAY + 1);
    order = orderAt(rig.clock.now());
    await certify(bought(SOL, 'e'));
  });

  it('count one idempotency key once, by its largest purchase', async () => {
    by = await rig.program({ terms: { ...ORDER_TERMS, dayLamports: SOL } });
    await certify(bought(SOL, 'a'));
    await certify(bought(1n, 'a'));
    await expect(certify(bought(1n, 'b'))).rejects.toMatchObject(refused('day-cap'));
  });
});

describe('one idempotency key', () => {
  it('is one order, whatever is asked with it: its name is the same, and it fires once', async () => {
    const id = await places(rig, by, order);
    expect(orderIdOf(by, { ...order, trigger: { got: 1n, given: 1n } })).toBe(id);
    await expect(places(rig, by, order)).rejects.toThrow('not stored');
    expect(orderIdOf(by, named('two'))).not.toBe(id);
    const other = await rig.program({ terms: ORDER_TERMS });
    expect(orderIdOf(other, order)).not.toBe(id);
    expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });
});

describe('a placed order', () => {
  it('lives on when its key is over, or was ended by a tap', async () => {
    const id = await places(rig, by, order);
    await rig.db.personalKeys.end(PASSED, by.key, rig.clock.now());
    expect(await fires(rig, id)).toEqual(expect.any(String));
  });

  it('ends with a lock, whatever its row says', async () => {
    const id = await places(rig, by, order);
    const guard = await rig.db.guards.find(rig.of.userId);
    await rig.db.guards.save({ ...guard, lockEpoch: 1 }, PASSED);
    await expect(fires(rig, id)).rejects.toMatchObject({ details: { rule: 'order-locked' } });
  });

  it('is paused by a lock, and counts as one that a lock would pause', async () => {
    const id = await places(rig, by, order);
    const { userId } = rig.of;
    expect(await rig.db.orders.hasGranted(userId)).toBe(true);
    expect(await rig.db.orders.pauseGranted(userId)).toBe(1);
    const [paused] = (await rig.db.orders.find(id))?.orders ?? [];
    expect(paused).toMatchObject({ status: 'PAUSED', reason: 'locked' });
  });
});

describe('the body of an order', () => {
  const given = (): Record<string, unknown> => JSON.parse(orderBody(order)) as Record<string, unknown>;
  const stop = (more: object = {}): string =>
    JSON.stringify({ ...JSON.parse(orderBody({ ...order, ...STOP })), ...more });

  it('is read as it was written, with the usual terms where it names none', () => {
    for (const more of [{}, STOP, TAKE, { ...TAKE, partial: true }])
      expect(readKeyedOrder(orderBody({ ...order, ...more }))).toEqual({ ...order, ...more });
    const { side, type, mint, amount, trigger, expiresAt, idempotencyKey } = given();
    const least = { side, type, mint, amount, trigger, expiresAt, idempotencyKey };
    expect(readKeyedOrder(JSON.stringify(least))).toEqual(order);
    expect(readKeyedOrder(JSON.stringify({ ...least, floor: null, priority: null, shareBps: null }))).toEqual(
      order,
    );
    expect(readKeyedOrder(stop({ floor: undefined }))).toMatchObject({
      floor: { got: 52_500n, given: 100_000n },
    });
  });

  it.each<readonly [string, () => string]>([
    ['no JSON', () => '{'],
    ['a list', () => '[]'],
    ['null', () => 'null'],
    ['a field more', () => JSON.stringify({ ...given(), slippageBps: 1 })],
    ['another side', () => JSON.stringify({ ...given(), side: 'swap' })],
    ['a kind that is not offered', () => JSON.stringify({ ...given(), type: 'DCA' })],
    ['a take profit that buys', () => JSON.stringify({ ...given(), type: 'TAKE_PROFIT' })],
    ['no address', () => JSON.stringify({ ...given(), mint: 'x' })],
    ['a number as amount', () => JSON.stringify({ ...given(), amount: 1 })],
    ['nothing', () => JSON.stringify({ ...given(), amount: '0' })],
    ['more than a chain counts', () => JSON.stringify({ ...given(), amount: '18446744073709551616' })],
    ['no amount', () => JSON.stringify({ ...given(), amount: undefined })],
    ['a share of a purchase', () => JSON.stringify({ ...given(), amount: undefined, shareBps: 5_000 })],
    ['an amount and a share', () => stop({ amount: '1' })],
    ['a share above all', () => stop({ shareBps: 10_001 })],
    ['a share of nothing', () => stop({ shareBps: 0 })],
    ['a broken share', () => stop({ shareBps: 1.5 })],
    ['no trigger', () => JSON.stringify({ ...given(), trigger: undefined })],
    ['a trigger of nothing', () => JSON.stringify({ ...given(), trigger: { got: '0', given: '1' } })],
    ['a trigger for nothing', () => JSON.stringify({ ...given(), trigger: { got: '1', given: '0' } })],
    ['half a trigger', () => JSON.stringify({ ...given(), trigger: { got: '1' } })],
    [
      'a trigger with more',
      () => JSON.stringify({ ...given(), trigger: { got: '1', given: '1', unit: 'USD' } }),
    ],
    ['a floor of a limit', () => JSON.stringify({ ...given(), floor: { got: '1', given: '1' } })],
    ['a floor of nothing', () => stop({ floor: { got: '0', given: '1' } })],
    ['a tolerance of a stop', () => stop({ toleranceBps: 0 })],
    ['a stop in parts', () => stop({ partial: false })],
    ['a tolerance above half', () => JSON.stringify({ ...given(), toleranceBps: 5_001 })],
    ['parts as a word', () => JSON.stringify({ ...given(), partial: 'yes' })],
    ['a warning that is none', () => JSON.stringify({ ...given(), acceptedWarnings: ['x'] })],
    ['warnings without end', () => JSON.stringify({ ...given(), acceptedWarnings: Array(21).fill('AB') })],
    ['another priority', () => JSON.stringify({ ...given(), priority: 'max' })],
    ['no end', () => JSON.stringify({ ...given(), expiresAt: undefined })],
    ['an end as a number', () => JSON.stringify({ ...given(), expiresAt: order.expiresAt })],
    ['an end of another zone', () => JSON.stringify({ ...given(), expiresAt: '2026-12-01T00:00:00+01:00' })],
    ['a day that is none', () => JSON.stringify({ ...given(), expiresAt: '2027-02-31T00:00:00Z' })],
    ['an empty key', () => JSON.stringify({ ...given(), idempotencyKey: '' })],
    ['a key with a space', () => JSON.stringify({ ...given(), idempotencyKey: 'a b' })],
  ])('is none: %s', (_, text) => {
    expect(readKeyedOrder(text())).toBeNull();
  });
});

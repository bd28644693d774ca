import { beforeEach, describe, expect, it } from 'vitest';
import type { ConfirmedIntent } from '../../../src/engine/intents/rules/confirmation.ts';
import { type KeyedTrade, readKeyedTrade } from '../../../src/modules/personal-keys/rules/keyed-trade.ts';
import type { Program, Signing } from '../../api/program.ts';
import { newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';
import { PARAMS } from '../intents/build.ts';
import { bodyOf, DAY, keyedRig, paramsOf, SOL, TERMS, TRADE } from './keyed-rig.ts';

const DENIED = { code: 'POLICY_DENIED', details: { rule: 'personal-key' } };
const refused = (why: string) => ({ code: 'KEY_REQUEST_REFUSED', details: { why } });

let rig: Awaited<ReturnType<typeof keyedRig>>;
let by: Program;
beforeEach(async () => {
  rig = await keyedRig(fakeDatabase());
  by = await rig.program();
});

const confirm = (
  trade: KeyedTrade = TRADE,
  more: Partial<ConfirmedIntent> = {},
  change: Partial<Signing> = {},
) =>
  rig.vault.confirmKeyed({ request: rig.requestOf(by, trade, more), signed: rig.signed(by, trade, change) });

describe('a trade that a program signed', () => {
  it('is confirmed and signed, and its use has a row', async () => {
    expect(await rig.signs(await rig.trades(by, TRADE))).toHaveLength(64);
    rig.clock.advance(1);
    const sale: KeyedTrade = { ...TRADE, side: 'sell', idempotencyKey: 'two' };
    expect(await rig.signs(await rig.trades(by, sale))).toHaveLength(64);
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toMatchObject([
      { what: 'trade', side: 'buy', mint: TRADE.mint, lamports: SOL, toldAt: null },
      { what: 'trade', side: 'sell', lamports: 0n },
    ]);
  });

  it('is not confirmed by a tap, nor is a tap by a request', async () => {
    await expect(rig.vault.confirm(rig.requestOf(by, TRADE), null)).rejects.toMatchObject(DENIED);
    await expect(confirm(TRADE, { idemKey: newId() })).rejects.toMatchObject(DENIED);
  });

  const buy = paramsOf(TRADE) as typeof PARAMS.buy;
  it.each<readonly [string, () => Partial<ConfirmedIntent>]>([
    ['side', () => ({ params: paramsOf({ ...TRADE, side: 'sell' }) })],
    ['token', () => ({ params: { ...buy, mint: newAddress() } })],
    ['amount', () => ({ params: { ...buy, lamportsIn: SOL - 1n } })],
    ['amount of the terms', () => ({ params: { ...buy, terms: { ...buy.terms, amountIn: SOL - 1n } } })],
    ['least', () => ({ params: { ...buy, terms: { ...buy.terms, minOut: TRADE.minReceived - 1n } } })],
    ['priority', () => ({ params: { ...buy, tier: 'turbo' } })],
    ['tip', () => ({ params: { ...buy, tip: { via: 'jito', atMost: 1n } as never } })],
    ['order', () => ({ params: { ...buy, order: { id: newId(), n: 1 } as never } })],
    ['sales beside it', () => ({ params: { ...buy, legs: true } })],
    ['kind', () => ({ params: PARAMS.withdrawSol })],
    ['idempotency key', () => ({ idemKey: `pkey:${by.key.id}:two` })],
    ['key', () => ({ idemKey: `pkey:${newId()}:one` })],
    ['person', () => ({ userId: newId() })],
    ['wallet', () => ({ walletId: newId() })],
  ])('is no other trade: another %s is not confirmed', async (_, more) => {
    await expect(confirm(TRADE, more())).rejects.toMatchObject(DENIED);
    expect(rig.log).toHaveLength(1);
    expect(await rig.db.personalKeys.uses(by.key.id, 0)).toEqual([]);
    // More than the least is the person's slippage.
    const more900 = { ...buy, terms: { ...buy.terms, minOut: 901n } };
    await expect(confirm(TRADE, { params: more900 })).resolves.toBeDefined();
  });

  it.each<readonly [string, Partial<Signing>]>([
    ['method', { method: 'DELETE' }],
    ['host', { host: 'other.example' }],
    ['path', { path: '/desk/orders' }],
    ['query', { query: '?x=1' }],
    ['body', { digest: `sha-256=:${Buffer.alloc(32).toString('base64')}:` }],
  ])('is signed for exactly this request: another %s is not', async (_, change) => {
    await expect(confirm(TRADE, {}, change)).rejects.toMatchObject(DENIED);
  });

  it('is no other body: each field that was changed on the way is refused', async () => {
    const request = rig.requestOf(by, TRADE);
    const right = rig.signed(by, TRADE);
    for (const change of [
      { side: 'sell' },
      { mint: newAddress() },
      { amount: 2n * SOL },
      { minReceived: 1n },
      { priority: 'turbo' },
      { idempotencyKey: 'two' },
    ] as readonly Partial<KeyedTrade>[]) {
      const other = { ...TRADE, ...change };
      const signed = { ...right, body: Buffer.from(bodyOf(other)) };
      const asked = rig.requestOf(by, other, { id: request.id });
      await expect(rig.vault.confirmKeyed({ request: asked, signed })).rejects.toMatchObject(DENIED);
    }
    await expect(rig.vault.confirmKeyed({ request, signed: right })).resolves.toBeDefined();
  });

  it('counts for its seconds by the clock of the signer, and once', async () => {
    const seconds = Math.floor(rig.clock.now() / 1_000);
    await expect(confirm(TRADE, {}, { created: seconds - 31 })).rejects.toMatchObject(refused('time'));
    await expect(confirm(TRADE, {}, { created: seconds + 6 })).rejects.toMatchObject(refused('time'));
    await expect(confirm(TRADE, {}, { expires: seconds + 61 })).rejects.toMatchObject(refused('time'));
    const signed = rig.signed(by, TRADE);
    const request = rig.requestOf(by, TRADE);
    await rig.vault.confirmKeyed({ request, signed });
    for (const again of [request, rig.requestOf(by, TRADE)])
      await expect(rig.vault.confirmKeyed({ request: again, signed })).rejects.toMatchObject(
        refused('replayed'),
      );
  });

  it('is of an open key alone', async () => {
    await rig.db.personalKeys.end(PASSED, by.key, rig.clock.now());
    await expect(confirm()).rejects.toMatchObject(refused('ended'));
    by = await rig.program({ until: rig.clock.now() });
    await expect(confirm()).rejects.toMatchObject(refused('ended'));
    by = await rig.program({ terms: { ...TERMS, rights: ['read', 'orders'] } });
    await expect(confirm()).rejects.toMatchObject(DENIED);
    by = await rig.program({ terms: { ...TERMS, tokens: [newAddress()] } });
    await expect(confirm()).rejects.toMatchObject(DENIED);
    by = await rig.program();
    const guard = await rig.db.guards.find(rig.of.userId);
    await rig.db.guards.save({ ...guard, lockEpoch: 1 }, PASSED);
    await expect(confirm()).rejects.toMatchObject(refused('ended'));
    await rig.db.guards.save({ ...guard, lockEpoch: 0, frozenAt: rig.clock.now() }, PASSED);
    await expect(confirm()).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
  });

  it('is signed by its own key: another one under its id, and a stranger’s wallet, are refused', async () => {
    const other = await rig.program();
    await expect(confirm(TRADE, {}, { keyId: other.key.id })).rejects.toMatchObject(DENIED);
    const stranger = await storedPerson(rig.db);
    const { wallet } = stranger;
    by = await rig.program({ walletId: wallet.id });
    await expect(confirm(TRADE, { walletId: wallet.id })).rejects.toMatchObject({
      details: { rule: 'foreign-wallet' },
    });
  });
});

describe('the caps of a key', () => {
  const bought = (amount: bigint, idempotencyKey: string): KeyedTrade => ({
    ...TRADE,
    amount,
    idempotencyKey,
  });

  it('bound one purchase, and those of 24 hours, to the lamport', async () => {
    await expect(confirm(bought(SOL + 1n, 'a'))).rejects.toMatchObject(DENIED);
    for (const n of ['a', 'b']) await confirm(bought(SOL, n));
    await confirm(bought(SOL - 1n, 'c'));
    await expect(confirm(bought(2n, 'd'))).rejects.toMatchObject(refused('day-cap'));
    await confirm(bought(1n, 'd'));
    await expect(confirm(bought(1n, 'e'))).rejects.toMatchObject(refused('day-cap'));
    // A sale spends nothing.
    await confirm({ ...TRADE, side: 'sell', idempotencyKey: 'f' });
    rig.clock.advance(DAY + 1);
    await confirm(bought(SOL, 'g'));
  });

  it('count two at once one after the other', async () => {
    by = await rig.program({ terms: { ...TERMS, dayLamports: SOL } });
    const both = await Promise.allSettled([confirm(bought(SOL, 'a')), confirm(bought(1n, 'b'))]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('count a request once that was sent again under its idempotency key', async () => {
    by = await rig.program({ terms: { ...TERMS, dayLamports: SOL } });
    // The API stopped between the signer's answer and its commit: the program asks again, with another nonce.
    await confirm();
    expect(await rig.signs(await rig.trades(by, TRADE))).toHaveLength(64);
    await expect(confirm(bought(1n, 'other'))).rejects.toMatchObject(refused('day-cap'));
  });
});

describe('two requests that a caller confirms for one intent', () => {
  const second: KeyedTrade = { ...TRADE, idempotencyKey: 'two' };

  it('use both their nonces up, and both count for the day', async () => {
    by = await rig.program({ terms: { ...TERMS, dayLamports: 2n * SOL } });
    const id = newId();
    const request = rig.requestOf(by, TRADE, { id });
    const first = rig.signed(by, TRADE);
    const confirmation = await rig.vault.confirmKeyed({ request, signed: first });
    await rig.store(request, confirmation);
    expect(await rig.signs(id)).toHaveLength(64);
    rig.lands();
    await confirm(second, { id });
    // The first request comes again for an intent of its own: its trade is on the chain.
    const again = rig.requestOf(by, TRADE);
    await expect(rig.vault.confirmKeyed({ request: again, signed: first })).rejects.toMatchObject(
      refused('replayed'),
    );
    await expect(confirm({ ...TRADE, amount: 1n, idempotencyKey: 'three' })).rejects.toMatchObject(
      refused('day-cap'),
    );
  });

  it('make it signable by neither', async () => {
    const id = newId();
    const request = rig.requestOf(by, TRADE, { id });
    const confirmation = await rig.vault.confirmKeyed({ request, signed: rig.signed(by, TRADE) });
    await confirm(second, { id });
    await rig.store(request, confirmation);
    await expect(rig.signs(id)).rejects.toMatchObject(DENIED);
  });
});

describe('before the signature of a confirmed trade', () => {
  it.each<readonly [string, () => Promise<unknown>]>([
    ['the person ended the key', () => rig.db.personalKeys.end(PASSED, by.key, rig.clock.now())],
    ['the key’s time is over', async () => rig.clock.advance(31 * DAY)],
    [
      'trades were locked',
      async () => {
        const guard = await rig.db.guards.find(rig.of.userId);
        await rig.db.guards.save({ ...guard, lockEpoch: 1 }, PASSED);
      },
    ],
  ])('%s: nothing is signed', async (_, change) => {
    const id = await rig.trades(by, TRADE);
    await change();
    await expect(rig.signs(id)).rejects.toMatchObject(DENIED);
  });
});

describe('the body of a trade', () => {
  const given = JSON.parse(bodyOf(TRADE)) as Record<string, unknown>;

  it('is read as it was written, with the usual priority where it names none', () => {
    expect(readKeyedTrade(bodyOf(TRADE))).toEqual(TRADE);
    const { priority: _priority, ...without } = given;
    expect(readKeyedTrade(JSON.stringify(without))).toEqual(TRADE);
  });

  it.each<readonly [string, string]>([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a field more', JSON.stringify({ ...given, tip: '1' })],
    ['another side', JSON.stringify({ ...given, side: 'swap' })],
    ['no address', JSON.stringify({ ...given, mint: 'x' })],
    ['a number as amount', JSON.stringify({ ...given, amount: 1 })],
    ['nothing', JSON.stringify({ ...given, amount: '0' })],
    ['more than a chain counts', JSON.stringify({ ...given, amount: '18446744073709551616' })],
    ['no least', JSON.stringify({ ...given, minReceived: undefined })],
    ['another priority', JSON.stringify({ ...given, priority: 'max' })],
    ['an empty key', JSON.stringify({ ...given, idempotencyKey: '' })],
    ['a key with a space', JSON.stringify({ ...given, idempotencyKey: 'a b' })],
  ])('is none: %s', (_, text) => {
    expect(readKeyedTrade(text)).toBeNull();
  });
});

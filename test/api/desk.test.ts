import { beforeEach, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/compose/routes.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { createProgramDesk } from '../../src/modules/personal-keys/use/program-desk.ts';
import { personalKeyCheck } from '../../src/platform/certificate-check.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { orderRow } from '../conformance/order-stores.ts';
import {
  intentRow,
  newAddress,
  newId,
  secretRow,
  storedPerson,
  walletRow,
} from '../conformance/store-rows.ts';
import { PARAMS } from '../engine/intents/build.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER } from '../support/signer.ts';
import { buildSite, OPEN } from './build-site.ts';
import { addedProgram, type Program, type Signing, sha256Digest, signedHeaders } from './program.ts';

const PRO = {
  kind: 'pro',
  checkKey: async () => ({ kind: 'unknown' }) as const,
  limiter: fakeApiLimiter(),
} as const;
const START = 1_700_000_000_000;
const DAY = 86_400_000;
const TERMS = { rights: ['read'] as const, orderLamports: 1n, dayLamports: 1n, tokens: null, ips: null };

type Answer = {
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
};

describe('the desk of programs', () => {
  let now: number;
  let db: Database;
  let of: { readonly userId: string; readonly walletId: string };
  let forged: string[];
  const desk = () =>
    createProgramDesk({
      db,
      clock: { now: () => now },
      signatureChecks: createSignatureChecks(),
      isCertified: personalKeyCheck(TEST_CERTIFIER.publicKey),
      endOrder: async () => Promise.reject(new AppError('ORDER_NOT_FOUND', {})),
      makeTrade: async () => Promise.reject(new AppError('INTENT_NOT_FOUND', {})),
      placeOrder: async () => Promise.reject(new AppError('ORDER_NOT_FOUND', {})),
      log: { error: (_fields, message) => void forged.push(message) },
    });
  /** Another process of the API over the same database. */
  const process = () => buildSite(PRO, { programDesk: desk() }).app;
  let app: ReturnType<typeof process>;
  beforeEach(async () => {
    now = START;
    forged = [];
    db = fakeDatabase();
    const { user, wallet } = await storedPerson(db);
    of = { userId: user.id, walletId: wallet.id };
    app = process();
  });

  const program = (more: Parameters<typeof addedProgram>[2] = { until: START + DAY }): Promise<Program> =>
    addedProgram(db, of, { terms: TERMS, ...more });

  type Asked = {
    readonly url?: string;
    readonly body?: string;
    readonly from?: string;
    readonly host?: string;
  };
  async function send(headers: Record<string, string>, asked: Asked = {}, to = app) {
    const { url = '/desk/positions', body, from = '203.0.113.7', host = 'desk.example' } = asked;
    const answer = await to.inject({
      method: 'GET',
      url,
      headers: { host, 'x-forwarded-for': from, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    const { error, data } = answer.json<Answer>();
    return {
      status: answer.statusCode,
      code: error?.code,
      message: error?.message,
      data,
      headers: answer.headers,
    };
  }
  const ask = (by: Program, asked: Asked = {}, change: Partial<Signing> = {}, to = app) =>
    send(signedHeaders(by, now, { url: asked.url ?? '/desk/positions' }, change), asked, to);

  it.each(
    routesOf('pro').flatMap(({ signed, path, pathFields }) =>
      signed === 'read' && pathFields === undefined ? [path] : [],
    ),
  )('answers a signed request without a key of the API: %s', async (url) => {
    const answer = await ask(await program(), { url });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('has no such path where personal keys are off, nor on the open host', async () => {
    const by = await program();
    const off = buildSite(PRO, { programDesk: null }).app;
    const open = buildSite(OPEN, { programDesk: desk() }).app;
    for (const { signed, path, method, operationId } of routesOf('pro')) {
      if (signed === undefined) continue;
      for (const host of [off, open]) {
        const { statusCode, json } = await host.inject({
          method,
          url: path,
          headers: signedHeaders(by, now, { method, url: path }),
        });
        expect([path, statusCode, json<Answer>().error?.code]).toEqual([path, 404, 'NOT_FOUND']);
        expect((await host.inject(`/docs/reference/${operationId}`)).statusCode).toBe(404);
      }
    }
    expect((await off.inject('/openapi.json')).body).not.toContain('/desk/');
    expect((await app.inject('/openapi.json')).body).toContain('/desk/');
  });

  describe('refuses', () => {
    it('a request without a signature, and a key of the API in its place', async () => {
      const answer = await send({ 'x-api-key': 'tp_key' });
      expect([answer.status, answer.code]).toEqual([401, 'REQUEST_SIGNATURE_MISSING']);
      expect(answer.headers['www-authenticate']).toBe('Signature realm="tradepost"');
    });

    it.each<readonly [string, Partial<Signing>]>([
      ['another method', { method: 'POST' }],
      ['another host', { host: 'other.example' }],
      ['another path', { path: '/desk/orders' }],
      ['another query', { query: '?limit=5' }],
    ])('what was signed for %s', async (_, change) => {
      const answer = await ask(await program(), {}, change);
      expect([answer.status, answer.code]).toEqual([401, 'REQUEST_SIGNATURE_INVALID']);
    });

    it('a request of a key that was added for another host', async () => {
      const by = await program({ until: START + DAY, host: 'old.example' });
      expect(await ask(by, {}, { host: 'desk.example' })).toMatchObject({
        code: 'REQUEST_SIGNATURE_INVALID',
      });
    });

    it('a body that was changed, put in or taken out on the way', async () => {
      const by = await program();
      expect(await ask(by, { body: '{"x":1}' })).toMatchObject({
        status: 401,
        code: 'REQUEST_SIGNATURE_INVALID',
      });
      const signed = { digest: sha256Digest('{"x":1}') };
      expect(await ask(by, { body: '{"x":2}' }, signed)).toMatchObject({ code: 'REQUEST_SIGNATURE_INVALID' });
      expect(await ask(by, {}, signed)).toMatchObject({ code: 'REQUEST_SIGNATURE_INVALID' });
      expect(await ask(by, { body: '{"x":1}' }, signed)).toMatchObject({ status: 200 });
    });

    it('a digest that was changed together with the body', async () => {
      const headers = signedHeaders(await program(), now, {});
      const answer = await send({ ...headers, 'content-digest': sha256Digest('x') }, { body: 'x' });
      expect(answer.code).toBe('REQUEST_SIGNATURE_INVALID');
    });

    it('a body above 16 kB before it is read', async () => {
      expect(await ask(await program(), { body: 'x'.repeat(17_000) })).toMatchObject({
        status: 413,
        code: 'BODY_TOO_LARGE',
      });
    });

    it.each<readonly [string, Partial<Signing>]>([
      ['created in the future', { created: START / 1_000 + 6, expires: START / 1_000 + 30 }],
      ['that has expired', { created: START / 1_000 - 30, expires: START / 1_000 }],
      ['for more than a minute', { created: START / 1_000, expires: START / 1_000 + 61 }],
      ['that ends before it begins', { created: START / 1_000, expires: START / 1_000 }],
    ])('a signature %s', async (_, change) => {
      const answer = await ask(await program(), {}, change);
      expect([answer.status, answer.code]).toEqual([401, 'REQUEST_TIME_INVALID']);
    });

    it('nothing at the edges of these times', async () => {
      const by = await program();
      const second = START / 1_000;
      for (const change of [
        { created: second + 5, expires: second + 65 },
        { created: second - 59, expires: second + 1 },
      ])
        expect(await ask(by, {}, change)).toMatchObject({ status: 200 });
    });

    it('a nonce twice, whichever process of the API is asked, and each key has its own', async () => {
      const by = await program();
      const other = process();
      const headers = signedHeaders(by, now, {}, { nonce: 'once-only-1' });
      expect(await send(headers)).toMatchObject({ status: 200 });
      for (const to of [app, other])
        expect(await send(headers, {}, to)).toMatchObject({ status: 401, code: 'REQUEST_REPLAYED' });
      expect(await ask(by, { url: '/desk/orders' }, { nonce: 'once-only-1' })).toMatchObject({
        code: 'REQUEST_REPLAYED',
      });
      expect(await ask(await program(), {}, { nonce: 'once-only-1' }, other)).toMatchObject({ status: 200 });
    });

    it('all but one of the same request at once over two processes', async () => {
      const headers = signedHeaders(await program(), now, {});
      const other = process();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => send(headers, {}, n % 2 === 0 ? app : other)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ code }) => code === 'REQUEST_REPLAYED')).toHaveLength(9);
    });

    it('an unknown key, and one whose row is not as the signer certified it', async () => {
      const by = await program();
      expect(await ask(by, {}, { keyId: newId() })).toMatchObject({
        status: 401,
        code: 'PERSONAL_KEY_UNKNOWN',
      });
      expect(forged).toEqual([]);
      const { key, privateKey } = await program();
      // As a writer of the database would give a key more rights, another host or a longer life.
      for (const change of [
        { terms: { ...TERMS, rights: ['read', 'trade'] as const } },
        { host: 'evil.example' },
        { until: START + 2 * DAY },
        { walletId: newId() },
        { lockEpoch: 1 },
        { certificate: null },
      ]) {
        const row = { ...key, id: newId(), ...change };
        const stored = fakeDatabase();
        const { user, wallet } = await storedPerson(stored);
        await stored.personalKeys.insert(PASSED, { ...row, userId: user.id, walletId: wallet.id });
        const { app: theirs } = buildSite(PRO, {
          programDesk: createProgramDesk({
            db: stored,
            clock: { now: () => now },
            signatureChecks: createSignatureChecks(),
            isCertified: personalKeyCheck(TEST_CERTIFIER.publicKey),
            endOrder: async () => Promise.reject(new AppError('ORDER_NOT_FOUND', {})),
            makeTrade: async () => Promise.reject(new AppError('INTENT_NOT_FOUND', {})),
            placeOrder: async () => Promise.reject(new AppError('ORDER_NOT_FOUND', {})),
            log: { error: (_fields, message) => void forged.push(message) },
          }),
        });
        expect(await ask({ key: row, privateKey, seed: '' }, {}, {}, theirs)).toMatchObject({
          code: 'PERSONAL_KEY_UNKNOWN',
        });
      }
      expect(forged).toHaveLength(6);
    });

    it('a signature of another key under this id', async () => {
      const [one, two] = [await program(), await program()];
      expect(await ask(two, {}, { keyId: one.key.id })).toMatchObject({ code: 'REQUEST_SIGNATURE_INVALID' });
    });

    it('a key that was ended, whose time is over, or from before a lock', async () => {
      const ended = await program();
      await db.personalKeys.end(PASSED, ended.key, now);
      expect(await ask(ended)).toMatchObject({ status: 403, code: 'PERSONAL_KEY_ENDED' });
      const over = await program({ until: START });
      expect(await ask(over)).toMatchObject({ status: 403, code: 'PERSONAL_KEY_ENDED' });
      const locked = await program();
      expect(await ask(locked)).toMatchObject({ status: 200 });
      const guard = await db.guards.find(of.userId);
      await db.guards.save({ ...guard, lockEpoch: guard.lockEpoch + 1 }, PASSED);
      expect(await ask(locked)).toMatchObject({ status: 403, code: 'PERSONAL_KEY_ENDED' });
    });

    it('another address than those of its list, however it is written', async () => {
      const by = await program({ until: START + DAY, terms: { ...TERMS, ips: ['203.0.113.7'] } });
      expect(await ask(by, { from: '203.0.113.8' })).toMatchObject({
        status: 403,
        code: 'PERSONAL_KEY_ADDRESS',
      });
      expect(await ask(by, { from: '::ffff:203.0.113.7' })).toMatchObject({ status: 200 });
      expect(await ask(by)).toMatchObject({ status: 200 });
    });

    it('a key without the right', async () => {
      const by = await program({ until: START + DAY, terms: { ...TERMS, rights: ['trade', 'orders'] } });
      expect(await ask(by)).toMatchObject({ status: 403, code: 'PERSONAL_KEY_RIGHT' });
    });

    it('says nothing of a key to somebody who cannot sign with it', async () => {
      const ended = await program();
      await db.personalKeys.end(PASSED, ended.key, now);
      const thief = await program();
      expect(await ask(thief, {}, { keyId: ended.key.id })).toMatchObject({
        code: 'REQUEST_SIGNATURE_INVALID',
      });
    });

    it.each<readonly [string, Partial<Signing>]>([
      ['without the query', { components: '"@method" "@authority" "@path" "content-digest"' }],
      ['with a part twice', { components: '"@method" "@authority" "@path" "@path" "content-digest"' }],
      ['over the whole address', { components: '"@method" "@target-uri" "@path" "@query" "content-digest"' }],
      ['by another algorithm', { more: ';alg="hmac-sha256"' }],
      ['with a parameter twice', { more: ';created=1' }],
      ['with a parameter that is not known', { more: ';tag="x"' }],
      ['with a nonce of seven letters', { nonce: '1234567' }],
      ['with a nonce of 65 letters', { nonce: 'n'.repeat(65) }],
      ['without an id', { keyId: '' }],
    ])('a signature %s', async (_, change) => {
      const answer = await ask(await program(), {}, change);
      expect([answer.status, answer.code]).toEqual([401, 'REQUEST_SIGNATURE_INVALID']);
    });

    it('two signatures, another label and another spelling of the same bytes', async () => {
      const headers = signedHeaders(await program(), now, {});
      const { signature = '', 'signature-input': input = '' } = headers;
      for (const change of [
        { 'signature-input': `${input}, ${input.replace('sig=', 'other=')}` },
        { signature: signature.replace('sig=', 'other=') },
        { signature: signature.replace('==:', ':') },
        { signature: 'sig=::' },
        { 'signature-input': `sig=${'x'.repeat(2_000)}` },
        { 'signature-input': input.replaceAll(' ', '  ') },
      ])
        expect(await send({ ...headers, ...change })).toMatchObject({
          status: 401,
          code: 'REQUEST_SIGNATURE_INVALID',
        });
      expect(await send(headers)).toMatchObject({ status: 200 });
    });

    it('more than twenty requests at once of one address, before their signatures are looked at', async () => {
      const answers = [];
      for (let n = 0; n < 21; n += 1) answers.push(await send({}));
      expect(answers.map(({ code }) => code)).toEqual([
        ...Array.from({ length: 20 }, () => 'REQUEST_SIGNATURE_MISSING'),
        'RATE_LIMITED',
      ]);
    });

    it('uses no nonce up for a request that it refuses', async () => {
      const by = await program({ until: START + DAY, terms: { ...TERMS, ips: ['203.0.113.7'] } });
      const headers = signedHeaders(by, now, {});
      expect(await send(headers, { from: '203.0.113.8' })).toMatchObject({ code: 'PERSONAL_KEY_ADDRESS' });
      expect(await send(headers)).toMatchObject({ status: 200 });
    });
  });

  it('takes the parts of a signature in any order', async () => {
    const components = '"content-digest" "@query" "@path" "@authority" "@method"';
    expect(await ask(await program(), {}, { components, more: ';alg="ed25519"' })).toMatchObject({
      status: 200,
    });
  });

  describe('shows of the wallet of the key, and of no other,', () => {
    async function otherWallet(): Promise<string> {
      const wallet = walletRow({ userId: of.userId });
      await db.wallets.insert(PASSED, wallet, secretRow(wallet));
      return wallet.id;
    }
    const bought = (walletId: string, mint = newAddress()) => ({
      walletId,
      mint,
      signature: newId(),
      slot: 5n,
      at: START,
      final: true,
      intentId: null,
      networkFeeLamports: 5_000n,
      platformFeeLamports: 0n,
      rentLamports: 0n,
      kind: 'buy' as const,
      units: 700n,
      flowLamports: -90_000n,
    });

    it('positions that no process has folded yet, and writes nothing', async () => {
      const event = bought(of.walletId);
      await db.positions.record([event, bought(await otherWallet())]);
      const { data } = await ask(await program());
      expect(data).toEqual([
        { mint: event.mint, units: '700', costLamports: '90000', realizedLamports: '0', notFinal: 0 },
      ]);
      const rows = await db.positions.list([of.walletId]);
      expect(rows).toMatchObject([{ mint: event.mint, stale: true }]);
    });

    it('trades, filtered before they are counted, page by page', async () => {
      const wallet = await db.wallets.find(of.walletId);
      const other = await db.wallets.find(await otherWallet());
      if (wallet === null || other === null) throw new Error('no wallet');
      const mine: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        const own = intentRow(wallet, { id: newId(), idemKey: newId(), kind: 'buy', params: PARAMS.buy });
        await db.intents.insert(own);
        mine.unshift(own.id);
        for (let m = 0; m < 3; m += 1)
          await db.intents.insert(
            intentRow(other, { id: newId(), idemKey: newId(), kind: 'sell', params: PARAMS.sell }),
          );
        await db.intents.insert(intentRow(wallet, { id: newId(), idemKey: newId() }));
      }
      const by = await program();
      const seen: string[] = [];
      let cursor = '';
      for (let page = 0; page < 3; page += 1) {
        const { data } = await ask(by, { url: `/desk/trades?limit=2${cursor}` });
        const { trades, next } = data as { trades: { id: string; mint: string }[]; next: string | null };
        seen.push(...trades.map(({ id }) => id));
        expect(trades).toHaveLength(page === 2 ? 1 : 2);
        expect(next === null).toBe(page === 2);
        cursor = `&cursor=${next ?? ''}`;
      }
      expect(seen).toEqual(mine);
      expect(await ask(by, { url: '/desk/trades?cursor=nonsense' })).toMatchObject({
        code: 'CURSOR_INVALID',
      });
      expect(await ask(by, { url: '/desk/trades?limit=101' })).toMatchObject({ code: 'LIMIT_INVALID' });
    });

    it('open orders', async () => {
      const mint = newAddress();
      const placed = (walletId: string) => {
        const group = { id: newId(), userId: of.userId, walletId, mint };
        return db.orders.insert(PASSED, {
          ...group,
          placeKey: newId(),
          parentIntentId: null,
          createdAt: START,
          kind: 'SINGLE',
          units: null,
          sold: 0n,
          orders: [orderRow(group)],
          liveFires: [],
        });
      };
      const own = await placed(of.walletId);
      await placed(await otherWallet());
      const { data } = await ask(await program(), { url: '/desk/orders' });
      expect(data).toMatchObject([{ id: own?.orders[0]?.id, mint, side: 'sell', filled: '0' }]);
      expect(data).toHaveLength(1);
    });
  });
});

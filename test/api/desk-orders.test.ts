import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors/app-error.ts';
import type { Order } from '../../src/modules/orders/rules/order.ts';
import { decodeKeyNotice } from '../../src/modules/personal-keys/rules/key-notice.ts';
import type { KeyTerms } from '../../src/modules/personal-keys/rules/personal-key.ts';
import { endOrder } from '../../src/modules/personal-keys/use/end-order.ts';
import { createProgramDesk } from '../../src/modules/personal-keys/use/program-desk.ts';
import { personalKeyCheck } from '../../src/platform/certificate-check.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { orderRow } from '../conformance/order-stores.ts';
import { newAddress, newId, secretRow, storedPerson, walletRow } from '../conformance/store-rows.ts';
import { virtualDeps, virtualWorld } from '../engine/transactions/virtual-world.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER } from '../support/signer.ts';
import { buildSite } from './build-site.ts';
import { addedProgram, type Program, signedHeaders } from './program.ts';

const NOW = 1_700_000_000_000;
const TERMS: KeyTerms = {
  rights: ['orders'],
  orderLamports: 1n,
  dayLamports: 1n,
  tokens: null,
  ips: null,
};
type Answer = { readonly data?: unknown; readonly error?: { readonly code: string } };

describe('a program that ends an order', () => {
  let db: Database;
  let of: { readonly userId: string; readonly walletId: string };
  let app: ReturnType<typeof buildSite>['app'];
  beforeEach(async () => {
    db = fakeDatabase();
    const { user, wallet } = await storedPerson(db);
    of = { userId: user.id, walletId: wallet.id };
    const quiet = () => undefined;
    const changing = { ...virtualDeps(virtualWorld(), db), ordersChanged: quiet, nudge: quiet };
    ({ app } = buildSite(
      { kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() },
      {
        programDesk: createProgramDesk({
          db,
          clock: { now: () => NOW },
          signatureChecks: createSignatureChecks(),
          isCertified: personalKeyCheck(TEST_CERTIFIER.publicKey),
          endOrder: (key, orderId) => endOrder(changing, key, orderId),
          makeTrade: async () => Promise.reject(new AppError('INTENT_NOT_FOUND', {})),
          placeOrder: async () => Promise.reject(new AppError('ORDER_NOT_FOUND', {})),
          log: { error: quiet },
        }),
      },
    ));
  });

  const program = (terms: Partial<KeyTerms> = {}): Promise<Program> =>
    addedProgram(db, of, { until: NOW + 1_000_000, terms: { ...TERMS, ...terms } });

  async function placed(owner = of, mint = newAddress()): Promise<Order> {
    const group = { id: newId(), ...owner, mint };
    const inserted = await db.orders.insert(PASSED, {
      ...group,
      placeKey: newId(),
      parentIntentId: null,
      createdAt: NOW,
      kind: 'SINGLE',
      units: null,
      sold: 0n,
      orders: [orderRow(group)],
      liveFires: [],
    });
    const [order] = inserted?.orders ?? [];
    if (order === undefined) throw new Error('not placed');
    return order;
  }

  async function end(by: Program, orderId: string, method: 'DELETE' | 'GET' = 'DELETE') {
    const url = `/desk/orders/${orderId}`;
    const headers = signedHeaders(by, NOW, { method, url });
    const answer = await app.inject({ method: 'DELETE', url, headers });
    const { data, error } = answer.json<Answer>();
    return { status: answer.statusCode, data, code: error?.code };
  }
  const statusOf = async ({ id }: Order) =>
    (await db.orders.find(id))?.orders.find((order) => order.id === id)?.status;
  const notices = async () => {
    const ids = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 10);
    const rows = await Promise.all(ids.map((id) => db.notices.find(id)));
    return rows.flatMap((row) => (row?.kind === 'personal-key' ? [row] : []));
  };

  it('ends it, owes its person one message, and answers the same when it is asked again', async () => {
    const by = await program();
    const order = await placed();
    const ended = { status: 200, data: { id: order.id, status: 'CANCELLED', sent: false }, code: undefined };
    expect(await end(by, order.id)).toEqual(ended);
    expect(await end(by, order.id)).toEqual(ended);
    expect(await statusOf(order)).toBe('CANCELLED');
    expect((await notices()).map(({ userId, payload }) => [userId, decodeKeyNotice(payload)])).toEqual([
      [
        of.userId,
        { keyId: by.key.id, event: 'order-ended', trades: 0, orders: 1, lamports: 0n, mint: order.mint },
      ],
    ]);
  });

  it('ends none of another wallet, of another person, and none that is not there', async () => {
    const by = await program();
    const second = walletRow({ userId: of.userId });
    await db.wallets.insert(PASSED, second, secretRow(second));
    const stranger = await storedPerson(db);
    const theirs = [
      await placed({ userId: of.userId, walletId: second.id }),
      await placed({ userId: stranger.user.id, walletId: stranger.wallet.id }),
    ];
    for (const order of theirs) {
      expect(await end(by, order.id)).toMatchObject({ status: 404, code: 'ORDER_UNKNOWN' });
      expect(await statusOf(order)).toBe('OPEN');
    }
    expect(await end(by, newId())).toMatchObject({ status: 404, code: 'ORDER_UNKNOWN' });
    expect(await notices()).toEqual([]);
  });

  it('ends none of a token outside of its list', async () => {
    const mint = newAddress();
    const by = await program({ tokens: [mint] });
    const [inside, outside] = [await placed(of, mint), await placed()];
    expect(await end(by, outside.id)).toMatchObject({ status: 403, code: 'PERSONAL_KEY_TOKEN' });
    expect(await statusOf(outside)).toBe('OPEN');
    expect(await end(by, inside.id)).toMatchObject({ status: 200 });
  });

  it('ends none without the right, nor with a signature of another method', async () => {
    const order = await placed();
    expect(await end(await program({ rights: ['read', 'trade'] }), order.id)).toMatchObject({
      status: 403,
      code: 'PERSONAL_KEY_RIGHT',
    });
    expect(await end(await program(), order.id, 'GET')).toMatchObject({
      status: 401,
      code: 'REQUEST_SIGNATURE_INVALID',
    });
    expect(await statusOf(order)).toBe('OPEN');
  });
});

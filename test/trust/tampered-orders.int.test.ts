import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import { createOrderStops } from '../../src/engine/signing/use/order-stops.ts';
import type { SigningJournal } from '../../src/engine/signing/use/signing-journal.ts';
import { auditCertificates } from '../../src/modules/operations/use/audit-certificates.ts';
import { fireKey } from '../../src/modules/orders/rules/machine.ts';
import type { Order } from '../../src/modules/orders/rules/order.ts';
import { newGroup } from '../../src/modules/orders/use/draft.ts';
import { startUser } from '../../src/modules/settings/use/start-user.ts';
import { openDepositWallet } from '../../src/modules/wallets/use/open-deposit-wallet.ts';
import { createCertificateCheck } from '../../src/platform/certificate-check.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { ChainWitness } from '../../src/platform/ports/chain-witness.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import { newAddress, newId } from '../conformance/store-rows.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { emptyWitness, testSigning } from '../support/fakes/signing.ts';
import { STOP } from '../support/order-acts.ts';
import { HOUR, PURCHASE, SOL } from '../support/order-place.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER, testSigner } from '../support/signer.ts';
import { columnsOf } from './columns.ts';

type Person = { readonly userId: string; readonly walletId: string };

const STRANGER = createCertifier(new Uint8Array(32).fill(12));
const TOKEN = newAddress();
const clock = fakeClock();
const ids = fakeIds(9);
let db: PrismaDatabase;
let vault: Vault;
let signing: SigningJournal;
let stops: { readonly beat: () => Promise<void> };
/** How every signature that is asked for ended. */
let chain: 'landed' | 'failed' | 'unknown' = 'landed';
let telegramIds = 5_000n;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  const certificates = createCertificateCheck(() => undefined);
  certificates.begin(TEST_CERTIFIER.publicKey);
  db = await createPrismaDatabase({ url: await createTestDatabase(), certificates });
  const { signing: own, tries, deps } = testSigning({ db, clock }, { witness: witnessOf(() => chain) });
  signing = own;
  vault = testSigner({ db, clock }, { signing, tries });
  certificates.beginGuards(vault, signing.guards);
  stops = createOrderStops({ ...deps, certifier: TEST_CERTIFIER, write: (entry) => signing.write(entry) });
});
afterAll(() => db.close());
beforeEach(async () => {
  [ann, bob] = [await comes(), await comes()];
});

async function comes(): Promise<Person> {
  telegramIds += 1n;
  const deps = { db, clock, ids, vault, maxWallets: 5 };
  const arrival = { telegramId: telegramIds, firstName: 'A', language: 'en', inviteCode: null };
  const { user } = await startUser(deps, arrival);
  const { wallet } = await openDepositWallet(deps, { userId: user.id, expectedCount: 0 });
  return { userId: user.id, walletId: wallet.id };
}

/** As a superuser of the database, whom neither a trigger nor a foreign key stops. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await db.transact(async (_, query) => {
    await query('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await query(statement, []);
  });
}

async function places({ userId, walletId }: Person, side: 'buy' | 'sell' = 'buy'): Promise<Order> {
  const one = side === 'buy' ? PURCHASE : { ...STOP, amount: { kind: 'share', bps: 5_000 } as const };
  const group = newGroup(
    {
      userId,
      walletId,
      mint: TOKEN,
      placeKey: newId(),
      kind: 'SINGLE',
      units: one.amount.kind === 'fixed' ? one.amount.units : null,
      drafts: [one],
      expiresAt: clock.now() + 24 * HOUR,
      slippageBps: 500,
      tier: 'normal',
      accepted: [],
      supply: null,
      parentIntentId: null,
    },
    { id: newId, now: clock.now(), depthLamports: null },
  );
  const withGrants = group.orders.map((order) => ({ ...order, terms: { ...order.terms, grants: null } }));
  const certificates = await vault.certifyOrders({ userId, orders: withGrants });
  const orders = withGrants.map((order, at) => ({ ...order, certificate: certificates[at] ?? null }));
  const stored = await db.orders.insert(PASSED, { ...group, orders });
  const [order] = stored?.orders ?? [];
  if (order === undefined) throw new Error('placed');
  return order;
}

/** The fire as an honest worker asks for it of the row that it reads; at a price that is better than any. */
async function fire(orderId: string, nth?: number): Promise<string> {
  const order = (await db.orders.find(orderId))?.orders.find(({ id }) => id === orderId);
  if (order === undefined) throw new Error('no such order');
  const { id, userId, walletId, side, mint, fires, amount } = order;
  const n = nth ?? fires + 1;
  const units = amount.kind === 'fixed' ? amount.units : 1_000n;
  const terms = {
    amountIn: units,
    quotedOut: 10n ** 18n,
    minOut: 10n ** 18n,
    platformFeeLamports: 0n,
    priceImpactBps: 0,
    slippageBps: order.terms.slippageBps,
    route: [],
  };
  const common = { mint, terms, tier: order.terms.tier, order: { id, n } };
  const params =
    side === 'buy'
      ? ({ kind: 'buy', lamportsIn: units, ...common } as const)
      : ({ kind: 'sell', amountIn: units, ...common } as const);
  return vault.confirmFire({ id: newId(), idemKey: fireKey(id, n), userId, walletId, params });
}

const rows = () => createCertificateRows(db.query);
const named = async (): Promise<readonly string[]> =>
  (await auditCertificates({ rows: rows(), certifier: TEST_CERTIFIER })).mismatches.map(
    ({ rule, subject }) => `${rule} ${subject}`,
  );
const FORGED = expect.objectContaining({ code: 'ROW_FORGED' });

/** Each sealed column with another value that this order could have had. */
const OTHER: Readonly<Record<string, () => string>> = {
  id: () => `'${newId()}'`,
  user_id: () => `'${bob.userId}'`,
  wallet_id: () => `'${bob.walletId}'`,
  mint: () => `'${newAddress()}'`,
  side: () => `CASE side WHEN 'buy' THEN 'sell' ELSE 'buy' END`,
  type: () => `CASE type WHEN 'LIMIT' THEN 'STOP_BUY' ELSE 'TAKE_PROFIT' END`,
  amount: () => 'coalesce(amount, 1) + 1',
  share_bps: () => `CASE WHEN amount IS NULL THEN share_bps + 1 END`,
  unit: () => `'USD'`,
  trigger_got: () => 'trigger_got - 1',
  trigger_given: () => 'trigger_given + 1',
  hold_slots: () => 'hold_slots + 5',
  partial: () => 'NOT partial',
  expires_at: () => `expires_at + interval '1 day'`,
};
/** Each term with another value. */
const OTHER_TERM: Readonly<Record<string, string>> = {
  request: '"other"',
  toleranceBps: '4000',
  slippageBps: '9000',
  tier: '"fast"',
  floor: '{"got": {"$bigint": "0"}, "given": {"$bigint": "1"}}',
  trailing: '{"bps": 500, "activation": null}',
  schedule: '{"startAt": 1, "intervalMs": 60000, "rounds": 3, "band": {"least": null, "most": null}}',
  sellsOnExpiry: 'true',
  accepted: '["OTHER"]',
  supply: '{"$bigint": "7"}',
  depthLamports: '{"$bigint": "7"}',
  agreedAt: '1900000000000',
  grants: '{"steep": true, "doubts": [], "lockEpoch": 0, "until": 9999999999999}',
};

describe('rows of orders', () => {
  it.each(['buy', 'sell'] as const)(
    'of a %s fire as they were placed, and no audit names them',
    async (side) => {
      const { id } = await places(ann, side);
      await tamper(
        `UPDATE orders SET number = number + 7, burnt_lamports = 3, seq = seq + 9, progress = progress || '{"refusals": 4}' WHERE id = '${id}'`,
      );
      expect(await fire(id)).toMatch(/^[\w-]{43}$/);
      expect((await named()).filter((line) => line.includes(id))).toEqual([]);
    },
  );

  const sealed = columnsOf('orders', 'sealed').filter(
    (column) => column !== 'certificate' && column !== 'terms',
  );
  const cases = (['buy', 'sell'] as const).flatMap((side) => sealed.map((column) => [side, column] as const));

  it.each(cases)(
    'of a %s: a changed %s fires nothing, is named, and no edit makes it right',
    async (side, column) => {
      const { id } = await places(ann, side);
      const other = OTHER[column]?.() ?? '';
      const isOf = column === 'share_bps' && side === 'buy' ? `amount = NULL, share_bps = 5000` : null;
      const isUnits = column === 'amount' && side === 'sell' ? `, share_bps = NULL` : '';
      await tamper(`UPDATE orders SET ${isOf ?? `${column} = ${other}${isUnits}`} WHERE id = '${id}'`);
      const now = column === 'id' ? other.slice(1, -1) : id;
      await expect(fire(now)).rejects.toEqual(FORGED);
      expect(await named()).toContain(`forged-row orders ${now}`);
      const row = (await db.orders.find(now))?.orders.find((one) => one.id === now);
      if (row === undefined) throw new Error('it is there');
      const edited = { userId: row.userId, orders: [{ ...row, expiresAt: row.expiresAt - 1 }] };
      await expect(vault.certifyOrders(edited)).rejects.toMatchObject({
        code: expect.stringMatching(/ROW_FORGED|POLICY_DENIED/),
      });
    },
  );

  it('have each term known to this test', async () => {
    const order = await places(ann);
    expect(Object.keys({ ...order.terms, agreedAt: 0 }).toSorted()).toEqual(
      Object.keys(OTHER_TERM).toSorted(),
    );
  });

  it.each(Object.entries(OTHER_TERM))('fire nothing with another %s', async (term, value) => {
    for (const side of ['buy', 'sell'] as const) {
      const { id } = await places(ann, side);
      await tamper(
        `UPDATE orders SET terms = jsonb_set(terms, '{${term}}', '${value}'::jsonb) WHERE id = '${id}'`,
      );
      await expect(fire(id), side).rejects.toEqual(FORGED);
      expect(await named()).toContain(`forged-row orders ${id}`);
    }
  });

  it('fire nothing without a certificate, with that of another key or of another order', async () => {
    const [hers, his] = [await places(ann), await places(bob)];
    for (const certificate of ['NULL', `''`, `'${STRANGER.order(hers)}'`, `'${his.certificate}'`]) {
      await tamper(`UPDATE orders SET certificate = ${certificate} WHERE id = '${hers.id}'`);
      await expect(fire(hers.id), certificate).rejects.toEqual(FORGED);
      expect(await named()).toContain(`forged-row orders ${hers.id}`);
    }
    await tamper(`UPDATE orders SET certificate = '${hers.certificate}' WHERE id = '${hers.id}'`);
    expect(await fire(hers.id)).toMatch(/^[\w-]{43}$/);
  });

  it.each(['NULL', 'certificate'])(
    'that somebody slipped in, a copy with the certificate %s, fire nothing and are named',
    async (certificate) => {
      const [hers, his] = [await places(ann), await places(bob)];
      const slipped = newId();
      await tamper(
        `CREATE TEMP TABLE copied ON COMMIT DROP AS SELECT * FROM orders WHERE id = '${his.id}'`,
        `UPDATE copied SET id = '${slipped}', number = 99, user_id = '${ann.userId}', wallet_id = '${ann.walletId}',
           group_id = '${hers.groupId}', amount = 5 * amount, certificate = ${certificate}`,
        `INSERT INTO orders SELECT * FROM copied`,
      );
      await expect(fire(slipped)).rejects.toEqual(FORGED);
      expect(await named()).toContain(`forged-row orders ${slipped}`);
      expect(await fire(hers.id)).toMatch(/^[\w-]{43}$/);
    },
  );

  it('fire no more than was agreed, whatever the sums beside them say', async () => {
    const { id, groupId } = await places(ann);
    const firedAt = new Date(clock.now()).toISOString();
    await tamper(
      `INSERT INTO order_fires (order_id, n, group_id, intent_id, units, slot, quoted, fired_at)
       VALUES ('${id}', 1, '${groupId}', '${newId()}', ${SOL}, 1, 1, '${firedAt}')`,
      `UPDATE orders SET filled = -${SOL}, fires = 1 WHERE id = '${id}'`,
      `UPDATE order_groups SET units = 100 * units, sold = 0, kind = 'OCO' WHERE id = '${groupId}'`,
    );
    const DENIED = { code: 'POLICY_DENIED', details: { rule: 'order-units' } };
    await expect(fire(id)).rejects.toMatchObject(DENIED);
    // A smaller count hides no fire, and begins none anew.
    await tamper(
      `INSERT INTO order_fires (order_id, n, group_id, intent_id, units, slot, quoted, fired_at, ended_at, result)
       VALUES ('${id}', 2, '${groupId}', '${newId()}', 1, 1, 1, '${firedAt}', '${firedAt}', 'voided')`,
      `UPDATE orders SET fires = 0 WHERE id = '${id}'`,
    );
    await expect(fire(id, 3)).rejects.toMatchObject(DENIED);
    await expect(fire(id)).rejects.toMatchObject({ code: 'ORDER_NOT_CHANGEABLE' });
  });

  it('fire for no other person and from no other wallet, whatever the worker asks for', async () => {
    const { id, mint } = await places(ann);
    const terms = {
      amountIn: 1n,
      quotedOut: 10n ** 18n,
      minOut: 10n ** 18n,
      platformFeeLamports: 0n,
      priceImpactBps: 0,
      slippageBps: 0,
      route: [],
    };
    const params = { kind: 'buy', lamportsIn: 1n, mint, terms, tier: 'normal', order: { id, n: 1 } } as const;
    const asked = { id: newId(), idemKey: fireKey(id, 1), ...ann, params } as never as Parameters<
      Vault['confirmFire']
    >[0];
    expect(await vault.confirmFire(asked)).toMatch(/^[\w-]{43}$/);
    for (const wrong of [{ userId: bob.userId }, { walletId: bob.walletId }, { idemKey: fireKey(id, 2) }])
      await expect(vault.confirmFire({ ...asked, ...wrong })).rejects.toMatchObject({
        code: 'POLICY_DENIED',
      });
    // The way of what a person confirms is closed to it.
    await expect(vault.confirm(asked, null)).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      details: { rule: 'order-fire' },
    });
  });
});

/** Two endpoints that say the same of every signature. */
function witnessOf(word: () => typeof chain): ChainWitness {
  return {
    ...emptyWitness(),
    probe: async (_signature, round) => ({
      endpoint: `node-${round % 2}`,
      endpoints: 2,
      // Far below every height at which a signature dies.
      finalizedHeight: 1n,
      finalizedSlot: 1n,
      status:
        word() === 'unknown'
          ? null
          : { level: 'finalized', slot: 1n, err: word() === 'failed' ? '{"InstructionError":[0,{}]}' : null },
      statusSlot: 2n,
      firstAvailableBlock: 0n,
      goneAt: null,
    }),
  };
}

/** The fire is confirmed, and its transaction signed; its rows are as a writer of the database likes them. */
async function fires(order: Order, n: number, units = SOL, intentId = newId()): Promise<string> {
  await signing.sign({
    intent: { id: intentId, kind: 'buy', walletId: order.walletId },
    stored: new Set(),
    message: Uint8Array.from([n, ...Buffer.from(intentId)]),
    attempt: null,
    fire: { order, n, units },
    sign: async () =>
      Uint8Array.from({ length: 64 }, (_, at) => (at * 7 + n + intentId.charCodeAt(at % 26)) % 256),
  });
  return intentId;
}

describe('an order that the signer remembers', () => {
  beforeEach(() => {
    chain = 'landed';
  });
  const reopened = (id: string): string =>
    `UPDATE orders SET status = 'OPEN', afterwards = NULL, fires = 0, filled = 0, reason = NULL WHERE id = '${id}'`;

  it('fires nothing again, when its fires are gone, ended without effect, or another one is of its number', async () => {
    const order = await places(ann);
    expect(await fire(order.id)).toMatch(/^[\w-]{43}$/);
    await fires(order, 1);
    await tamper(`DELETE FROM order_fires WHERE order_id = '${order.id}'`, reopened(order.id));
    await expect(fire(order.id)).rejects.toEqual(FORGED);
    await expect(fire(order.id, 1)).rejects.toEqual(FORGED);
    // Nor is a second one signed, even with a confirmation from before.
    await expect(fires(order, 1, 1n)).rejects.toEqual(FORGED);
    await expect(fires(order, 2, 1n)).rejects.toEqual(FORGED);
  });

  it('waits while the end of a fire is not known, and fires again after one that had no effect', async () => {
    const order = await places(ann);
    await fires(order, 1);
    chain = 'unknown';
    await expect(fire(order.id)).rejects.toMatchObject({ code: 'ATTEMPT_UNDECIDED' });
    chain = 'failed';
    expect(await fire(order.id)).toMatch(/^[\w-]{43}$/);
    expect(signing.orderNote(order.id).fires).toEqual([]);
    await fires(order, 1);
    chain = 'landed';
    await expect(fire(order.id)).rejects.toEqual(FORGED);
  });

  it('signs the same fire of one intent as often as its attempts need', async () => {
    const order = await places(ann);
    const intentId = await fires(order, 1);
    chain = 'failed';
    await fires(order, 1, SOL, intentId);
    expect(signing.orderNote(order.id).fires).toEqual([{ n: 1, intentId, units: SOL }]);
  });

  it.each(['CANCELLED', 'PAUSED', 'EXPIRED', 'FILLED'])(
    'that was %s does not fire when its row says open again',
    async (status) => {
      const order = await places(ann);
      await tamper(
        `UPDATE orders SET status = '${status}', seq = ${await seqNow()} WHERE id = '${order.id}'`,
      );
      await stops.beat();
      await tamper(reopened(order.id));
      await expect(fire(order.id)).rejects.toEqual(FORGED);
    },
  );

  it('that ends with its fire does not fire when that is forgotten', async () => {
    const order = await places(ann);
    await tamper(
      `UPDATE orders SET status = 'TRIGGERED', afterwards = 'CANCELLED:person', seq = ${await seqNow()} WHERE id = '${order.id}'`,
    );
    await stops.beat();
    await tamper(reopened(order.id));
    await expect(fire(order.id)).rejects.toEqual(FORGED);
  });

  it('fires as it was edited, and no older copy of its row with its certificate', async () => {
    const order = await places(ann);
    const edited = {
      ...order,
      amount: { kind: 'fixed', units: SOL / 2n },
      terms: { ...order.terms, agreedAt: 5 },
    } as const;
    const [certificate] = await vault.certifyOrders({ userId: ann.userId, orders: [edited] });
    await tamper(
      `CREATE TABLE kept AS SELECT * FROM orders WHERE id = '${order.id}'`,
      `UPDATE orders SET amount = ${SOL / 2n}, terms = jsonb_set(terms, '{agreedAt}', '5'), certificate = '${certificate}',
         seq = ${await seqNow()} WHERE id = '${order.id}'`,
    );
    await stops.beat();
    expect(await fire(order.id)).toMatch(/^[\w-]{43}$/);
    await tamper(
      `DELETE FROM orders WHERE id = '${order.id}'`,
      'INSERT INTO orders SELECT * FROM kept',
      'DROP TABLE kept',
    );
    await expect(fire(order.id)).rejects.toEqual(FORGED);
  });

  it('is stopped by no row that another one wrote, and by none while the database is behind', async () => {
    const order = await places(ann);
    await tamper(
      `UPDATE orders SET status = 'CANCELLED', amount = amount + 1, seq = ${await seqNow()} WHERE id = '${order.id}'`,
    );
    await stops.beat();
    expect(signing.orderNote(order.id).stoppedAt).toBe(-1);
  });

  async function seqNow(): Promise<string> {
    const [row] = await db.query<{ readonly us: string }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text AS us',
      [],
    );
    return row?.us ?? '';
  }
});

import { createPerson, type LocalTelegram, type Person, startLocalTelegram } from '@tradepost/local-telegram';
import { NO_TOKEN_POWERS, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { Api } from 'grammy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Notice } from '../../../src/engine/notices/store-port.ts';
import type { Alert } from '../../../src/modules/alerts/rules/alert.ts';
import { encodeAlertEnded, encodeAlertNotice } from '../../../src/modules/alerts/rules/alert-notice.ts';
import { encodeFollowDigest, encodeFollowTrade } from '../../../src/modules/follows/rules/follow-notice.ts';
import { encodeSignal, encodeSignalDigest } from '../../../src/modules/follows/rules/signal-notice.ts';
import { NO_PROGRESS, type Order, type OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import { encodeOrderNotice } from '../../../src/modules/orders/rules/order-notice.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import type { Token } from '../../../src/modules/tokens/rules/token.ts';
import { clientOptions } from '../../../src/platform/telegram/client.ts';
import { createBotNotifier } from '../../../src/platform/telegram/notifier.ts';
import { createButtonStates } from '../../../src/platform/telegram/ui/state.ts';
import { alertRow } from '../../conformance/alert-store.ts';
import { followRow, leaderTradeRow } from '../../conformance/follow-store.ts';
import { orderRow } from '../../conformance/order-stores.ts';
import { newAddress, noticeRow, secretRow, walletRow } from '../../conformance/store-rows.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { fakeTokenData } from '../../support/fakes/token-data.ts';
import { PASSED } from '../../support/passed.ts';

let telegram: LocalTelegram;
beforeAll(async () => {
  telegram = await startLocalTelegram({});
});
afterAll(() => telegram.stop());

const [ids, clock] = [fakeIds(11), fakeClock()];
const mint = newAddress();
const PUP: Token = {
  mint,
  tokenProgram: TOKEN_PROGRAM,
  decimals: 6,
  supply: 10n ** 15n,
  symbol: 'PUP',
  name: 'Puppy',
  mintAuthority: null,
  freezeAuthority: null,
  extensions: NO_TOKEN_POWERS,
};

let nextId = 700;
let db: ReturnType<typeof fakeDatabase>;
let user: User;
let person: Person;
let notifier: ReturnType<typeof createBotNotifier>;
/** What the node says of the mint. */
let token: Token | null;

beforeEach(async () => {
  nextId += 1;
  db = fakeDatabase();
  token = PUP;
  user = await insertUser(db, ids, BigInt(nextId));
  person = await createPerson({ core: telegram.core, user: { id: nextId, first_name: 'Alice' } });
  await person.start();
  notifier = createBotNotifier({
    api: new Api(telegram.token, clientOptions(telegram.botApiUrl)),
    db,
    trade: { slippageThatPasses: async () => null },
    chain: {
      token: async () => token,
      holding: async () => {
        throw new Error('nobody asks');
      },
      latestBlockhash: () => Promise.reject(new Error('nobody asks')),
      slotMs: () => 200,
    },
    states: createButtonStates({ buttons: db.buttons, clock, ids }),
    tokens: fakeTokenData(),
    launchReads: {
      tape: { trades: async () => [], cursor: async () => null },
      markets: { ofMint: async () => [] },
      history: { signatures: async () => [] },
    },
    launch: { launchpads: [] },
    clock,
    solPrice: async () => null,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    passportUrl: () => null,
    keyReview: {} as never,
    options: { explorerUrl: 'https://example.org/{signature}' },
  });
});

async function deliver(kind: Notice['kind'], payload: unknown) {
  const notice = noticeRow(user.id, { kind, payload });
  await db.notices.add([notice]);
  const told = await db.notices.begin(notice.id);
  return told === null ? expect.fail('no notice') : notifier.deliver(told);
}

const anAlert = (more: Partial<Alert> = {}) =>
  db.alerts.insert(
    alertRow(user.id, { mint, unit: 'SOL', price: { got: 42n, given: 1_000n }, request: '+10%', ...more }),
  );

async function anOrder(more: Partial<Order> = {}): Promise<Order> {
  const wallet = walletRow({ userId: user.id });
  await db.wallets.insert(PASSED, wallet, secretRow(wallet));
  const group: OrderGroup = {
    id: ids.ulid(),
    userId: user.id,
    walletId: wallet.id,
    mint,
    placeKey: ids.ulid(),
    parentIntentId: null,
    createdAt: clock.now(),
    kind: 'OCO',
    units: 1_000n,
    sold: 0n,
    orders: [],
    liveFires: [],
  };
  const placed = await db.orders.insert(PASSED, { ...group, orders: [orderRow(group, more)] });
  return placed?.orders[0] ?? expect.fail('no order');
}

const buttons = async () =>
  (await person.lastMessage())?.reply_markup?.inline_keyboard.flat().map((button) => button.text);

describe('a price alert whose time is over', () => {
  it('is told with what it waited for, and can be set again', async () => {
    const { id } = await anAlert({ status: 'EXPIRED' });
    expect(await deliver('alert-ended', encodeAlertEnded(id))).toEqual({ kind: 'delivered' });
    expect((await person.lastMessage())?.text).toBe(
      '🔕 30 days are over: I no longer watch PUP for 0.000042 SOL (+10%).',
    );
    expect(await buttons()).toEqual(['Tell me again', 'Alerts']);
  });

  it('is not told when it was set again meanwhile', async () => {
    const { id } = await anAlert({ status: 'OPEN' });
    expect(await deliver('alert-ended', encodeAlertEnded(id))).toEqual({ kind: 'delivered' });
    expect(await person.lastMessage()).toBeUndefined();
  });
});

describe('a node that does not know the mint for a moment', () => {
  const later = { kind: 'retry', afterMs: expect.any(Number) };

  it('delays an alert and does not swallow it', async () => {
    const { id: alertId } = await anAlert({ status: 'TOLD', told: 1 });
    const payload = encodeAlertNotice({ alertId, n: 1, seen: { got: 43n, given: 1_000n } });
    token = null;
    expect(await deliver('alert', payload)).toEqual(later);
    token = PUP;
    expect(await deliver('alert', payload)).toEqual({ kind: 'delivered' });
    expect((await person.lastMessage())?.text).toMatch(/PUP rose to 0.000043 SOL/);
  });

  it('delays what is told of an order', async () => {
    const order = await anOrder({ status: 'PAUSED', reason: 'budget' });
    const payload = encodeOrderNotice({ orderId: order.id, event: 'paused', code: 'budget', n: 3 });
    token = null;
    expect(await deliver('order', payload)).toEqual(later);
    token = PUP;
    expect(await deliver('order', payload)).toEqual({ kind: 'delivered' });
    expect((await person.lastMessage())?.text).toMatch(/PUP/);
  });
});

describe('that an order ends within a day', () => {
  const DAY_MS = 86_400_000;
  const tell = (order: Order, event: 'ending' | 'expired') =>
    deliver('order', encodeOrderNotice({ orderId: order.id, event, code: null, n: 0 }));

  it('is not told any more when it has ended meanwhile', async () => {
    const order = await anOrder({ status: 'EXPIRED', expiresAt: clock.now() - 1 });
    expect(await tell(order, 'ending')).toEqual({ kind: 'delivered' });
    expect(await person.lastMessage()).toBeUndefined();
  });

  it('is told while there is time left to change it', async () => {
    await tell(await anOrder({ expiresAt: clock.now() + 60_000 }), 'ending');
    expect((await person.lastMessage())?.text).toMatch(/It ends .* gives it more time/);
  });

  it.each([
    { lasted: 3 * DAY_MS, told: {}, says: true },
    { lasted: 3 * DAY_MS, told: { ending: 1 }, says: false },
    { lasted: DAY_MS, told: {}, says: false },
  ])('and was not, because the service was away, is said at its end: %o', async ({ lasted, told, says }) => {
    const order = await anOrder({
      status: 'EXPIRED',
      createdAt: clock.now() - lasted,
      expiresAt: clock.now(),
      progress: { ...NO_PROGRESS, told },
    });
    await tell(order, 'expired');
    const { text = '' } = (await person.lastMessage()) ?? {};
    expect(text).toMatch(/Its time is over/);
    expect(/No message came a day before/.test(text)).toBe(says);
  });
});

describe('a trade of a followed wallet', () => {
  const trade = {
    signature: 'sig',
    mint,
    side: 'buy' as const,
    at: Date.UTC(2026, 10, 27, 14, 2),
    units: 98_226_000_000n,
    paid: { mint: WSOL_MINT, units: 1_000_000_000n },
  };
  const follow = async () => {
    const row = followRow(user.id, { label: 'whale1' });
    await db.follows.insert(row);
    return row;
  };

  it('is told with its amounts, and what a fork took back is told as not happened', async () => {
    const { id: followId } = await follow();
    expect(await deliver('follow-trade', encodeFollowTrade({ followId, trade }))).toEqual({
      kind: 'delivered',
    });
    expect((await person.lastMessage())?.text).toMatch(
      /^🟢 whale1 bought 98,226 PUP for 1 SOL\n\w{4}…\w{4} · 11-27 14:02 UTC$/,
    );
    expect(await buttons()).toEqual(['Following']);
    await deliver('follow-back', encodeFollowTrade({ followId, trade: { ...trade, paid: null } }));
    expect((await person.lastMessage())?.text).toMatch(
      /took the trade of 98,226 PUP back\. It did not happen/,
    );
    await deliver('follow-digest', encodeFollowDigest({ followId, count: 25 }));
    expect((await person.lastMessage())?.text).toMatch(/^whale1 made 25 more trades in that hour/);
  });

  it('is not told once the wallet is followed no more', async () => {
    const { id: followId } = await follow();
    await db.follows.remove(followId);
    expect(await deliver('follow-trade', encodeFollowTrade({ followId, trade }))).toEqual({
      kind: 'delivered',
    });
    expect(await deliver('follow-digest', encodeFollowDigest({ followId, count: 2 }))).toEqual({
      kind: 'delivered',
    });
    expect(await person.lastMessage()).toBeUndefined();
  });

  it('waits for a token that the node does not know for a moment', async () => {
    const { id: followId } = await follow();
    token = null;
    expect(await deliver('follow-trade', encodeFollowTrade({ followId, trade }))).toMatchObject({
      kind: 'retry',
    });
  });
});

describe('a signal of followed wallets', () => {
  const at = Date.UTC(2026, 10, 27, 14, 2);
  const leaders = [newAddress(), newAddress(), newAddress(), newAddress()];
  const payload = (many: number) =>
    encodeSignal({
      mint,
      wallets: 3,
      beganAt: at,
      until: at + 1_800_000,
      leaders: leaders.slice(0, many),
    });
  const buys = (leader: (typeof leaders)[number], n: number) =>
    leaderTradeRow({ leader, mint, at: at + n * 60_000, tradeId: BigInt(91_000_000 + n) });
  /** All four bought; three of them have a funder that is known. */
  async function bought(funders: readonly string[]) {
    for (const [n, leader] of leaders.entries()) {
      await db.follows.insert(followRow(user.id, { leader, label: `whale${n + 1}` }));
      await db.follows.record([buys(leader, n)]);
    }
    await db.follows.beginFunders();
    const known = new Map(funders.map((name) => [name, newAddress()]));
    for (const [n, name] of funders.entries()) {
      const leader = leaders[n] ?? newAddress();
      const search = { leader, funder: null, ended: null, tries: 0, retryAt: null };
      await db.follows.moveFunder(search, { ...search, funder: known.get(name) ?? null, ended: 'found' });
    }
  }
  const said = async () => (await person.lastMessage())?.text;

  it.each([
    [['a', 'a', 'b'], 3, '3 wallets, 2 funders'],
    [['a', 'a', 'a'], 3, '3 wallets, 1 funder: perhaps one owner'],
    [['a', 'b', 'c'], 4, '4 wallets, 3 funders, 1 unknown'],
    [['a', 'a'], 3, '3 wallets, 1 funder, 1 unknown'],
    [[], 3, '3 wallets, funders unknown'],
  ])('names the wallets and counts their funders: %s of %i', async (funders, many, line) => {
    await bought(funders);
    expect(await deliver('signal', payload(many))).toEqual({ kind: 'delivered' });
    expect(await said()).toBe(
      [
        `🟢 ${many} of your wallets bought PUP within 30 min`,
        `whale1, whale2, whale3${many > 3 ? ' +1' : ''}`,
        line,
        '11-27 14:02 UTC',
      ].join('\n'),
    );
    expect(await buttons()).toEqual(['Following']);
  });

  it('leads to the token’s card where the person has a wallet', async () => {
    await bought([]);
    const wallet = walletRow({ userId: user.id });
    await db.wallets.insert(PASSED, wallet, secretRow(wallet));
    await db.users.activate(PASSED, user.id, wallet.id);
    await deliver('signal', payload(3));
    expect(await buttons()).toEqual(['Card', 'Following']);
  });

  it('leaves out what a fork took back meanwhile, and is silent where too few are left', async () => {
    await bought([]);
    await db.follows.takeBack([91_000_001n]);
    await deliver('signal', payload(4));
    expect(await said()).toMatch(/^🟢 3 of your wallets[^\n]*\nwhale1, whale3, whale4\n/);
    const before = await person.lastMessage();
    await db.follows.takeBack([91_000_002n]);
    expect(await deliver('signal', payload(4))).toEqual({ kind: 'delivered' });
    expect(await person.lastMessage()).toEqual(before);
  });

  it('names a wallet that is followed no more by its address, and tells the count of an hour', async () => {
    await bought([]);
    const [first] = await db.follows.listByUser(user.id);
    await db.follows.remove(first?.id ?? '');
    await deliver('signal', payload(3));
    expect(await said()).toMatch(/\n.*\w{1,4}…/);
    await deliver('signal-digest', encodeSignalDigest({ count: 7 }));
    expect(await said()).toBe('7 more signals in that hour. After 20 I count them alone.');
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decodeDeposit } from '../../../src/modules/deposits/rules/deposit-notice.ts';
import { type AskAgreement, createAgreement } from '../../../src/modules/deposits/use/agree.ts';
import { createDepositWatch } from '../../../src/modules/deposits/use/watch-deposits.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import { createWalletFeed } from '../../../src/platform/chain/wallet-feed.ts';
import { type MoneyRig, startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { type Lie, startLyingNode } from '../../support/lying-node.ts';

const SOL = 1_000_000_000n;
const MINUTE = 60_000;
const db = fakeDatabase();
let rig: MoneyRig;
let nodes: readonly Awaited<ReturnType<typeof startLyingNode>>[];
let logged: string[];

beforeAll(async () => {
  rig = await startMoneyRig(db, 'two-nodes');
  nodes = await Promise.all([startLyingNode(rig.local.rpcUrl), startLyingNode(rig.local.rpcUrl)]);
});
afterAll(async () => {
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  await rig?.stop();
});
beforeEach(() => {
  logged = [];
  for (const node of nodes) {
    node.tell(truth);
    node.down(false);
  }
});

const truth: Lie = (_call, result) => result;
/** Says of each transaction that twice as much arrived. */
const doubled: Lie = ({ method }, result) => {
  if (method !== 'getTransaction' || result === null) return result;
  const told = result as { meta: { preBalances: number[]; postBalances: number[] } };
  const { preBalances, postBalances } = told.meta;
  const more = postBalances.map((after, at) => (after > (preBalances[at] ?? 0) ? 2 * after : after));
  return { ...told, meta: { ...told.meta, postBalances: more } };
};
/** Knows of no transaction. */
const denied: Lie = ({ method }, result) => {
  if (method === 'getTransaction') return null;
  if (method !== 'getSignatureStatuses') return result;
  const told = result as { value: unknown[] };
  return { ...told, value: told.value.map(() => null) };
};
/** Calls nothing final. */
const early: Lie = ({ method }, result) => {
  if (method !== 'getSignatureStatuses') return result;
  const told = result as { value: (object | null)[] };
  return { ...told, value: told.value.map((one) => one && { ...one, confirmationStatus: 'confirmed' }) };
};

function watcher(urls: readonly string[] = nodes.map(({ url }) => url)) {
  let now = rig.deps.clock.now();
  const chain = createRpcChain({ urls });
  const agree: AskAgreement = createAgreement({ chain, pause });
  const watch = createDepositWatch({
    ...rig.deps,
    programs: rig.programs,
    db,
    clock: { ...rig.deps.clock, now: () => now },
    chain: rig.chain,
    agree,
    feed: {
      ...createWalletFeed({ urls: [rig.local.rpcUrl], wsUrls: [] }),
      follow: () => undefined,
      onHint: () => undefined,
    },
    owns: () => true,
    worthOf: async () => null,
    log: { warn: () => undefined, error: (_fields, message) => logged.push(message) },
    nudge: () => undefined,
  });
  return {
    async pass(ms: number): Promise<void> {
      const end = now + ms;
      while (now < end) now = Math.min(end, now + (await watch.round()));
    },
    /** Nothing runs for so long; then ten seconds of rounds. */
    async sleep(ms: number): Promise<void> {
      now += ms;
      await this.pass(10_000);
    },
  };
}

async function told(wallet: Wallet) {
  const waiting = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 1_000);
  const notices = [...rig.delivered, ...(await Promise.all(waiting.map((id) => db.notices.find(id))))];
  const byId = new Map(notices.flatMap((one) => (one?.kind === 'deposit' ? [[one.id, one] as const] : [])));
  return [...byId.values()]
    .map(({ payload }) => decodeDeposit(payload))
    .filter(({ walletId }) => walletId === wallet.id);
}

async function isFinal(wallet: Wallet): Promise<void> {
  const feed = createWalletFeed({ urls: [rig.local.rpcUrl], wsUrls: [] });
  const [entry] = await feed.recent(wallet.address, { until: null, before: null, limit: 1 });
  await until(async () => (await rig.chain.statuses([entry?.signature ?? '']))[0]?.level === 'finalized');
}

const tell = (lie: Lie): void => {
  for (const node of nodes) node.tell(lie);
};

describe('a deposit that two nodes see', () => {
  it('is told before it is final, and stands a minute later without a word', async () => {
    const { wallet } = await rig.person('Both', 2n * SOL);
    tell(early);
    const watch = watcher();
    await watch.pass(20_000);
    expect(await told(wallet)).toMatchObject([{ units: 2n * SOL }]);
    expect((await told(wallet))[0]).not.toHaveProperty('seenByOne');
    await watch.pass(3 * MINUTE);
    expect(await told(wallet)).toHaveLength(1);
    expect(
      (await db.deposits.toldBefore(Number.MAX_SAFE_INTEGER, 100)).map(({ walletId }) => walletId),
    ).not.toContain(wallet.id);
  });

  it('is told by nobody while one of them lies about the amount or denies it, and an operator hears of it', async () => {
    for (const lie of [doubled, denied]) {
      const { wallet } = await rig.person(`Lie ${lie.name}`, 2n * SOL);
      await isFinal(wallet);
      nodes[1]?.tell(lie);
      const watch = watcher();
      await watch.pass(60_000);
      expect(await told(wallet)).toEqual([]);
      nodes[1]?.tell(truth);
      await watch.pass(60_000);
      expect(await told(wallet)).toMatchObject([{ units: 2n * SOL }]);
      const { wallet: other } = await rig.person(`Liar ${lie.name}`, 2n * SOL);
      await isFinal(other);
      nodes[1]?.tell(lie);
      await watcher().pass(6 * MINUTE);
      expect(await told(other)).toEqual([]);
      expect(logged).toContain('a deposit could not be read: it is kept and read again');
      nodes[1]?.tell(truth);
    }
  });
});

const unreadOf = async ({ id }: Wallet) =>
  (await db.deposits.unread(1_000)).filter(({ walletId }) => walletId === id);

describe('a deposit that no node serves', () => {
  /** Serves none of the transactions that are there by now. */
  async function withheld(wallet: Wallet): Promise<Lie> {
    const feed = createWalletFeed({ urls: [rig.local.rpcUrl], wsUrls: [] });
    const listed = await feed.recent(wallet.address, { until: null, before: null, limit: 9 });
    const names = new Set(listed.map(({ signature }) => signature));
    return ({ method, params }, result) =>
      method === 'getTransaction' && names.has(String(params[0])) ? null : result;
  }

  it('holds up nothing behind it, and is told by the next process once it is served', async () => {
    const { wallet } = await rig.person('Unserved', 2n * SOL);
    await isFinal(wallet);
    tell(await withheld(wallet));
    const watch = watcher();
    await rig.fund(wallet.address, SOL);
    await isFinal(wallet);
    await watch.pass(6 * MINUTE);
    expect((await told(wallet)).map(({ units }) => units)).toEqual([SOL]);
    expect(await unreadOf(wallet)).toMatchObject([{ account: wallet.address, cause: 'unserved' }]);
    for (let hour = 0; hour < 6; hour++) await watch.sleep(60 * MINUTE);
    expect(await unreadOf(wallet)).toHaveLength(1);
    tell(truth);
    const next = watcher();
    for (let hour = 0; hour < 8; hour++) await next.sleep(60 * MINUTE);
    expect((await told(wallet)).map(({ units }) => units)).toEqual([SOL, 2n * SOL]);
    expect(await unreadOf(wallet)).toEqual([]);
    await next.pass(3 * MINUTE);
    expect(await told(wallet)).toHaveLength(2);
  });

  it('is read no more when both nodes deny it for an hour, and an operator hears of it', async () => {
    const { wallet } = await rig.person('Forked', 2n * SOL);
    tell(denied);
    const watch = watcher();
    await watch.pass(6 * MINUTE);
    await watch.sleep(20 * MINUTE);
    expect(await unreadOf(wallet)).toMatchObject([{ cause: 'gone' }]);
    for (let hour = 0; hour < 3; hour++) await watch.sleep(60 * MINUTE);
    expect(await unreadOf(wallet)).toEqual([]);
    expect(logged).toContain('two nodes deny a deposit that one listed: it was never here');
    tell(truth);
    await watch.sleep(120 * MINUTE);
    expect(await told(wallet)).toEqual([]);
  });

  it('is read again for ever where one node alone denies it', async () => {
    const { wallet } = await rig.person('One node', 2n * SOL);
    await isFinal(wallet);
    const [one] = nodes;
    tell(denied);
    const watch = watcher([one?.url ?? '']);
    await watch.pass(6 * MINUTE);
    for (let hour = 0; hour < 6; hour++) await watch.sleep(60 * MINUTE);
    expect(await unreadOf(wallet)).toHaveLength(1);
    tell(truth);
    await watch.sleep(120 * MINUTE);
    expect(await told(wallet)).toMatchObject([{ units: 2n * SOL }]);
  });
});

describe('a deposit that one node alone sees', () => {
  it('is told only when it is final, and above one SOL it is said so', async () => {
    const [rich, poor] = [await rig.person('Rich', 2n * SOL), await rig.person('Poor', SOL)];
    nodes[1]?.down(true);
    tell(early);
    const watch = watcher();
    await watch.pass(30_000);
    expect(await told(rich.wallet)).toEqual([]);
    // The second wallet was funded some slots after the first.
    for (const { wallet } of [rich, poor]) await isFinal(wallet);
    tell(truth);
    await watch.pass(60_000);
    expect(await told(rich.wallet)).toMatchObject([{ units: 2n * SOL, seenByOne: true }]);
    expect(await told(poor.wallet)).toMatchObject([{ units: SOL }]);
    expect((await told(poor.wallet))[0]).not.toHaveProperty('seenByOne');
  });
});

describe('a deposit that was told and is not so', () => {
  it.each([
    ['gone', denied, 0n],
    ['different', doubled, 4n * SOL],
  ] as const)(
    'because it is %s, is corrected once, and an operator hears of it',
    async (_name, lie, real) => {
      const { wallet } = await rig.person(`Corrected ${real}`, 2n * SOL);
      const watch = watcher();
      await watch.pass(20_000);
      expect(await told(wallet)).toHaveLength(1);
      tell(lie);
      await watch.pass(3 * MINUTE);
      expect((await told(wallet)).slice(1)).toMatchObject([{ units: real, was: 2n * SOL }]);
      expect(logged).toContain('a deposit was told that the chain does not have so; it was corrected');
      await watch.pass(3 * MINUTE);
      await watcher().pass(3 * MINUTE);
      expect(await told(wallet)).toHaveLength(2);
    },
    60_000,
  );

  it('is corrected on the word of one node alone only when that says so twice', async () => {
    const { wallet } = await rig.person('Alone', 2n * SOL);
    await isFinal(wallet);
    const [one] = nodes;
    const watch = watcher([one?.url ?? '']);
    await watch.pass(20_000);
    expect(await told(wallet)).toHaveLength(1);
    tell(denied);
    await watch.pass(70_000);
    expect(await told(wallet)).toHaveLength(1);
    await watch.pass(2 * MINUTE);
    expect((await told(wallet)).slice(1)).toMatchObject([{ units: 0n, was: 2n * SOL }]);
  });

  it('stays as it was told while the nodes do not agree, and an operator hears of it after an hour', async () => {
    const { wallet } = await rig.person('Doubt', 2n * SOL);
    await isFinal(wallet);
    const watch = watcher();
    await watch.pass(20_000);
    nodes[1]?.tell(denied);
    await watch.pass(70 * MINUTE);
    expect(await told(wallet)).toHaveLength(1);
    expect(logged).toContain('nodes do not agree on a deposit that was told; look at the transaction');
  });
});

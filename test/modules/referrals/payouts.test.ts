import { type Address, addressFromBytes } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { TransactionDeps } from '../../../src/engine/transactions/use/deps.ts';
import { voidIntent } from '../../../src/engine/transactions/use/settle-intent.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { accrueReward } from '../../../src/modules/referrals/use/accrue-reward.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import { payoutWait } from '../../../src/modules/referrals/use/payout-wait.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { addressOf, buildIntent, PARAMS } from '../../engine/intents/build.ts';
import { type VirtualWorld, virtualDeps, virtualWorld } from '../../engine/transactions/virtual-world.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';

let world: VirtualWorld;
let db: Database;
let deps: TransactionDeps;
let serial = 0;

const secretOf = (walletId: string, userId: string | null, publicKey: Address) => ({
  walletId,
  userId,
  publicKey,
  version: 1 as const,
  kekId: 'k',
  wrappedDek: new Uint8Array(60),
  sealedSeed: new Uint8Array(60),
});

beforeEach(async () => {
  world = virtualWorld();
  db = fakeDatabase();
  deps = virtualDeps(world, db);
  const { treasury } = deps;
  await db.wallets.insert(PASSED, treasury, secretOf(treasury.id, null, treasury.address));
  world.balances.set(treasury.address, 10_000_000_000n);
});

async function person(id: string, options: { inviterId?: string; wallet?: Address; lamports?: bigint } = {}) {
  serial += 1;
  await db.users.insert({
    id,
    telegramId: BigInt(serial),
    firstName: id,
    telegramLanguage: null,
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId: options.inviterId ?? null,
    screenMessageId: null,
    blockedAt: null,
    createdAt: serial,
  });
  if (options.wallet === undefined) return;
  const walletId = `wallet-of-${id}`;
  await db.wallets.insert(
    PASSED,
    {
      id: walletId,
      userId: id,
      name: 'Main',
      address: options.wallet,
      createdAt: 0,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    },
    secretOf(walletId, id, options.wallet),
  );
  await db.users.activate(PASSED, id, walletId);
  if (options.lamports !== undefined) world.balances.set(options.wallet, options.lamports);
}

async function trade(
  traderId: string,
  feeLamports: bigint,
  signature?: string,
  more: { readonly at?: number; readonly fees?: TransactionDeps['fees'] } = {},
): Promise<void> {
  serial += 1;
  const id = deps.ids.ulid();
  const intent = buildIntent({
    id,
    idemKey: id,
    params: PARAMS.buy,
    userId: traderId,
    walletId: deps.treasury.id,
    status: 'SUCCEEDED',
  });
  await db.intents.insert(intent);
  await db.transact((stores) =>
    accrueReward({ ...deps, fees: more.fees ?? deps.fees }, stores, {
      intent,
      signature: signature ?? `sig-${serial}`,
      feeLamports,
      at: more.at ?? deps.clock.now(),
    }),
  );
}

const collect = () => collectPayouts({ ...deps, minimumLamports: 0n });
const owed = (id: string) => db.ledger.balance({ kind: 'referral-payable', owner: id });
const inFlight = (id: string) => db.ledger.balance({ kind: 'referral-in-flight', owner: id });

async function settle(intent: Intent): Promise<Intent> {
  const step = createStepIntent(deps, { stretchMs: 0 });
  for (let n = 0; n < 1_000; n++) {
    const result = await step(intent.id);
    const now = await db.intents.find(intent.id);
    if (now !== null && now.status !== 'CREATED' && now.status !== 'ACTIVE') return now;
    world.clock.advance(result.kind === 'again' ? result.afterMs : 1_000);
  }
  throw new Error('never final');
}

describe('rewards', () => {
  it('books a fee once and the inviter’s share rounded down', async () => {
    await person('ivy');
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 1_001n, 'one');
    await trade('tom', 1_001n, 'one');
    expect(await owed('ivy')).toBe(300n);
    expect(await db.ledger.balance({ kind: 'revenue' })).toBe(701n);
    expect(await db.ledger.balance({ kind: 'treasury' })).toBe(-1_001n);
  });

  it('keeps all of the fee of somebody whom nobody invited, and books no empty fee', async () => {
    await person('tom');
    await trade('tom', 1_000n);
    await trade('tom', 0n);
    expect(await db.ledger.balance({ kind: 'revenue' })).toBe(1_000n);
    expect(await db.outbox.claim(10)).toEqual([]);
  });

  it('pays an inviter whose wallet can receive it, and tells them', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    const [payout] = await collect();
    expect(payout?.params).toMatchObject({
      items: [{ inviterId: 'ivy', recipient: addressOf(31), lamports: 3_000n }],
    });
    expect([await owed('ivy'), await inFlight('ivy')]).toEqual([0n, 3_000n]);
    expect((await settle(payout!)).status).toBe('SUCCEEDED');
    expect([await owed('ivy'), await inFlight('ivy')]).toEqual([0n, 0n]);
    expect(world.balances.get(addressOf(31))).toBe(1_003_000n);
    expect(await db.referrals.totals('ivy')).toMatchObject({ paidLamports: 3_000n, pendingLamports: 0n });
    // Books: collected 10,000, paid out 3,000 and the network's fee.
    expect(await db.ledger.balance({ kind: 'treasury' })).toBe(-10_000n + 3_000n + 5_000n);
    const rows = await db.outbox.claim(50);
    expect(rows.some((row) => row.job === 'notice.send')).toBe(true);
    const [told] = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 5);
    expect((await db.notices.find(told ?? ''))?.payload).toMatchObject({
      lamports: '3000',
      source: 'referral',
    });
    expect(rows.some((row) => row.job === 'payout.collect')).toBe(true);
  });

  it('leaves waiting, and breaks nothing for, an inviter without a wallet or with an empty one', async () => {
    await person('none');
    await person('empty', { wallet: addressOf(32) });
    await person('good', { wallet: addressOf(33), lamports: 890_880n });
    for (const inviterId of ['none', 'empty', 'good']) await person(`of-${inviterId}`, { inviterId });
    for (const id of ['of-none', 'of-empty', 'of-good']) await trade(id, 1_000_000n);
    const intents = await collect();
    expect(intents).toHaveLength(1);
    expect(intents[0]?.params).toMatchObject({ items: [{ inviterId: 'good' }] });
    expect([await owed('none'), await owed('empty')]).toEqual([300_000n, 300_000n]);
    await settle(intents[0]!);
    // 300,000 more than the missing 890,880 once enough trades have come.
    await trade('of-empty', 2_000_000n);
    const [later] = await collect();
    expect(later?.params).toMatchObject({ items: [{ inviterId: 'empty', lamports: 900_000n }] });
  });

  it('keeps what is owed to an inviter who deleted every wallet, until one exists', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    await db.wallets.setDeletedAt(PASSED, 'wallet-of-ivy', 1);
    // Whether or not the row still names it, a deleted wallet is nothing to pay to.
    expect(await collect()).toEqual([]);
    await db.users.activate(PASSED, 'ivy', null);
    expect(await collect()).toEqual([]);
    expect(await owed('ivy')).toBe(3_000n);
    await db.wallets.insert(
      PASSED,
      {
        id: 'new',
        userId: 'ivy',
        name: 'New',
        address: addressOf(44),
        createdAt: 9,
        deletedAt: null,
        origin: 'made',
        confirmedAt: null,
        payoutFrom: null,
      },
      secretOf('new', 'ivy', addressOf(44)),
    );
    await db.users.activate(PASSED, 'ivy', 'new');
    world.balances.set(addressOf(44), 1_000_000n);
    const [payout] = await collect();
    await settle(payout!);
    expect(world.balances.get(addressOf(44))).toBe(1_003_000n);
    expect(world.balances.get(addressOf(31))).toBe(1_000_000n);
  });

  it('pays small debts behind hundreds of large ones that cannot be paid', async () => {
    for (let n = 0; n < 310; n += 1) {
      await person(`e${n}`, {
        wallet: addressFromBytes(Uint8Array.of(n >> 8, n, ...new Uint8Array(30).fill(7))),
      });
      await person(`of-e${n}`, { inviterId: `e${n}` });
      await trade(`of-e${n}`, 1_000_000n);
    }
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    const [payout] = await collect();
    expect(payout?.params).toMatchObject({ items: [{ inviterId: 'ivy', lamports: 3_000n }] });
  });

  it('never takes the treasury below the rent minimum, the highest fee included', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000_000n);
    const least = 890_880n + 3_000_000n + 1_005_000n;
    world.balances.set(deps.treasury.address, least - 1n);
    expect(await collect()).toEqual([]);
    expect(await owed('ivy')).toBe(3_000_000n);
    world.balances.set(deps.treasury.address, least);
    expect(await collect()).toHaveLength(1);
  });

  it('makes batches of fifteen and no second round while one is open', async () => {
    for (let n = 0; n < 17; n++) {
      await person(`i${n}`, { wallet: addressOf(100 + n), lamports: 1_000_000n });
      await person(`t${n}`, { inviterId: `i${n}` });
      await trade(`t${n}`, 100_000n + BigInt(n));
    }
    const intents = await collect();
    expect(
      intents.map((intent) => (intent.params.kind === 'payout' ? intent.params.items.length : 0)),
    ).toEqual([15, 2]);
    await trade('t0', 100_000n);
    expect(await collect()).toEqual([]);
    for (const intent of intents) await settle(intent);
    expect(await collect()).toHaveLength(1);
  });

  it('puts two simultaneous collectors’ rewards into one payout', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    const both = await Promise.all([collect(), collect()]);
    expect(both.flat()).toHaveLength(1);
  });

  it('splits a batch that failed on chain in halves, and voids what can be split no more', async () => {
    for (const name of ['a', 'b', 'c']) {
      await person(name, { wallet: addressOf(name.charCodeAt(0)), lamports: 1_000_000n });
      await person(`of-${name}`, { inviterId: name });
      await trade(`of-${name}`, 10_000n);
    }
    const [batch] = await collect();
    world.faults.failWith = '"InsufficientFundsForRent"';
    expect((await settle(batch!)).status).toBe('FAILED');
    expect([await owed('a'), await inFlight('a')]).toEqual([0n, 3_000n]);
    const open = await db.intents.due(world.clock.now(), 10);
    expect(open).toHaveLength(2);
    const halves = await Promise.all(open.map((id) => db.intents.find(id)));
    const people = halves.flatMap((half) =>
      half?.params.kind === 'payout' ? half.params.items.map((item) => item.inviterId) : [],
    );
    expect(people.sort()).toEqual(['a', 'b', 'c']);
    world.faults.failWith = null;
    for (const half of halves) expect((await settle(half!)).status).toBe('SUCCEEDED');
    for (const name of ['a', 'b', 'c']) expect(await inFlight(name)).toBe(0n);
    expect(await db.ledger.balance({ kind: 'network-fees' })).toBe(-15_000n);
  });

  it('gives a batch back once: told of the same end again it sends out nothing that came since', async () => {
    for (const name of ['a', 'b']) {
      await person(name, { wallet: addressOf(name.charCodeAt(0)), lamports: 1_000_000n });
      await person(`of-${name}`, { inviterId: name });
      await trade(`of-${name}`, 10_000n);
    }
    const [batch] = await collect();
    if (batch?.params.kind !== 'payout') throw new Error('nothing is owed');
    world.faults.failWith = '"InsufficientFundsForRent"';
    const { status, outcome } = await settle(batch);
    expect(status).toBe('FAILED');
    for (const name of ['a', 'b']) await trade(`of-${name}`, 20_000n);
    const open = await db.intents.due(world.clock.now(), 10);
    const end = { landedError: true, receipt: outcome?.receipt ?? null };
    await db.transact((stores) => voidIntent(deps, stores, batch, end));
    expect(await db.intents.due(world.clock.now(), 10)).toEqual(open);
    expect([await owed('a'), await owed('b')]).toEqual([6_000n, 6_000n]);
    expect([await inFlight('a'), await inFlight('b')]).toEqual([3_000n, 3_000n]);
  });

  it('does not take another payout that lands meanwhile for a loss', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    const [payout] = await collect();
    const { address } = deps.treasury;
    let landed = 0;
    const { chain } = deps;
    const simulate: typeof chain.simulate = (message, watch) => chain.simulate(message, watch);
    deps = {
      ...deps,
      chain: {
        ...deps.chain,
        simulate: (message, watch) => {
          landed += 1;
          if (landed < 4) world.balances.set(address, (world.balances.get(address) ?? 0n) - 50_000_000n);
          return simulate(message, watch);
        },
      },
    };
    expect((await settle(payout!)).status).toBe('SUCCEEDED');
    expect(landed).toBe(4);
    expect(world.balances.get(addressOf(31))).toBe(1_003_000n);
  });

  it('still refuses a payout whose simulation itself loses more than it should', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    const [payout] = await collect();
    const { chain } = deps;
    const simulate: typeof chain.simulate = (message, watch) => chain.simulate(message, watch);
    const greedy: typeof simulate = async (message, watch) => {
      const simulation = await simulate(message, watch);
      const [wallet, ...rest] = simulation.after;
      return { ...simulation, after: [{ ...wallet!, lamports: wallet!.lamports - 50_000_000n }, ...rest] };
    };
    deps = { ...deps, chain: { ...deps.chain, simulate: greedy } };
    const end = await settle(payout!);
    expect(end).toMatchObject({ status: 'REJECTED', outcome: { details: { rule: 'simulated-spend' } } });
    expect([await owed('ivy'), await inFlight('ivy')]).toEqual([3_000n, 0n]);
  });

  it('gives rewards back when a payout is refused before it is signed', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    const [payout] = await collect();
    world.balances.set(deps.treasury.address, 0n);
    expect((await settle(payout!)).status).toBe('REJECTED');
    expect([await owed('ivy'), await inFlight('ivy')]).toEqual([3_000n, 0n]);
    expect(await db.intents.due(world.clock.now(), 10)).toEqual([]);
  });

  it('pays nothing of a restored database before it is compared with the chain', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    await db.flags.set('quarantined', true, 0);
    expect(await collect()).toEqual([]);
    expect(await owed('ivy')).toBe(3_000n);
  });

  it('takes nothing that lies below the least payable sum when it is read under the lock', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    // The balance of the first read was higher: part of it is in another payout by now.
    const candidate = { inviterId: 'ivy', recipient: addressOf(31), lamports: 5_000n };
    const early: Database = {
      ...db,
      referrals: { ...db.referrals, payoutCandidates: async () => [candidate] },
    };
    expect(await collectPayouts({ ...deps, db: early, minimumLamports: 4_000n })).toEqual([]);
    expect(await collectPayouts({ ...deps, db: early, minimumLamports: 3_000n })).toHaveLength(1);
  });

  it('gives one reward for a fee that is booked twice, by the share of the day on which it landed', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    const landed = deps.clock.now();
    const shares: number[] = [];
    const fees: TransactionDeps['fees'] = (at) => {
      shares.push(at);
      return deps.fees(at);
    };
    world.clock.advance(86_400_000);
    await trade('tom', 10_000n, 'once', { at: landed, fees });
    await trade('tom', 10_000n, 'once', { at: landed, fees });
    expect(shares).toEqual([landed, landed]);
    const [payout] = await collect();
    expect(payout?.params).toMatchObject({ items: [{ inviterId: 'ivy', lamports: 3_000n }] });
  });

  it('pays no more in a round than all payouts of a day may pay; a debt above that says so', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('ola', { wallet: addressOf(32), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await person('una', { inviterId: 'ola' });
    await trade('tom', 10_000n);
    await trade('una', 20_000n);
    const capped = { ...deps, minimumLamports: 0n, capLamports: 5_999n };
    expect(await payoutWait(capped, { id: 'ola' })).toMatchObject({
      reason: { kind: 'above-cap', cap: 5_999n },
    });
    expect(await payoutWait(capped, { id: 'ivy' })).toMatchObject({ reason: { kind: 'next' } });
    const round = await collectPayouts(capped);
    expect(round.map(({ params }) => params)).toMatchObject([{ items: [{ inviterId: 'ivy' }] }]);
    expect(await owed('ola')).toBe(6_000n);
  });

  it('pays nothing while payouts are paused', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    await db.flags.set('payouts-paused', true, 0);
    expect(await collect()).toEqual([]);
  });
});

describe('the reason why a reward waits', () => {
  const waits = () => payoutWait({ ...deps, minimumLamports: 0n }, { id: 'ivy' });

  it('names what the wallet lacks of the rent minimum beside the reward', async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 800_000n });
    await person('tom', { inviterId: 'ivy' });
    expect(await waits()).toBeNull();
    await trade('tom', 100_000n);
    expect(await waits()).toMatchObject({
      lamports: 30_000n,
      reason: { kind: 'below-rent', missing: 890_880n - 830_000n },
    });
    world.balances.set(addressOf(31), 860_880n);
    expect((await waits())?.reason).toEqual({ kind: 'next' });
    await db.flags.set('quarantined', true, 0);
    expect((await waits())?.reason).toEqual({ kind: 'paused' });
  });
});

describe('one round at a time', () => {
  const open = async () => {
    await person('ivy', { wallet: addressOf(31), lamports: 1_000_000n });
    await person('tom', { inviterId: 'ivy' });
    await trade('tom', 10_000n);
    const round = await collect();
    expect(round).toHaveLength(1);
    await trade('tom', 10_000n);
    return round;
  };
  /** A database whose first look, outside the transaction, was before the other collector's commit. */
  const lateDatabase = (): Database => ({
    ...db,
    intents: { ...db.intents, countOpenByWallet: async () => 0 },
  });

  it('is asked again under the lock: a collector that looked too early makes no second round', async () => {
    await open();
    expect(await collectPayouts({ ...deps, db: lateDatabase(), minimumLamports: 0n })).toEqual([]);
    expect(await owed('ivy')).toBe(3_000n);
  });

  it('is asked before the chain is: while a round is under way no wallet is looked at', async () => {
    await open();
    let asked = 0;
    const chain = {
      ...deps.chain,
      accounts: (...args: Parameters<typeof deps.chain.accounts>) => {
        asked += 1;
        return deps.chain.accounts(...args);
      },
    };
    expect(await collectPayouts({ ...deps, chain, minimumLamports: 0n })).toEqual([]);
    expect(asked).toBe(0);
  });
});

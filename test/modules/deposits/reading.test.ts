import type { Address, ChainAccount } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Agreement } from '../../../src/modules/deposits/rules/agreement.ts';
import { decodeDeposit } from '../../../src/modules/deposits/rules/deposit-notice.ts';
import { createComparison } from '../../../src/modules/deposits/use/compare-balances.ts';
import { createSecondLook } from '../../../src/modules/deposits/use/look-again.ts';
import { lookAtAccount } from '../../../src/modules/deposits/use/look-at-account.ts';
import { createReadAgain } from '../../../src/modules/deposits/use/read-again.ts';
import { readUnread } from '../../../src/modules/deposits/use/read-unread.ts';
import { tellDeposits } from '../../../src/modules/deposits/use/tell-deposits.ts';
import {
  type DepositWatchDeps,
  lookAt,
  newWatchState,
  tryAgain,
  type WatchState,
} from '../../../src/modules/deposits/use/watch-state.ts';
import {
  accountsOfWallets,
  cursorOf,
  newAccount,
  type WatchedAccount,
} from '../../../src/modules/deposits/use/watched-accounts.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { RecentEntry } from '../../../src/platform/ports/wallet-feed.ts';
import { attemptRow, intentRow, newAddress, secretRow, walletRow } from '../../conformance/store-rows.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';

const SOL = 1_000_000_000n;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const stranger = newAddress();
const mint = newAddress();

const ids = fakeIds(7);
let clock: ReturnType<typeof fakeClock>;
let db: Database;
let wallet: Wallet;
let userId: string;
let say: Agreement | Error;
let listed: RecentEntry[];
let logged: string[];
let nudges: number;
let worth: bigint | null;
let followed: (readonly Address[])[];
let state: WatchState;
let deps: DepositWatchDeps;
let serial = 7_000n;

beforeEach(async () => {
  clock = fakeClock();
  db = fakeDatabase();
  serial += 1n;
  userId = (await insertUser(db, ids, serial)).id;
  wallet = walletRow({ userId, createdAt: clock.now() - DAY });
  await db.wallets.insert(PASSED, wallet, secretRow(wallet));
  say = { kind: 'unserved' };
  listed = [];
  logged = [];
  nudges = 0;
  worth = null;
  followed = [];
  state = newWatchState();
  deps = {
    db,
    clock,
    ids,
    worthOf: async () => worth,
    nudge: () => {
      nudges += 1;
    },
    agree: async () => {
      if (say instanceof Error) throw say;
      return say;
    },
    chain: { accounts: async () => ({ slot: 1n, accounts: [] }), token: async () => null },
    programs: { associatedTokenAddress: () => newAddress() },
    feed: {
      follow: (accounts) => void followed.push(accounts),
      onHint: () => undefined,
      recent: async (_account, { until }) => {
        const end = listed.findIndex(({ signature }) => signature === until);
        return end < 0 ? listed : listed.slice(0, end);
      },
      stop: () => undefined,
    },
    log: {
      warn: (_fields, message) => void logged.push(message),
      error: (_fields, message) => void logged.push(message),
    },
    owns: () => true,
  } as DepositWatchDeps;
});

function payment(lamports: bigint, units = 0n, signature = 's'): LandedTransaction {
  return {
    signature,
    slot: 5n,
    blockTime: 9,
    err: null,
    feeLamports: 5_000n,
    logs: [],
    balances: [
      { address: stranger, before: lamports, after: 0n },
      { address: wallet.address, before: 1n, after: 1n + lamports },
    ],
    tokenBalances:
      units === 0n ? [] : [{ account: newAddress(), owner: wallet.address, mint, before: 0n, after: units }],
    signatureCount: 1,
  };
}
const agreed = (landed: LandedTransaction, sources: 1 | 2 = 2): Agreement => ({
  kind: 'agreed',
  landed,
  sources,
  final: false,
});
const place = () => ({ walletId: wallet.id, userId, address: wallet.address });
const tell = (landed: LandedTransaction, sources: 1 | 2 = 2) =>
  tellDeposits(deps, place(), landed, sources, async () => undefined);
async function told() {
  const waiting = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 100);
  const notices = await Promise.all(waiting.map((id) => db.notices.find(id)));
  return notices.flatMap((one) => (one?.kind === 'deposit' ? [decodeDeposit(one.payload)] : []));
}
const watched = (): WatchedAccount =>
  newAccount(place(), {
    account: wallet.address,
    signature: null,
    held: null,
    since: clock.now() - DAY,
  });
const entry = (signature: string, change: Partial<RecentEntry> = {}): RecentEntry => ({
  signature,
  failed: false,
  at: clock.now(),
  ...change,
});
const cursor = async () => (await db.deposits.load([wallet.id]))[0]?.cursors[0] ?? null;

describe('telling a deposit', () => {
  it('keeps it, gives notice and does what belongs to it in one commit, and does all that once', async () => {
    let done = 0;
    const once = () =>
      tellDeposits(deps, place(), payment(SOL), 2, async () => {
        done += 1;
      });
    expect(await once()).toBe(true);
    expect(await told()).toEqual([
      { walletId: wallet.id, mint: null, units: SOL, known: true, signature: 's' },
    ]);
    expect([done, nudges]).toEqual([1, 1]);
    expect(await db.deposits.toldSince(userId, clock.now())).toBe(1);
    await once();
    expect(await told()).toHaveLength(1);
    await expect(
      tellDeposits(deps, place(), payment(SOL, 0n, 'other'), 2, () => Promise.reject(new Error('no room'))),
    ).rejects.toThrow('no room');
    expect(await told()).toHaveLength(1);
    expect(await db.deposits.toldSince(userId, 0)).toBe(1);
  });

  it('says that one node alone has seen more than 1 SOL, and not of less', async () => {
    await tell(payment(SOL + 1n), 1);
    await tell(payment(SOL, 0n, 'less'), 1);
    await tell(payment(SOL + 1n, 0n, 'both'), 2);
    expect((await told()).map(({ signature, seenByOne }) => [signature, seenByOne ?? false])).toEqual([
      ['s', true],
      ['less', false],
      ['both', false],
    ]);
  });

  it('is none of what this person or the service sent, and is one of what another person sent', async () => {
    const signatures = ['mine', 'payout', 'hers'];
    const other = (await insertUser(db, ids, serial + 1_000_000n)).id;
    for (const [n, from] of [userId, null, other].entries()) {
      const sender = walletRow({ userId: from });
      await db.wallets.insert(PASSED, sender, secretRow(sender));
      const intent = intentRow(sender);
      await db.intents.insert(intent);
      await db.intents.insertAttempt(attemptRow(intent, { signature: signatures[n] ?? '' }));
    }
    const tellAll = signatures.map((signature) => tell(payment(SOL, 0n, signature)));
    expect(await Promise.all(tellAll)).toEqual([false, false, true]);
    expect((await told()).map(({ signature }) => signature)).toEqual(['hers']);
  });

  it('is none where nothing came, where the wallet is gone, or where it is not worth a word', async () => {
    expect(await tell(payment(0n))).toBe(false);
    expect(await tell(payment(0n, 5n))).toBe(false);
    await db.wallets.setDeletedAt(PASSED, wallet.id, clock.now());
    expect(await tell(payment(SOL))).toBe(false);
    expect(await told()).toEqual([]);
    expect([await db.deposits.toldSince(userId, 0), nudges]).toEqual([0, 0]);
  });

  it('of a token is told by its worth, and its position is compared with the chain once it is final', async () => {
    worth = 10_000_000n;
    expect(await tell(payment(0n, 5n))).toBe(true);
    expect(await told()).toMatchObject([{ mint, units: 5n, known: false }]);
    expect(await db.positions.checkedAt(wallet.id)).toBe(clock.now() - HOUR + 30 * SECOND);
  });

  it('of SOL compares no position', async () => {
    await tell(payment(SOL));
    expect(await db.positions.checkedAt(wallet.id)).toBeNull();
  });

  it('is told twenty times an hour, and from 0.1 SOL on however often', async () => {
    const small = 1_000_000n;
    for (let n = 0; n < 21; n += 1) await tell(payment(small, 0n, `small-${n}`));
    expect(await told()).toHaveLength(20);
    await tell(payment(99_999_999n, 0n, 'nearly'));
    await tell(payment(100_000_000n, 0n, 'large'));
    expect((await told()).map(({ signature }) => signature).slice(20)).toEqual(['large']);
    // A token is no such exception, of any amount.
    worth = 10_000_000n;
    await tell(payment(0n, 100_000_000n, 'token'));
    expect(await told()).toHaveLength(21);
    clock.advance(HOUR + 1);
    await tell(payment(small, 0n, 'later'));
    expect(await told()).toHaveLength(22);
  });
});

describe('reading an account', () => {
  const look = async (one: WatchedAccount) => lookAtAccount(deps, state, one);

  it('tells what the list holds, oldest first, and knows it from then on', async () => {
    const one = watched();
    lookAt(state, one, clock.now());
    listed = [entry('s')];
    say = agreed(payment(SOL));
    let woken = 0;
    state.onTold = () => {
      woken += 1;
    };
    await look(one);
    expect(await told()).toHaveLength(1);
    expect(one).toMatchObject({ signature: 's', changed: true, nextLook: null });
    expect([state.due.size, woken]).toEqual([0, 1]);
    expect(await cursor()).toMatchObject({ account: wallet.address, signature: 's' });
    // The same list once more is nothing new, also where its place was lost.
    await look({ ...one, signature: null });
    expect(await told()).toHaveLength(1);
  });

  it('passes over what failed and what is older than a week', async () => {
    say = new Error('it must not be asked for');
    const old = clock.now() - 7 * DAY - MINUTE;
    listed = [entry('failed', { failed: true }), entry('old', { at: old })];
    const one = { ...watched(), since: 0 };
    await look(one);
    expect(one.signature).toBe('failed');
    expect(logged).toEqual([]);
  });

  it('reads what came a minute before the wallet, or whose time the node does not know', async () => {
    const one = watched();
    one.signature = null;
    for (const at of [one.since - MINUTE + 1, null]) {
      listed = [entry(`at ${at}`, { at })];
      say = agreed(payment(SOL, 0n, `at ${at}`));
      await look(one);
    }
    expect(await told()).toHaveLength(2);
    listed = [entry('before', { at: one.since - MINUTE })];
    say = agreed(payment(SOL, 0n, 'before'));
    await look(one);
    expect(await told()).toHaveLength(2);
  });

  it('waits for what no node serves yet, each time longer, and what is behind it waits too', async () => {
    const one = watched();
    listed = [entry('second'), entry('first')];
    const pauses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await look(one);
      pauses.push((one.nextLook ?? 0) - clock.now());
      clock.set(one.nextLook ?? 0);
    }
    expect(pauses).toEqual([1, 1, 2, 4, 8].map((seconds) => seconds * SECOND));
    clock.advance(4 * MINUTE);
    await look(one);
    expect((one.nextLook ?? 0) - clock.now()).toBe(30 * SECOND);
    expect(one.signature).toBeNull();
    expect(await db.deposits.unread(9)).toEqual([]);
  });

  it('sets aside what is unread for five minutes, moves on, and says so', async () => {
    const one = watched();
    let noted = 0;
    state.onSetAside = () => {
      noted += 1;
    };
    listed = [entry('first')];
    await look(one);
    clock.advance(5 * MINUTE - 1);
    await look(one);
    expect(noted).toBe(0);
    clock.advance(1);
    await look(one);
    expect(await db.deposits.unread(9)).toEqual([
      {
        walletId: wallet.id,
        account: wallet.address,
        signature: 'first',
        cause: 'unserved',
        seenAt: clock.now(),
        nextLook: clock.now() + MINUTE,
      },
    ]);
    expect(one).toMatchObject({ signature: 'first', unservedSince: null, changed: true });
    expect(await cursor()).toMatchObject({ signature: 'first' });
    expect([noted, logged.length]).toEqual([1, 1]);
    // A judged one is not judged again.
    say = agreed(payment(SOL, 0n, 'first'));
    await look({ ...one, signature: null });
    expect(await told()).toEqual([]);
  });

  it('looks again four times, each time twice as late, where the list says nothing yet', async () => {
    const one = watched();
    const pauses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await look(one);
      pauses.push(one.nextLook === null ? -1 : one.nextLook - clock.now());
      one.nextLook = null;
    }
    expect(pauses).toEqual([600, 1_200, 2_400, 4_800, -1]);
  });

  it('goes on at once where the list is longer than one look', async () => {
    const one = watched();
    listed = Array.from({ length: 1_001 }, (_, n) => entry(`s${n}`, { failed: true }));
    deps = {
      ...deps,
      feed: {
        ...deps.feed,
        recent: async (_a, { before }) => (before === null ? listed.slice(0, 1_000) : listed.slice(1_000)),
      },
    };
    await lookAtAccount(deps, state, one);
    expect(one.nextLook).toBe(clock.now());
    expect(state.due.has(one)).toBe(true);
  });

  it('names each cause for which a transaction is unread', async () => {
    const causes: unknown[] = [];
    for (const [n, said] of (
      [
        { kind: 'gone', sources: 2 },
        { kind: 'disagree' },
        agreed(payment(SOL), 1),
        new Error('unreachable'),
      ] as const
    ).entries()) {
      const one = { ...watched(), unservedSince: clock.now() - 5 * MINUTE };
      listed = [entry(`s${n}`)];
      say = said;
      await look(one);
      const unread = await db.deposits.unread(9);
      causes.push(unread.find(({ signature }) => signature === `s${n}`)?.cause);
    }
    expect(causes).toEqual(['gone', 'disagree', 'open', 'unserved']);
  });

  it('keeps a deposit whose commit failed as unread, and tells it later', async () => {
    const one = { ...watched(), unservedSince: clock.now() - 5 * MINUTE };
    listed = [entry('s')];
    worth = null;
    say = agreed(payment(0n, 5n));
    deps = { ...deps, worthOf: () => Promise.reject(new Error('no market answers')) };
    await lookAtAccount(deps, state, one);
    expect(await db.deposits.unread(9)).toMatchObject([{ cause: 'failed' }]);
  });

  it('follows the token accounts that a transaction names, of a wallet that is watched here', async () => {
    const landed = payment(SOL, 5n);
    const [account] = landed.tokenBalances.map((row) => row.account);
    listed = [entry('s')];
    say = agreed(landed);
    await lookAtAccount({ ...deps, owns: () => false }, newWatchState(), watched());
    expect(followed).toEqual([]);
    const one = watched();
    state.accounts.set(one.account, one);
    await look(one);
    expect(followed).toEqual([[wallet.address, account]]);
    expect(state.accounts.get(account as Address)).toMatchObject({
      signature: 's',
      held: 5n,
      changed: true,
      since: one.since,
    });
    await look({ ...one, signature: null });
    expect(followed).toHaveLength(1);
  });
});

describe('reading again what was set aside', () => {
  const aside = async (change: object = {}) => {
    await db.deposits.setAside({
      walletId: wallet.id,
      account: wallet.address,
      signature: 's',
      cause: 'unserved',
      seenAt: clock.now(),
      nextLook: clock.now() + MINUTE,
      ...change,
    });
  };
  const row = async () => (await db.deposits.unread(9))[0] ?? null;

  it('begins a minute later, or after ten where another process set it aside', async () => {
    const again = createReadAgain(deps, state);
    expect(again.isDue()).toBe(true);
    await again.run();
    expect(again.nextAt()).toBe(clock.now() + 10 * MINUTE);
    expect(again.isDue()).toBe(false);
    again.noted();
    expect(again.nextAt()).toBe(clock.now() + MINUTE);
    clock.advance(SECOND);
    again.noted();
    expect(again.nextAt()).toBe(clock.now() - SECOND + MINUTE);
    again.later(clock.now() + 5);
    expect(again.nextAt()).toBe(clock.now() + 5);
  });

  it('reads nothing before its time, however long that is, and all of it once the clock was set back', async () => {
    await aside({ nextLook: clock.now() + HOUR });
    say = agreed(payment(SOL));
    const again = createReadAgain(deps, state);
    await again.run();
    expect([await told(), again.nextAt()]).toEqual([[], clock.now() + 10 * MINUTE]);
    clock.advance(-1);
    await again.run();
    expect(await told()).toHaveLength(1);
  });

  it('tells it once it can be read, and keeps no row of it', async () => {
    await aside();
    const again = createReadAgain(deps, state);
    say = agreed(payment(SOL));
    await again.run();
    expect([await told(), again.nextAt()]).toEqual([[], clock.now() + MINUTE]);
    clock.advance(MINUTE);
    await again.run();
    expect(await told()).toMatchObject([{ units: SOL }]);
    expect(await row()).toBeNull();
    expect(again.nextAt()).toBe(clock.now() + 10 * MINUTE);
  });

  it('ends where it is no deposit, and where the wallet is nobody’s any more', async () => {
    await aside({ nextLook: clock.now() });
    say = agreed(payment(0n));
    await createReadAgain(deps, state).run();
    expect(await row()).toBeNull();
    const owner = walletRow();
    await db.wallets.insert(PASSED, owner, secretRow(owner));
    await aside({ walletId: owner.id, nextLook: clock.now() });
    say = agreed(payment(SOL));
    await createReadAgain(deps, state).run();
    expect([await row(), await told()]).toEqual([null, []]);
  });

  it('leaves the wallets of other processes alone', async () => {
    await aside({ nextLook: clock.now() });
    say = agreed(payment(SOL));
    await createReadAgain({ ...deps, owns: () => false }, state).run();
    expect(await row()).not.toBeNull();
    expect(await told()).toEqual([]);
  });

  it('waits as long again as it has waited, an hour at most', async () => {
    await aside({ nextLook: clock.now() });
    const seenAt = clock.now();
    const again = createReadAgain(deps, state);
    const looks: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      await again.run();
      const next = (await row())?.nextLook ?? 0;
      looks.push((next - clock.now()) / MINUTE);
      clock.set(next);
    }
    expect(looks).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60]);
    expect(clock.now() - seenAt).toBe(184 * MINUTE);
    expect(logged).toEqual([]);
  });

  it('ends after an hour of denial by two nodes, with a line for an operator, and not by one', async () => {
    await aside({ nextLook: clock.now() });
    const again = createReadAgain(deps, state);
    say = { kind: 'gone', sources: 1 };
    clock.advance(HOUR);
    await again.run();
    expect(await row()).toMatchObject({ cause: 'gone', nextLook: clock.now() + HOUR });
    clock.advance(HOUR);
    say = { kind: 'gone', sources: 2 };
    await again.run();
    expect(await row()).toBeNull();
    expect(logged).toHaveLength(1);
  });

  it('does not end by a denial of less than an hour', async () => {
    await aside({ nextLook: clock.now() });
    say = { kind: 'gone', sources: 2 };
    clock.advance(HOUR - 1);
    await createReadAgain(deps, state).run();
    expect(await row()).not.toBeNull();
    expect(logged).toEqual([]);
  });
});

describe('looking again at a deposit that was told', () => {
  const LOOK = MINUTE;
  const settled = async () => (await db.deposits.toldBefore(Number.MAX_SAFE_INTEGER, 9)).length === 0;
  const fresh = () => createSecondLook(deps);

  it('comes a minute later, and rests while there is nothing', async () => {
    const again = fresh();
    expect(again.isDue()).toBe(true);
    await again.run();
    expect(again.nextAt()).toBe(clock.now() + 10 * MINUTE);
    expect(again.isDue()).toBe(false);
    again.told();
    expect(again.nextAt()).toBe(clock.now() + LOOK);
    expect(again.isDue()).toBe(false);
    await tell(payment(SOL));
    say = agreed(payment(2n * SOL));
    clock.advance(LOOK - 1);
    await again.run();
    expect(await settled()).toBe(false);
    clock.advance(1);
    await again.run();
    expect(await settled()).toBe(true);
    again.later(clock.now() + 3);
    expect(again.nextAt()).toBe(clock.now() + 3);
  });

  it('holds what is so, without a word', async () => {
    await tell(payment(SOL));
    clock.advance(LOOK);
    say = agreed(payment(SOL));
    await fresh().run();
    expect([await settled(), (await told()).length, logged]).toEqual([true, 1, []]);
  });

  it('corrects what is not so, once, with a line for an operator', async () => {
    await tell(payment(SOL));
    clock.advance(LOOK);
    say = agreed(payment(3n * SOL));
    const again = fresh();
    await again.run();
    await again.run();
    expect((await told()).slice(1)).toEqual([
      { walletId: wallet.id, mint: null, units: 3n * SOL, known: true, signature: 's', was: SOL },
    ]);
    expect([await settled(), logged.length, nudges]).toEqual([true, 1, 2]);
  });

  it('corrects a token by its mint', async () => {
    worth = SOL;
    await tell(payment(0n, 5n));
    clock.advance(LOOK);
    say = { kind: 'gone', sources: 2 };
    await fresh().run();
    expect((await told())[1]).toMatchObject({ mint, units: 0n, was: 5n });
  });

  it('takes nothing back on the first word of one node alone', async () => {
    await tell(payment(SOL));
    clock.advance(LOOK);
    say = { kind: 'gone', sources: 1 };
    const again = fresh();
    await again.run();
    expect([await settled(), (await told()).length]).toEqual([false, 1]);
    expect(again.nextAt()).toBe(clock.now() + LOOK);
    await again.run();
    expect((await told()).slice(1)).toMatchObject([{ units: 0n, was: SOL }]);
  });

  it('takes it back at once on the word of two', async () => {
    await tell(payment(SOL));
    clock.advance(LOOK);
    say = { kind: 'gone', sources: 2 };
    await fresh().run();
    expect((await told()).slice(1)).toMatchObject([{ units: 0n, was: SOL }]);
  });

  it('looks for an hour at what the nodes do not agree on, then lets it hold and tells an operator', async () => {
    await tell(payment(SOL));
    say = { kind: 'disagree' };
    const again = fresh();
    clock.advance(HOUR - 1);
    await again.run();
    expect([await settled(), logged]).toEqual([false, []]);
    clock.advance(1);
    await again.run();
    expect([await settled(), logged.length, (await told()).length]).toEqual([true, 1, 1]);
  });

  it('goes on at once behind a whole page, unless all of it stays open', async () => {
    for (let n = 0; n < 51; n += 1) await tell(payment(SOL, 0n, `s${n}`));
    clock.advance(LOOK);
    say = { kind: 'disagree' };
    const stuck = fresh();
    await stuck.run();
    expect(stuck.nextAt()).toBe(clock.now() + LOOK);
    say = agreed(payment(SOL));
    const again = fresh();
    await again.run();
    expect(again.nextAt()).toBe(clock.now());
    await again.run();
    expect([again.nextAt(), await settled()]).toEqual([clock.now() + 10 * MINUTE, true]);
  });
});

describe('comparing balances', () => {
  const bytes = (units: bigint, length = 165): Uint8Array => {
    const data = new Uint8Array(length + 8);
    if (length >= 72) new DataView(data.buffer).setBigUint64(64 + 8, units, true);
    // Not at the beginning of its buffer, as slices of an answer are not.
    return data.subarray(8);
  };
  const account = (lamports: bigint, data: Uint8Array = new Uint8Array()): ChainAccount => ({
    lamports,
    owner: stranger,
    data,
    executable: false,
  });
  let found: (ChainAccount | null)[];
  let asked: (readonly Address[])[];
  const comparison = () =>
    createComparison(
      {
        clock,
        chain: {
          token: async () => null,
          accounts: async (accounts: readonly Address[]) => {
            asked.push(accounts);
            return { slot: 1n, accounts: found };
          },
        } as unknown as DepositWatchDeps['chain'],
      },
      state,
    );
  const add = (change: Partial<WatchedAccount> = {}): WatchedAccount => {
    const one = { ...watched(), ...change };
    state.accounts.set(one.account, one);
    return one;
  };
  beforeEach(() => {
    found = [];
    asked = [];
  });

  it('looks at a wallet whose lamports changed, and at none whose did not', async () => {
    const one = add({ held: 5n, tries: 3 });
    found = [account(5n)];
    const compare = comparison();
    expect(compare.isDue()).toBe(true);
    await compare.run();
    expect([state.due.size, one.tries]).toEqual([0, 3]);
    found = [account(6n)];
    await compare.run();
    expect([one.nextLook, one.tries, one.held]).toEqual([clock.now(), 0, 6n]);
    one.nextLook = null;
    state.due.clear();
    found = [null];
    await compare.run();
    expect([state.due.has(one), one.held]).toEqual([true, 0n]);
  });

  it('looks at nothing that was never held and holds nothing', async () => {
    const one = add();
    found = [null];
    await comparison().run();
    expect([state.due.size, one.held]).toEqual([0, 0n]);
  });

  it('reads the units of a token account, and none of what is too short for one', async () => {
    const token = add({ account: newAddress() });
    found = [account(9n, bytes(77n))];
    await comparison().run();
    expect(token.held).toBe(77n);
    found = [account(9n, bytes(0n, 71))];
    await comparison().run();
    expect(token.held).toBe(0n);
    found = [account(9n, bytes(78n, 72))];
    await comparison().run();
    expect(token.held).toBe(78n);
  });

  it('asks for a hundred at a time, in turn, all within five seconds and once a second at most', async () => {
    const empty = comparison();
    await empty.run();
    expect([asked, empty.nextAt()]).toEqual([[], clock.now() + 5 * SECOND]);
    for (let n = 0; n < 201; n += 1) add({ account: newAddress() });
    const all = [...state.accounts.keys()];
    const compare = comparison();
    await compare.run();
    expect(compare.nextAt()).toBe(clock.now() + (5 * SECOND) / 3);
    await compare.run();
    await compare.run();
    await compare.run();
    expect(asked).toEqual([all.slice(0, 100), all.slice(100, 200), all.slice(200), all.slice(0, 100)]);
    for (let n = 0; n < 900; n += 1) add({ account: newAddress() });
    await compare.run();
    expect(compare.nextAt()).toBe(clock.now() + SECOND);
    expect(compare.isDue()).toBe(false);
    compare.later(clock.now() + 7);
    expect(compare.nextAt()).toBe(clock.now() + 7);
  });
});

describe('what a watcher keeps in mind', () => {
  it('has an account looked at by the earliest of its moments', () => {
    const one = watched();
    lookAt(state, one, 50);
    lookAt(state, one, 90);
    lookAt(state, one, 40);
    expect([one.nextLook, state.due.has(one)]).toEqual([40, true]);
    expect(tryAgain(state, one, 0)).toBe(true);
    expect(one.nextLook).toBe(40);
    one.tries = 4;
    expect(tryAgain(state, one, 0)).toBe(false);
  });

  it('is the last five thousand transactions', () => {
    for (let n = 0; n <= 5_000; n += 1) state.judged.add(`s${n}`);
    expect(['s0', 's1', 's5000'].map((name) => state.judged.has(name))).toEqual([false, true, true]);
    state.judged.add('s1');
    expect(state.judged.has('s2')).toBe(true);
  });
});

describe('the accounts of a wallet', () => {
  const program = newAddress();
  const associated = newAddress();
  const reading = (token: () => Promise<unknown>) => {
    const asked: Address[] = [];
    const read = (mints: readonly Address[], cursors: readonly object[] = []) =>
      accountsOfWallets(
        {
          chain: {
            token: async (of: Address) => {
              asked.push(of);
              return token() as never;
            },
          },
          programs: { associatedTokenAddress: () => associated },
        },
        [{ ...place(), createdAt: 77, cursors, mints } as never],
      );
    return { read, asked };
  };

  it('are itself, those that are known, and those of the tokens that it holds', async () => {
    const known = { account: newAddress(), signature: 'k', held: 3n, since: 5 };
    const { read } = reading(async () => ({ tokenProgram: program }));
    const accounts = await read([mint], [known]);
    expect(accounts.map(cursorOf)).toEqual([
      { account: wallet.address, walletId: wallet.id, signature: null, held: null, since: 77 },
      { ...known, walletId: wallet.id },
      { account: associated, walletId: wallet.id, signature: null, held: null, since: 77 },
    ]);
    expect(accounts[0]).toMatchObject({ tries: 0, unservedSince: null, nextLook: null, changed: false });
    const own = { account: wallet.address, signature: 'w', held: 1n, since: 9 };
    expect((await read([mint], [own])).map(({ since }) => since)).toEqual([9, 9]);
  });

  it('ask for the program of a mint once, and do without it where there is none', async () => {
    const { read, asked } = reading(async () => null);
    expect(await read([mint, mint])).toHaveLength(1);
    expect(asked).toHaveLength(1);
    await expect(reading(() => Promise.reject(new TypeError('a bug'))).read([mint])).rejects.toThrow('a bug');
  });
});

describe('the unread part of a history', () => {
  const history = (count: number, at = 100) =>
    Array.from({ length: count }, (_, n) => ({ signature: `s${n}`, failed: false, at: at + count - n }));
  const pages = (entries: readonly RecentEntry[]) => {
    const calls: unknown[] = [];
    const feed = {
      recent: async (
        _account: Address,
        page: { before: string | null; until: string | null; limit: number },
      ) => {
        calls.push(page);
        const from = entries.findIndex(({ signature }) => signature === page.before) + 1;
        return entries.slice(from, from + page.limit);
      },
    };
    return { feed, calls };
  };
  const read = (feed: { recent: (typeof deps)['feed']['recent'] }, since = 0) =>
    readUnread(feed, { account: wallet.address, signature: 'known' }, since);

  it('is the oldest thousand, oldest first, and says that newer ones follow', async () => {
    const { feed, calls } = pages(history(2_500));
    const { entries, more } = await read(feed);
    expect([entries.length, entries[0]?.signature, entries.at(-1)?.signature, more]).toEqual([
      1_000,
      's2499',
      's1500',
      true,
    ]);
    expect(calls).toEqual(
      [null, 's999', 's1999'].map((before) => ({ until: 'known', before, limit: 1_000 })),
    );
  });

  it('is whole where it has a thousand or less', async () => {
    expect(await read(pages(history(1_000)).feed)).toMatchObject({ more: false });
    expect((await read(pages(history(3)).feed)).entries.map(({ signature }) => signature)).toEqual([
      's2',
      's1',
      's0',
    ]);
    expect(await read(pages([]).feed)).toEqual({ entries: [], more: false });
  });

  it('is not read on behind what is too old', async () => {
    const { feed, calls } = pages(history(2_500));
    await read(feed, 100 + 1_501);
    expect(calls).toHaveLength(1);
    const exact = pages(history(2_500));
    await read(exact.feed, 100 + 1_500);
    expect(exact.calls).toHaveLength(2);
    const timeless = pages(history(1_500).map((one) => ({ ...one, at: null })));
    await read(timeless.feed, 9e15);
    expect(timeless.calls).toHaveLength(2);
  });

  it('ends with an error where a node lists one page for ever', async () => {
    const page = history(1_000);
    await expect(read({ recent: async () => page })).rejects.toThrow(wallet.address);
  });
});

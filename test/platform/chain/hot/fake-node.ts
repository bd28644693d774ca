import {
  type Address,
  addressFromBytes,
  type ChainAccount,
  maxBigint,
  SYSTEM_PROGRAM,
} from '@tradepost/solana';
import { expect } from 'vitest';
import {
  createHotAccounts,
  type HotAccounts,
  type HotAccountsDeps,
} from '../../../../src/platform/chain/hot/hot-accounts.ts';
import type { OpenSocket, SocketEvents } from '../../../../src/platform/chain/hot/web-socket.ts';

export const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;
export const KEYS: readonly Address[] = Array.from({ length: 6 }, (_, n) =>
  addressFromBytes(new Uint8Array(32).fill(n + 9)),
);
export const SLOT_MS = 400;

type Request = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
/** Between two slots: slots without a block, or blocks whose notices were lost and in which the first account changed. */
export type Between = {
  readonly slots: bigint;
  readonly are: 'empty' | 'lost';
  /** The parent that the node names, where it lies; absent: the true one. */
  readonly parent?: (slot: bigint, before: bigint) => bigint;
};

/**
 * A node with its chain, its socket and its clock, all moved by hand: what it sends waits until `deliver`, what is asked of it
 * by reading waits until `answerReads`. It tells of a slot's accounts in any order, its clock among them.
 */
export function createFakeNode(options: Partial<HotAccountsDeps> = {}) {
  let now = 1_000;
  let slot = 100n;
  let serial = 0;
  /** What every account was at the end of each slot, and when the slot was. */
  const truth = new Map<bigint, { readonly at: number; readonly states: ReadonlyMap<Address, bigint> }>();
  let states = new Map<Address, bigint>(KEYS.map((key) => [key, 1n]));
  truth.set(slot, { at: now, states });
  let queue: (() => void)[] = [];
  let events: SocketEvents | null = null;
  let subscriptions = new Map<number, Address>();
  let tellsParents = true;
  let slotsFollowed = false;
  let nextSubscription = 1;
  const dropped = new Set<Address>();
  const refused = new Set<Address>();
  let reads: { readonly keys: readonly Address[]; readonly resolve: (value: Awaited<Read>) => void }[] = [];
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const lines: string[] = [];
  const counts = { opened: 0, reads: 0, unsubscribed: 0 };
  let answersPings = true;
  let isUp = true;

  const accountOf = (lamports: bigint | undefined): ChainAccount | null =>
    lamports === undefined || lamports === 0n
      ? null
      : {
          lamports,
          owner: SYSTEM_PROGRAM,
          data: new Uint8Array([Number(lamports % 251n)]),
          executable: false,
        };
  const wire = (lamports: bigint) => ({
    lamports: Number(lamports),
    owner: SYSTEM_PROGRAM,
    data: [Buffer.from([Number(lamports % 251n)]).toString('base64'), 'base64'],
    executable: false,
  });
  const say = (message: unknown): void => {
    const to = events;
    queue.push(() => {
      if (to === events) to?.text(JSON.stringify(message));
    });
  };
  const notify = (subscription: number, at: bigint, value: unknown): void =>
    say({
      jsonrpc: '2.0',
      method: 'accountNotification',
      params: { subscription, result: { context: { slot: Number(at) }, value } },
    });

  const handle = ({ id, method, params }: Request): void => {
    if (method === 'accountUnsubscribe') {
      counts.unsubscribed += 1;
      subscriptions.delete(Number(params[0]));
      say({ jsonrpc: '2.0', id, result: true });
      return;
    }
    if (method === 'slotSubscribe') {
      slotsFollowed = tellsParents;
      say(
        tellsParents
          ? { jsonrpc: '2.0', id, result: 0 }
          : { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } },
      );
      return;
    }
    const key = params[0] as Address;
    if (refused.has(key)) {
      say({ jsonrpc: '2.0', id, error: { code: -32_600, message: 'too many subscriptions' } });
      return;
    }
    // Agave gives the same number for the same subscription on one connection.
    const standing = [...subscriptions].find(([, one]) => one === key)?.[0];
    const subscription = standing ?? nextSubscription++;
    subscriptions.set(subscription, key);
    say({ jsonrpc: '2.0', id, result: subscription });
  };

  const open: OpenSocket = (_, given) => {
    counts.opened += 1;
    const mine = given;
    events = given;
    subscriptions = new Map();
    slotsFollowed = false;
    queue.push(() => {
      if (events !== mine) return;
      if (isUp) mine.opened();
      else {
        events = null;
        mine.closed('ECONNREFUSED');
      }
    });
    return {
      send: (message) => {
        if (events !== mine) return;
        const request = JSON.parse(message) as Request;
        queue.push(() => {
          if (events === mine) handle(request);
        });
      },
      ping: (tag) => {
        if (!answersPings || events !== mine) return;
        queue.push(() => {
          if (events === mine) mine.pong(tag);
        });
      },
      end: () => {
        if (events === mine) events = null;
      },
    };
  };

  type Read = ReturnType<HotAccountsDeps['read']>;
  const hot: HotAccounts = createHotAccounts({
    open,
    urls: ['ws://node.test'],
    read: (keys) =>
      new Promise((resolve) => {
        counts.reads += 1;
        reads.push({ keys, resolve });
      }),
    now: () => now,
    slotMs: () => 400,
    epochNow: () => 1_700_000_000_000 + now,
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    maxAgeMs: 2_000,
    log: {
      debug: (details, text) => lines.push(`debug ${text} ${JSON.stringify(details)}`),
      info: (details, text) => lines.push(`info ${text} ${JSON.stringify(details)}`),
      warn: (details, text) => lines.push(`warn ${text} ${JSON.stringify(details)}`),
    },
    ...options,
  });

  const node = {
    hot,
    truth,
    counts,
    lines,
    dropped,
    refused,
    now: () => now,
    slotMs: () => 400,
    slot: () => slot,
    set answersPings(value: boolean) {
      answersPings = value;
    },
    set tellsParents(value: boolean) {
      tellsParents = value;
    },
    set isUp(value: boolean) {
      isUp = value;
    },
    /** Ends the next slot: these accounts change in it (0 closes one), and it is told of in the order of `shuffle`. */
    advance: (
      changed: readonly Address[],
      shuffle = 0,
      between: Between = { slots: 0n, are: 'empty' },
    ): void => {
      const before = slot;
      if (between.are === 'lost')
        for (let n = 0n; n < between.slots; n += 1n) {
          slot += 1n;
          serial += 1;
          states = new Map(states).set(KEYS[0] ?? CLOCK, BigInt(serial + 1));
          truth.set(slot, { at: now, states });
        }
      else slot += between.slots;
      slot += 1n;
      const parent = Number(between.parent?.(slot, before) ?? (between.are === 'lost' ? slot - 1n : before));
      if (slotsFollowed)
        say({
          jsonrpc: '2.0',
          method: 'slotNotification',
          params: { subscription: 0, result: { slot: Number(slot), parent, root: Number(before) } },
        });
      states = new Map(states);
      for (const key of changed) {
        serial += 1;
        states.set(key, serial % 7 === 0 ? 0n : BigInt(serial + 1));
      }
      truth.set(slot, { at: now, states });
      const told = [...subscriptions].filter(
        ([, key]) => key === CLOCK || (changed.includes(key) && !dropped.has(key)),
      );
      const turn = told.length === 0 ? 0 : shuffle % told.length;
      for (const [subscription, key] of [...told.slice(turn), ...told.slice(0, turn)]) {
        notify(subscription, slot, key === CLOCK ? wire(slot) : wire(states.get(key) ?? 0n));
      }
    },
    /** What the chain says of a slot, also one that was passed over. */
    at: (wanted: bigint) => {
      let newest = 100n;
      for (const one of truth.keys()) if (one <= wanted && one > newest) newest = one;
      return truth.get(newest);
    },
    lamportsAt: (keys: readonly Address[], wanted: bigint) =>
      keys.map((key) => node.accountAt(key, wanted)?.lamports ?? null),
    accountAt: (key: Address, wanted: bigint) => accountOf(node.at(wanted)?.states.get(key)),
    /** Blocks after the first slot up to the last one. */
    blocksBetween: (first: bigint, last: bigint): number =>
      [...truth.keys()].filter((one) => one > first && one <= last).length,
    /** The newest slot that the node had ended by then. */
    slotAtTime: (time: number): bigint =>
      [...truth].filter(([, { at }]) => at <= time).reduce((newest, [one]) => maxBigint(newest, one), 0n),
    deliver: (count = Number.POSITIVE_INFINITY): void => {
      for (let n = 0; n < count && queue.length > 0; n += 1) queue.shift()?.();
    },
    /** The message at the front once more. */
    repeat: (): void => {
      const [first] = queue;
      if (first !== undefined) queue.unshift(first);
    },
    /** Says something out of turn. */
    notifyOf: (key: Address, at: bigint, lamports: bigint): void => {
      for (const [subscription, one] of subscriptions)
        if (one === key) notify(subscription, at, wire(lamports));
    },
    say,
    cut: (): void => {
      const lost = events;
      events = null;
      queue = [];
      lost?.closed('the connection was lost');
    },
    answerReads: async (lag = 0n): Promise<void> => {
      const due = reads;
      reads = [];
      const at = slot - lag;
      for (const { keys, resolve } of due) {
        resolve({
          slot: at,
          accounts: keys.map((key) => (key === CLOCK ? accountOf(at) : node.accountAt(key, at))),
        });
      }
      for (let n = 0; n < 5; n += 1) await Promise.resolve();
    },
    pass: (ms: number): void => {
      const until = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = until;
    },
    /** One slot with everything in order: time, notices, reads. */
    tick: async (changed: readonly Address[] = []): Promise<void> => {
      node.pass(SLOT_MS);
      node.advance(changed);
      node.deliver();
      await node.answerReads();
      node.deliver();
    },
  };
  return node;
}

/** What is served is the chain at the slot that it names. */
export function expectTruth(node: FakeNode, keys: readonly Address[]): void {
  const snapshot = node.hot.snapshot(keys);
  expect(snapshot).not.toBeNull();
  if (snapshot === null) return;
  expect(lamportsOf(snapshot.accounts)).toEqual(node.lamportsAt(keys, snapshot.slot));
}

export const lamportsOf = (accounts: readonly (ChainAccount | null)[]) =>
  accounts.map((account) => account?.lamports ?? null);

export type FakeNode = ReturnType<typeof createFakeNode>;

import type { Address, ChainAccount } from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import type { Logger } from '../../ports/logger.ts';
import { type AccountHistory, createAccountHistory, isSame, type Version } from './account-history.ts';
import { createChangedAccounts } from './changed-accounts.ts';
import {
  AUDIT_MS,
  GOOD_AFTER_MS,
  LIMITS,
  LONGEST_RECONNECT_MS,
  MAX_NOTICES,
  MAX_UNANSWERED,
  MAX_VERSIONS,
  RECONNECT_MS,
  SILENCE_MS,
  USUAL_LAG_SLOTS,
} from './hot-limits.ts';
import { noticeOf, slotsMessage, subscribeMessage, unsubscribeMessage } from './notices.ts';
import { createSlotBelief } from './slot-belief.ts';
import { createWantedSets, type WantedLimits } from './wanted-sets.ts';
import type { OpenSocket, Socket } from './web-socket.ts';

const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');

/** Accounts as of the end of one slot, with the time (epoch milliseconds) at which that was surely the newest known. */
export type HotSnapshot = {
  readonly slot: bigint;
  readonly asOf: number;
  readonly accounts: readonly (ChainAccount | null)[];
};

/** Accounts of pools that are quoted all the time, kept by subscriptions instead of being read for each quote. */
export type HotAccounts = {
  /**
   * The accounts as of one slot, none older than the configured age; null whenever that is not sure, and then they are to be
   * read. Never an account of one slot beside one of another.
   */
  readonly snapshot: (accounts: readonly Address[]) => HotSnapshot | null;
  /** A pool was quoted and rests on these accounts: worth following. */
  readonly want: (pool: Address, accounts: readonly Address[]) => void;
  /** A node answered as of this slot: followed accounts must not lag far behind it. */
  readonly noteSlot: (slot: bigint) => void;
  /** This process knows of a transaction in this slot: older state would deny it. */
  readonly noteLanded: (slot: bigint) => void;
  /**
   * Calls back with the followed pools that changed, once a slot is believed. A hint: a change during a disturbance is not reported, and
   * pools that are not followed never are.
   */
  readonly onChange: (listener: (pools: ReadonlySet<Address>) => void) => void;
  readonly close: () => void;
};

export type HotAccountsDeps = {
  readonly open: OpenSocket;
  /** Web-socket addresses, tried in turn. At least one. */
  readonly urls: readonly string[];
  readonly read: (
    accounts: readonly Address[],
  ) => Promise<{ readonly slot: bigint; readonly accounts: readonly (ChainAccount | null)[] }>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly epochNow: () => number;
  /** Calls back once unless cancelled; never keeps the process alive. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly maxAgeMs: number;
  /** As measured now. */
  readonly slotMs: () => number;
  readonly limits?: Partial<WantedLimits>;
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn'>;
};

type Followed = {
  readonly history: AccountHistory;
  /** Null until the other side has accepted it. */
  subscription: number | null;
  request: number | null;
  /** The clock that came first after that: every later slot has all its notices. Null before. */
  since: bigint | null;
  /** A read's state of a slot that is not believed yet. */
  audit: Version | null;
};

/** One connection with all that is known by it; a lost one takes that with it. */
type Line = { readonly socket: Socket; readonly openedAt: number; isOpen: boolean };

/**
 * Follows accounts by `accountSubscribe` at `confirmed` together with the clock sysvar, which changes in every slot. An account counts from
 * a read that was made after its subscription was accepted. Its believed state is the one at the last slot whose successor's clock has come
 * (`slot-belief.ts`). The parents of blocks are followed besides, so that a slot without a block is no disturbance. Every disturbance of this order forgets the known state, so that pools are read until all is well again. Disturbances
 * are a lost connection, a slot passed over, notices late or too many, and silence. Every twenty seconds everything is compared with a
 * read: a subscription that was dropped on the quiet shows there.
 */
export function createHotAccounts(deps: HotAccountsDeps): HotAccounts {
  const { now, log } = deps;
  const wanted = createWantedSets({ ...LIMITS, ...deps.limits });
  const belief = createSlotBelief();
  const followed = new Map<Address, Followed>();
  const bySubscription = new Map<number, Address>();
  const requests = new Map<number, Address>();
  const changes = createChangedAccounts();
  const listeners = new Set<(pools: ReadonlySet<Address>) => void>();
  const mostLag = (): bigint => BigInt(Math.ceil(deps.maxAgeMs / deps.slotMs())) + USUAL_LAG_SLOTS;
  let line: Line | null = null;
  let retry: (() => void) | null = null;
  let watch: (() => void) | null = null;
  let failures = 0;
  let turns = 0;
  let nextRequest = 1;
  let notices = 0;
  let reading = false;
  let auditedAt = 0;
  let newestRead = 0n;
  let newestLanded = 0n;
  let isServing = false;
  let isClosed = false;

  const lose = (reason: string): void => {
    const lost = line;
    if (lost === null) return;
    line = null;
    lost.socket.end();
    watch?.();
    forget();
    if (isClosed) return;
    if (now() - lost.openedAt >= GOOD_AFTER_MS) failures = 0;
    const wait = Math.min(LONGEST_RECONNECT_MS, RECONNECT_MS * 2 ** failures);
    failures = Math.min(failures + 1, 10);
    log[isServing ? 'warn' : 'debug']({ reason, retryMs: wait }, 'hot pools are read again: no subscription');
    isServing = false;
    retry = deps.after(wait, () => {
      retry = null;
      connect();
    });
  };

  const forget = (): void => {
    belief.reset();
    followed.clear();
    bySubscription.clear();
    requests.clear();
    changes.clear();
    notices = 0;
  };

  /** Subscriptions are up, but their notices cannot be relied on: everything is read anew. */
  const doubt = (reason: string, since: bigint): void => {
    log.debug({ reason }, 'hot pools are read again until the next slots have come');
    for (const one of followed.values()) {
      one.history.reset();
      one.audit = null;
      one.since = one.subscription === null ? null : since;
    }
  };

  const connect = (): void => {
    if (isClosed || line !== null || retry !== null || wanted.pools() === 0) return;
    const url = deps.urls[turns++ % deps.urls.length] ?? '';
    const mine: { line: Line | null } = { line: null };
    const isMine = (): boolean => mine.line !== null && mine.line === line;
    const socket = deps.open(url, {
      opened: () => {
        if (mine.line === null || !isMine()) return;
        mine.line.isOpen = true;
        // Refused by some nodes: then each slot that is passed over counts as lost.
        mine.line.socket.send(slotsMessage(nextRequest++));
        follow();
        keepWatch();
      },
      text: (message) => {
        if (isMine()) hear(message);
      },
      pong: (tag) => {
        if (isMine()) belief.pong(tag);
      },
      closed: (reason) => {
        if (isMine()) lose(reason);
      },
    });
    mine.line = { socket, openedAt: now(), isOpen: false };
    line = mine.line;
    auditedAt = now();
  };

  const keepWatch = (): void => {
    watch = deps.after(SILENCE_MS, () => {
      if (line === null) return;
      if (now() - Math.max(belief.toldAt() ?? 0, line.openedAt) >= SILENCE_MS) lose('no slot in ten seconds');
      else keepWatch();
    });
  };

  /** Brings the subscriptions in line with the wanted accounts. */
  const follow = (): void => {
    if (line?.isOpen !== true) return;
    const { socket } = line;
    const all = new Set([CLOCK_SYSVAR, ...wanted.accounts()]);
    for (const [key, one] of followed) {
      // One that was asked for and not answered stays until it is: asked for again meanwhile, a node may give both the same
      // number, and ending the first would end the second.
      if (all.has(key) || one.request !== null) continue;
      followed.delete(key);
      if (one.subscription === null) continue;
      bySubscription.delete(one.subscription);
      socket.send(unsubscribeMessage(nextRequest++, one.subscription));
    }
    for (const key of all) {
      if (followed.has(key)) continue;
      const request = nextRequest++;
      requests.set(request, key);
      followed.set(key, {
        history: createAccountHistory(),
        subscription: null,
        request,
        since: null,
        audit: null,
      });
      socket.send(subscribeMessage(request, key));
    }
  };

  const hear = (message: string): void => {
    const notice = noticeOf(message);
    if (notice === null) lose('a message in no known form');
    else if (notice.kind === 'accepted') accepted(notice.request, notice.subscription);
    else if (notice.kind === 'refused') refused(notice.request, notice.reason);
    else if (notice.kind === 'slot') belief.began(notice.slot, notice.parent);
    else if (notice.kind === 'account') told(notice.subscription, notice);
  };

  const accepted = (request: number, subscription: number): void => {
    const key = requests.get(request);
    const one = key === undefined ? undefined : followed.get(key);
    // A second answer: the subscription is up already.
    if (key === undefined || one === undefined) return;
    requests.delete(request);
    one.subscription = subscription;
    one.request = null;
    bySubscription.set(subscription, key);
    if (key !== CLOCK_SYSVAR && !wanted.accounts().has(key)) follow();
  };

  const refused = (request: number, reason: string): void => {
    const key = requests.get(request);
    const one = key === undefined ? undefined : followed.get(key);
    requests.delete(request);
    if (one !== undefined) one.request = null;
    if (key === CLOCK_SYSVAR) lose(`the clock cannot be followed: ${reason}`);
    else if (key !== undefined) log.debug({ account: key, reason }, 'an account cannot be followed');
  };

  const told = (subscription: number, version: Version): void => {
    const key = bySubscription.get(subscription);
    // Of an account that is no longer followed: the other side has not heard yet.
    const one = key === undefined ? undefined : followed.get(key);
    if (key === undefined || one === undefined) return;
    notices += 1;
    if (notices > MAX_NOTICES * (followed.size + 10)) lose('more notices than slots can bring');
    else if (!one.history.told(version, belief.slot())) lose('a slot was told of after it was over');
    else if (one.history.size() > MAX_VERSIONS) lose('accounts change and the clock does not');
    else if (key === CLOCK_SYSVAR) beat(version.slot);
    else changes.note(key, version.slot);
  };

  const beat = (slot: bigint): void => {
    const kind = belief.clock(slot, now());
    if (kind === 'again') return;
    notices = 0;
    line?.socket.ping(slot.toString());
    if (kind === 'backwards') lose('the clock went backwards');
    else if (belief.unanswered() > MAX_UNANSWERED) lose('pings are not answered');
    else {
      if (kind === 'gap') doubt('a slot was passed over', slot);
      for (const one of followed.values()) if (one.subscription !== null) one.since ??= slot;
      settle();
      if (wanted.expire(now())) follow();
      if (wanted.pools() === 0) rest();
      else if (line !== null) void catchUp();
    }
  };

  /** Nothing is wanted: the connection is closed until something is. */
  const rest = (): void => {
    line?.socket.end();
    line = null;
    watch?.();
    forget();
    isServing = false;
  };

  /** The effects of the newest clock: audits whose slot has come, and versions that no caller can ask for any more. */
  const settle = (): void => {
    const settled = belief.slot();
    if (settled === null) return;
    for (const [key, one] of followed) {
      const { audit } = one;
      if (audit !== null && audit.slot <= settled) {
        one.audit = null;
        if (!agrees(one, audit)) {
          lose(`a change of ${key} was not told`);
          break;
        }
      }
      one.history.settle(settled);
    }
    const pools = wanted.poolsOf(changes.take(settled));
    if (pools.size > 0) for (const listener of listeners) listener(pools);
  };

  const agrees = (one: Followed, read: Version): boolean => {
    const held = one.history.at(read.slot);
    // Replaced by a later version in the meantime, or read anew since: nothing to compare.
    return held === undefined || isSame(held.account, read.account);
  };

  /** Reads accounts that were accepted but never read, or, every now and then, everything, to compare. */
  const catchUp = async (): Promise<void> => {
    const audits = now() - auditedAt >= AUDIT_MS;
    const due = [...followed].filter(([, one]) => one.since !== null && (audits || !one.history.isBased()));
    if (reading || due.length === 0) return;
    reading = true;
    if (audits) auditedAt = now();
    const before = line;
    try {
      const keys = due.map(([key]) => key);
      const { slot, accounts } = await deps.read(keys);
      if (line !== before) return;
      for (const [index, [key, one]] of due.entries()) {
        if (followed.get(key) !== one || one.since === null) continue;
        const version = { slot, account: accounts[index] ?? null };
        if (one.history.isBased()) examine(key, one, version);
        // A node that lags has answered with state from before the subscription: asked again at the next clock.
        else if (slot >= one.since) one.history.base(version);
        if (line !== before) return;
      }
      if (!isServing && due.every(([, one]) => one.history.isBased())) {
        isServing = true;
        log.info(
          { pools: wanted.pools(), accounts: followed.size },
          'hot pools are followed by subscription',
        );
      }
    } catch (err) {
      log.debug({ err }, 'hot pools could not be read');
    } finally {
      reading = false;
    }
  };

  const examine = (key: Address, one: Followed, version: Version): void => {
    // The clock's data differ from node to node by when they were asked.
    if (key === CLOCK_SYSVAR) return;
    const settled = belief.slot();
    if (settled === null || version.slot > settled) one.audit = version;
    else if (!agrees(one, version)) lose(`a change of ${key} was not told`);
  };

  return {
    snapshot: (accounts) => {
      const slot = belief.slot();
      if (line === null || slot === null || slot < newestLanded || newestRead - slot > mostLag()) return null;
      const ageMs = belief.ageMs(now());
      if (ageMs > deps.maxAgeMs) return null;
      const states: (ChainAccount | null)[] = [];
      for (const key of accounts) {
        const version = followed.get(key)?.history.at(slot);
        if (version === undefined) return null;
        states.push(version.account);
      }
      return { slot, asOf: deps.epochNow() - ageMs, accounts: states };
    },

    want: (pool, accounts) => {
      if (isClosed) return;
      if (wanted.want(pool, accounts, now())) follow();
      connect();
    },

    noteSlot: (slot) => {
      if (slot > newestRead) newestRead = slot;
    },

    noteLanded: (slot) => {
      if (slot > newestLanded) newestLanded = slot;
    },

    onChange: (listener) => void listeners.add(listener),

    close: () => {
      isClosed = true;
      retry?.();
      rest();
    },
  };
}

import type { Address } from '@tradepost/solana';
import { ageAt } from '../../../core/time/age.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import { backOffSlots } from '../rules/budget.ts';
import type { Order, OrderGroup } from '../rules/order.ts';
import type { Rate } from '../rules/rate.ts';
import type { FireOutcome } from './fire-order.ts';
import type { FireDeps } from './order-deps.ts';

/**
 * Children of one token that are not signed yet, with those that are being fired: a crash with a thousand stops must not sell into
 * its own stale quotes, so no more than these are quoted on the same state.
 */
const UNSIGNED_AT_MOST = 16;
const UNSIGNED_LOOK_MS = 50;
const UNSIGNED_WAIT_MS = 5_000;
/** A refusal so long after the last one is a first one: a stop must not wait for a fault of another day. */
const CALM_MS = 60_000;
/**
 * Fires of one token that are under way at once: each waits for nodes and for the database half of its time. With four, the last of
 * a hundred stops came sooner and the first twenty later: their trades shared the processor with the fires behind them.
 */
const TOGETHER = 2;

export type Fire = {
  readonly orderId: string;
  readonly version?: number;
  readonly slot: bigint;
  readonly high: Rate | null;
};

export type FireQueue = {
  /** Fires it in its turn, the oldest order first. One that is being fired, or was refused a moment ago, is left. */
  add(mint: Address, fire: Fire): void;
  /** An order that fires by time, as it is now. */
  schedule(order: Order, group: OrderGroup): void;
  scheduled(): readonly { readonly order: Order; readonly group: OrderGroup }[];
  isBusy(mint: Address): boolean;
  /** Forgets orders that are not open any more. */
  keep(orderIds: ReadonlySet<string>): void;
  clear(): void;
  stop(): Promise<void>;
};

type Refused = { readonly until: number; readonly times: number };

type TokenFires = {
  readonly waiting: Map<string, Fire>;
  /** Orders. */
  readonly firing: Set<string>;
  /** Intents that were not signed when last looked at. */
  readonly unsigned: Set<string>;
  /** How many fire its orders now, one after the other. */
  lanes: number;
};

type QueueDeps = Pick<FireDeps, 'clock' | 'pause'> & {
  readonly chain: Pick<Chain, 'slotMs'>;
  readonly db: { readonly intents: Pick<FireDeps['db']['intents'], 'find'> };
  readonly log: Pick<Logger, 'warn'>;
  readonly fire: (fire: Fire) => Promise<FireOutcome>;
};

/** Fires by `fire`, a few of each token at a time. An error is logged and the fire dropped: the evaluator sees it again. */
export function createFireQueue(deps: QueueDeps): FireQueue {
  const tokens = new Map<Address, TokenFires>();
  const refused = new Map<string, Refused>();
  const timed = new Map<string, { readonly order: Order; readonly group: OrderGroup }>();
  const live = new Set<Promise<void>>();
  let isStopped = false;

  /** The first child that was signed, or ended, counts no more. */
  const forgetSigned = async (unsigned: Set<string>): Promise<void> => {
    for (const id of unsigned) {
      const intent = await deps.db.intents.find(id);
      if (intent?.status === 'CREATED') continue;
      unsigned.delete(id);
      return;
    }
  };

  const hasRoom = ({ firing, unsigned }: TokenFires): boolean =>
    firing.size + unsigned.size < UNSIGNED_AT_MOST;

  /** Waits until one more may be unsigned. False after a while: a child that is stuck does not hold the others up for ever. */
  const room = async (token: TokenFires): Promise<boolean> => {
    const until = deps.clock.now() + UNSIGNED_WAIT_MS;
    while (!isStopped && !hasRoom(token) && deps.clock.now() < until) {
      await forgetSigned(token.unsigned);
      if (!hasRoom(token)) await deps.pause(UNSIGNED_LOOK_MS);
    }
    return hasRoom(token);
  };

  const fireOne = async (token: TokenFires, fire: Fire): Promise<void> => {
    const outcome = await deps.fire(fire);
    if (outcome.kind === 'fired') {
      refused.delete(fire.orderId);
      token.unsigned.add(outcome.intentId);
    }
    if (outcome.kind !== 'held-back') return;
    const now = deps.clock.now();
    const before = refused.get(fire.orderId);
    const times = before === undefined || ageAt(before.until, now) > CALM_MS ? 1 : before.times + 1;
    refused.set(fire.orderId, { times, until: now + backOffSlots(times) * deps.chain.slotMs() });
  };

  const lane = async (token: TokenFires): Promise<void> => {
    while (!isStopped && token.waiting.size > 0) {
      // Another lane may have taken the room that this one waited for.
      if ((await room(token)) && !hasRoom(token)) continue;
      // Ids grow with time.
      const [orderId = ''] = [...token.waiting.keys()].toSorted();
      const fire = token.waiting.get(orderId);
      if (fire === undefined || isStopped) continue;
      token.waiting.delete(orderId);
      token.firing.add(orderId);
      try {
        await fireOne(token, fire);
      } catch (err) {
        deps.log.warn({ err, orderId }, 'an order could not be fired');
      } finally {
        token.firing.delete(orderId);
      }
    }
    // In one step with the last look: a later caller finds a lane, or begins one.
    token.lanes -= 1;
  };

  const beginLane = (token: TokenFires): void => {
    token.lanes += 1;
    const running = lane(token).finally(() => live.delete(running));
    live.add(running);
  };

  const tokenOf = (mint: Address): TokenFires => {
    const known = tokens.get(mint);
    if (known !== undefined) return known;
    const token: TokenFires = { waiting: new Map(), firing: new Set(), unsigned: new Set(), lanes: 0 };
    tokens.set(mint, token);
    return token;
  };

  return {
    add: (mint, fire) => {
      if (isStopped || deps.clock.now() < (refused.get(fire.orderId)?.until ?? 0)) return;
      const token = tokenOf(mint);
      if (token.firing.has(fire.orderId)) return;
      token.waiting.set(fire.orderId, fire);
      if (token.lanes < TOGETHER) beginLane(token);
    },
    schedule: (order, group) => {
      if (order.status === 'OPEN') timed.set(order.id, { order, group });
      else timed.delete(order.id);
    },
    scheduled: () => [...timed.values()],
    isBusy: (mint) => (tokens.get(mint)?.lanes ?? 0) > 0,
    keep: (orderIds) => {
      for (const id of timed.keys()) if (!orderIds.has(id)) timed.delete(id);
      for (const id of refused.keys()) if (!orderIds.has(id)) refused.delete(id);
    },
    clear: () => {
      for (const { waiting } of tokens.values()) waiting.clear();
      timed.clear();
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(live);
    },
  };
}

import { type Address, addressFromBytes } from '@tradepost/solana';
import type { Intent } from '../../../../src/engine/intents/rules/intent.ts';
import { isFrozen } from '../../../../src/modules/guard/rules/freeze.ts';
import { freezeAccount } from '../../../../src/modules/guard/use/freeze-account.ts';
import type { OrderGroup } from '../../../../src/modules/orders/rules/order.ts';
import type { OrderFeedStore } from '../../../../src/modules/orders/store/order-feed-store-port.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import { memoryOrderFeed } from '../../fakes/memory-orders.ts';
import { PASSED } from '../../passed.ts';
import { type Cluster, type Landing, SLOT_MS } from '../cluster.ts';
import type { FaultLevels } from '../fault-levels.ts';
import { addPerson, walletOf } from '../people.ts';
import { VENUE } from '../plans.ts';
import type { SimProcess } from '../process.ts';
import { type Random, seededRandom } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import { createOrderInvariants } from './order-invariants.ts';
import {
  groupsOf,
  HOLDING,
  ORDER_KINDS,
  type SimOrderKind,
  startsWithTokens,
  waitsForEvent,
} from './order-people.ts';
import { createPricePath, type PricePath } from './price-path.ts';
import { launchOf, simEvents } from './sim-events.ts';
import type { OrderWorld } from './sim-market.ts';
import { createTokenLife } from './token-life.ts';

const LAMPORTS = 1_000_000_000n;
/** People of orders stand behind those of requests. */
const FIRST_PERSON = 50;
const MINTS: readonly Address[] = [VENUE, addressFromBytes(new Uint8Array(32).fill(78))];
/** Its creator sells, and its depth falls. */
const LIVING: Address = addressFromBytes(new Uint8Array(32).fill(79));
/**
 * After the weather prices rise above all that they were, and fall by steps that no floor is below, each long enough for any hold.
 */
const LEAST_HIGH = 3;
const ABOVE = 1.2;
const LOW = 0.2;
const STEP = 0.95;
const STEP_SLOTS = 45;

type Client = Parameters<typeof freezeAccount>[0] & { readonly db: Database; readonly process: SimProcess };

/** Orders of a run: who places them, over which prices, and what must be true of them. */
export function createOrderStory(run: {
  readonly seed: number;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly levels: () => FaultLevels;
  readonly cluster: Cluster;
  readonly db: Database;
  /** The rows as they are, for the judgement at the end. */
  readonly books: Database;
  readonly landed: () => ReadonlyMap<string, readonly Landing[]>;
  readonly violate: (text: string) => void;
  readonly kinds: readonly SimOrderKind[];
  /** The group as it is written; absent: without certificates, which no signer of the run asks for. */
  readonly certify?: (group: OrderGroup) => Promise<OrderGroup>;
}) {
  const { timeline, random, cluster, db, kinds } = run;
  const slot = cluster.height;
  const paths = new Map<Address, PricePath>(
    MINTS.map((mint, index) => [mint, createPricePath(run.seed * 7 + index, mint, slot())]),
  );
  const life = createTokenLife(run.seed * 7 + 3, slot());
  paths.set(LIVING, createPricePath(run.seed * 7 + MINTS.length, LIVING, slot(), life.depthAt));
  const initial = new Map<string, bigint>();
  const orderIds = new Set<string>();
  const feed: OrderFeedStore = memoryOrderFeed();

  const pathOf = (mint: Address): PricePath => {
    const path = paths.get(mint);
    if (path === undefined) throw new Error('nothing trades it');
    return path;
  };
  const held = (wallet: Address, mint: Address): bigint => {
    let units = initial.get(`${wallet}:${mint}`) ?? 0n;
    for (const { tokens } of cluster.landings.values())
      for (const one of tokens)
        if (one.owner === wallet && one.mint === mint) units += one.after - one.before;
    return units;
  };
  const world: OrderWorld = {
    timeline,
    random,
    levels: run.levels,
    slot,
    paths,
    lives: new Map([[LIVING, life]]),
    held,
  };
  const invariants = createOrderInvariants({
    db: run.books,
    now: timeline.now,
    slot,
    pathOf: (order) => pathOf(order.mint),
    life,
    say: run.violate,
  });
  const unplaced = new Set<string>();

  /** Everybody places what they want, as often as it takes until they hear that it stands; some freeze everything later. */
  async function place(client: () => Client): Promise<void> {
    await db.seenLaunches.insert(launchOf(LIVING));
    for (const [index, kind] of kinds.entries()) {
      const person = FIRST_PERSON + index;
      const userId = await addPerson(db, { index: person, inviterId: null });
      unplaced.add(userId);
      const mint = waitsForEvent(kind) ? LIVING : random.pick(MINTS);
      cluster.balances.set(walletOf(person), 8n * LAMPORTS);
      if (startsWithTokens(kind)) initial.set(`${walletOf(person)}:${mint}`, 2n * HOLDING);
      const again = (work: () => Promise<void>): void => {
        work().catch(() => timeline.after(random.between(200, 3_000), () => again(work)));
      };
      let groups: readonly OrderGroup[] | null = null;
      const placing = async (): Promise<void> => {
        const { process, db: reached } = client();
        groups ??= await groupsOf(kind, {
          userId,
          walletId: `wallet-${userId}`,
          mint,
          price: pathOf(mint).priceAt(slot()),
          now: timeline.now(),
          id: idsOf(run.seed, index),
          random,
          events: simEvents(world, process, reached, feed),
        });
        const { certify } = run;
        const made = certify === undefined ? groups : await Promise.all(groups.map(certify));
        await client().db.transact(async ({ orders, guards }) => {
          // Who froze everything meanwhile places nothing.
          if (isFrozen(await guards.lock(userId), timeline.now())) return;
          for (const group of made) {
            if ((await orders.insert(PASSED, group)) === null) continue;
            invariants.onPlaced(group);
            for (const { id } of group.orders) orderIds.add(id);
          }
        });
        unplaced.delete(userId);
      };
      timeline.after(random.between(100, 20_000), () => again(placing));
      if (random.chance(0.1)) {
        const freezing = async (): Promise<void> => void (await freezeAccount(client(), { userId }));
        timeline.after(random.between(5_000, 60_000), () => again(freezing));
      }
    }
  }

  return {
    world,
    feed,
    /** Gives a wallet units of both tokens from the beginning. */
    endow: (wallet: Address, units: bigint): void => {
      for (const mint of MINTS) initial.set(`${wallet}:${mint}`, units);
    },
    place,
    onIntent: (intent: Intent) => invariants.onIntent(intent),
    /** The weather is over: from now on every price and event that an order waits for comes. In how many milliseconds the last one has. */
    settle(): number {
      let last = slot();
      for (const path of paths.values()) {
        const high = Math.max(LEAST_HIGH, ABOVE * path.highest());
        for (
          let [price, from] = [high, slot() + 1n];
          price > LOW;
          price *= STEP, from += BigInt(STEP_SLOTS)
        ) {
          path.holdFrom(from, price);
          if (from > last) last = from;
        }
      }
      life.endFrom(slot() + 1n);
      return Number(last - slot()) * SLOT_MS;
    },
    stuck: async (): Promise<readonly string[]> =>
      unplaced.size > 0
        ? [...unplaced].map((userId) => `the orders of ${userId} are not placed`)
        : invariants.stuck(orderIds),
    checkBooks: (intents: readonly Intent[]) => invariants.checkBooks(orderIds, intents, run.landed()),
  };
}

/** What a seed's people place beside what they ask for; in half of the seeds nothing. */
export function orderKindsOf(seed: number): readonly SimOrderKind[] {
  const random = seededRandom(seed ^ 0x5eed);
  if (random.chance(0.5)) return [];
  return Array.from({ length: random.between(1, 3) }, () => random.pick(ORDER_KINDS));
}

function idsOf(seed: number, index: number): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `order-${seed}-${index}-${String(count).padStart(3, '0')}`;
  };
}

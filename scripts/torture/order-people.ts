import { hasCode } from '../../src/core/errors/app-error.ts';
import type { OrderGroup } from '../../src/modules/orders/rules/order.ts';
import { type Rate, scaleRate } from '../../src/modules/orders/rules/rate.ts';
import { cancelOrder, pauseOrder } from '../../src/modules/orders/use/change-order.ts';
import type { DraftGroup, OrderDraft } from '../../src/modules/orders/use/draft.ts';
import { executablePrice } from '../../src/modules/orders/use/executable-price.ts';
import { placeOrders } from '../../src/modules/orders/use/place-orders.ts';
import { resumeOrder } from '../../src/modules/orders/use/resume-order.ts';
import type { Random } from '../../test/support/simulator/random.ts';
import type { composeProcess } from './compose.ts';
import { insist } from './insist.ts';
import type { Person } from './people.ts';
import type { TortureWorld } from './world.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The worth of each order: the smallest that may be placed is half of it. */
const WORTH_LAMPORTS = 20_000_000n;
/** How far from the price of now an order waits, in thousandths: near enough for the moves of this storm. */
const AWAY = { least: 3, most: 25 } as const;

type Process = Awaited<ReturnType<typeof composeProcess>>;

/** A person who confirmed an order got an answer: these groups must be there at the end, each once. */
export type PlacedOrders = {
  readonly groups: readonly string[];
  readonly counts: { readonly doubles: number; readonly refused: number; readonly changed: number };
};

/**
 * People who place orders of every kind near the price, some with a double tap. A moment later they pause, resume and cancel one in eight,
 * while it may be firing.
 */
export function createOrderPeople(
  { orders: deps }: Process,
  world: Pick<TortureWorld, 'chain'>,
  people: readonly Person[],
  random: Random,
  /** Every second order waits for a fall of liquidity: a fault in these is looked for. */
  { falls }: { readonly falls: boolean },
) {
  const token = world.chain.world.tokens.find((one) => one.symbol === 'PUP');
  if (token === undefined) throw new Error('nothing to order');
  const { mint } = token;
  const groups: string[] = [];
  const counts = { doubles: 0, refused: 0, changed: 0 };

  /** The proceeds of a purchase of the amount now, and of a sale of the same units. */
  const pricesNow = async ({ wallet }: Person): Promise<Prices | null> => {
    const asked = { mint, wallet: wallet.address };
    const bought = await executablePrice(deps.trade, { side: 'buy', amount: WORTH_LAMPORTS, ...asked });
    if (bought === null) return null;
    const sold = await executablePrice(deps.trade, { side: 'sell', amount: bought.got, ...asked });
    return sold === null ? null : { units: bought.got, buy: bought.rate, sell: sold.rate };
  };

  const place = async (person: Person): Promise<OrderGroup | null> => {
    const placeKey = deps.ids.token();
    const prices = await insist(() => pricesNow(person));
    if (prices === null) return null;
    const { userId, wallet } = person;
    const common = {
      userId,
      walletId: wallet.id,
      mint,
      placeKey,
      expiresAt: deps.clock.now() + DAY_MS,
      slippageBps: 1_000,
      tier: 'economy',
      accepted: ['MINT_AUTHORITY_LIVE', 'FREEZE_AUTHORITY_LIVE', 'POOR_EXIT', 'CANNOT_BUY', 'CANNOT_SELL'],
      supply: null,
      parentIntentId: null,
    } as const;
    const asked: DraftGroup = { ...common, ...draftGroup(prices, random, falls) };
    const taps = random.chance(0.1) ? 2 : 1;
    const placed = await Promise.all(
      Array.from({ length: taps }, () => insist(() => unlessRefused(placeOrders(deps, asked)))),
    );
    const told = placed.filter((one) => one !== null);
    const [first = null] = told;
    if (first === null) counts.refused += 1;
    else groups.push(first.id);
    if (told.some(({ id }) => id !== first?.id)) counts.doubles += 1;
    return first;
  };

  const change = async (group: OrderGroup): Promise<void> => {
    const order = random.pick(group.orders);
    const asked = { userId: group.userId, orderId: order.id };
    const act = random.pick([cancelOrder, pauseOrder] as const);
    const done = await insist(() => unlessRefused(act(deps, asked)));
    if (done !== null) counts.changed += 1;
    if (done?.order.status === 'PAUSED') await insist(() => unlessRefused(resumeOrder(deps, asked)));
  };

  return {
    mint,
    placed: { groups, counts } satisfies PlacedOrders,
    /** One person's placing and, now and then, second thoughts. Resolves when both are answered. */
    async next(): Promise<void> {
      const group = await place(random.pick(people));
      if (group !== null && random.chance(0.125)) await change(group);
    },
  };
}

export type OrderPeople = ReturnType<typeof createOrderPeople>;

type Prices = { readonly units: bigint; readonly buy: Rate; readonly sell: Rate };

function draftGroup(
  { units, buy, sell }: Prices,
  random: Random,
  falls: boolean,
): Pick<DraftGroup, 'kind' | 'units' | 'drafts' | 'legs'> {
  const away = (): bigint => BigInt(random.between(AWAY.least, AWAY.most));
  const better = (rate: Rate): Rate => scaleRate(rate, 1_000n + away(), 1_000n);
  const worse = (rate: Rate): Rate => scaleRate(rate, 1_000n - away(), 1_000n);
  const buying = { ...PLAIN, side: 'buy', amount: { kind: 'fixed', units: WORTH_LAMPORTS } } as const;
  const selling = { ...PLAIN, side: 'sell', amount: { kind: 'fixed', units } } as const;
  const takeProfit = { ...selling, type: 'TAKE_PROFIT', amount: { kind: 'rest' } } as const;
  const stop = { ...selling, type: 'STOP_LOSS', hold: random.chance(0.7) ? 'fast' : 'normal' } as const;
  const rest = { ...stop, amount: { kind: 'rest' } } as const;
  const alone = (draft: OrderDraft) => ({
    kind: 'SINGLE' as const,
    units: draft.amount.kind === 'fixed' ? draft.amount.units : null,
    drafts: [draft],
  });
  switch (falls && random.chance(0.5) ? FALL : random.between(0, 8)) {
    case FALL:
      return alone({
        ...selling,
        type: 'LIQUIDITY_FALLS',
        fallBps: random.pick([3_000, 5_000, 7_000] as const),
      });
    case 8:
      return alone({ ...selling, type: 'DEV_SELLS' });
    case 0:
      return alone({ ...stop, trigger: worse(sell) });
    case 1:
      return alone({ ...selling, type: 'LIMIT', trigger: better(sell) });
    case 2:
      return alone({ ...selling, type: 'TRAILING_STOP', trailing: { bps: 100, activation: null } });
    case 3:
      return alone({ ...buying, type: 'STOP_BUY', trigger: worse(buy) });
    case 4:
      return {
        kind: 'OCO',
        units,
        drafts: [
          { ...takeProfit, trigger: better(sell) },
          { ...rest, trigger: worse(sell) },
        ],
      };
    case 5: {
      const trigger = better(buy);
      const entry = { got: trigger.given, given: trigger.got };
      return {
        ...alone({ ...buying, type: 'LIMIT', trigger }),
        legs: {
          expiresAt: Date.now() + DAY_MS,
          drafts: [
            { ...takeProfit, trigger: better(entry) },
            { ...rest, trigger: worse(scaleRate(entry, 960n, 1_000n)) },
          ],
        },
      };
    }
    default:
      return alone({
        ...buying,
        type: 'DCA',
        schedule: { intervalMs: MINUTE_MS, rounds: 2, band: { least: null, most: null } },
      });
  }
}

/** The number of a fall of liquidity among the kinds of orders. */
const FALL = 7;

const PLAIN = {
  type: 'LIMIT',
  unit: 'SOL',
  trigger: null,
  request: 'torture',
  floor: 'default',
  trailing: null,
  hold: 'fast',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
} as const;

/** Null for an order that is not to be repeated: it is refused in words, or over. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (hasCode(error, 'ORDER_REFUSED') || hasCode(error, 'ORDER_NOT_CHANGEABLE')) return null;
    throw error;
  }
}

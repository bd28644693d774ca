import { hasAged } from '../../../core/time/age.ts';
import { BUDGET, mayTell } from '../rules/budget.ts';
import type { Order } from '../rules/order.ts';

/** When a node is away all tokens are: notices sent at once must not keep other messages waiting. */
const AT_MOST = 200;

type Told = Pick<Order, 'id' | 'number' | 'userId' | 'mint' | 'progress'>;

/** Tells people that their orders on a token cannot be seen: once for all of one person's on one token, and at most once an hour. */
export type BlindNotices = {
  /** Tells of these orders, whose tokens were not seen for long: of two hundred at most, and of the others next time. */
  tell(blind: readonly Told[], now: number): Promise<void>;
};

export function createBlindNotices(tellOne: (orderId: string) => Promise<boolean>): BlindNotices {
  /** The row of the reported order says so too; but that order may be over within the hour. */
  const toldAt = new Map<string, number>();
  return {
    tell: async (blind, now) => {
      for (const [key, at] of toldAt) if (hasAged(at, BUDGET.windowMs, now)) toldAt.delete(key);
      for (const order of toTellOf(blind, toldAt, now).slice(0, AT_MOST))
        if (await tellOne(order.id)) toldAt.set(keyOf(order), now);
    },
  };
}

const keyOf = ({ userId, mint }: Told): string => `${userId}:${mint}`;

/** The first order of each person on each token without a notice within the hour: two processes choose the same one. */
function toTellOf(blind: readonly Told[], toldAt: ReadonlyMap<string, number>, now: number): readonly Told[] {
  const first = new Map<string, Told>();
  const told = new Set(toldAt.keys());
  for (const order of blind) {
    const key = keyOf(order);
    if (!mayTell(order.progress.told['blind'] ?? null, now)) told.add(key);
    if (order.number < (first.get(key)?.number ?? Number.POSITIVE_INFINITY)) first.set(key, order);
  }
  return [...first].filter(([key]) => !told.has(key)).map(([, order]) => order);
}

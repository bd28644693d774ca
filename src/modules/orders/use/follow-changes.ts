import { hasAged } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { ChangedOrder, ChangePlace, OrderStore } from '../store/order-store-port.ts';

const PAGE = 500;
/** Transactions end in another order than they write. One that wrote longer ago is found when all open orders are read again. */
const OVERLAP_MS = 3_000;
const OVERLAP = BigInt(OVERLAP_MS) * 1_000n;

/** Reads which orders have changed, each change once, though the same stretch of time is read several times. */
export type ChangeFollower = {
  /** Marks the present changes as known. Called before all open orders are read, so that no change falls between. */
  begin(): Promise<void>;
  /** Every change since the last call, a page at a time. A page for which `take` throws is read again next time. */
  read(take: (changes: readonly ChangedOrder[]) => Promise<void>): Promise<void>;
};

export function followChanges(
  orders: Pick<OrderStore, 'changedSince' | 'newestSeq'>,
  clock: Pick<Clock, 'now'>,
): ChangeFollower {
  /** The newest change that was taken. */
  let newest: ChangePlace = { seq: 0n, id: '' };
  let newsAt = clock.now();
  /** Nothing that is older than the newest can be committed any more. */
  let isSettled = false;
  const taken = new Map<string, bigint>();

  const note = ({ order: { id }, seq }: ChangedOrder): void => {
    taken.set(id, seq);
    if (seq > newest.seq || (seq === newest.seq && id > newest.id)) newest = { seq, id };
    newsAt = clock.now();
    isSettled = false;
  };

  const from = (): ChangePlace => {
    if (isSettled) return newest;
    return { seq: newest.seq > OVERLAP ? newest.seq - OVERLAP : 0n, id: '' };
  };

  return {
    begin: async () => {
      taken.clear();
      newest = { seq: await orders.newestSeq(), id: '' };
      newsAt = clock.now();
      isSettled = false;
    },
    read: async (take) => {
      const startedAt = clock.now();
      const first = from();
      for (const [id, seq] of taken) if (seq < first.seq) taken.delete(id);
      for (let place: ChangePlace | null = first; place !== null; ) {
        const page: readonly ChangedOrder[] = await orders.changedSince(place, PAGE);
        const fresh = page.filter(({ order, seq }) => taken.get(order.id) !== seq);
        await take(fresh);
        for (const change of fresh) note(change);
        const last = page.at(-1);
        place = last === undefined || page.length < PAGE ? null : { seq: last.seq, id: last.order.id };
      }
      if (hasAged(newsAt, OVERLAP_MS, startedAt)) isSettled = true;
    },
  };
}

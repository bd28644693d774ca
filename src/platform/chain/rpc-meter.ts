import { AsyncLocalStorage } from 'node:async_hooks';
import type { RpcMeter } from '../ports/rpc-meter.ts';

/** One per process: the calls of every endpoint count for the work that waits for them. */
const underWay = new AsyncLocalStorage<{ calls: number; accounts: number; followed: number }>();

/** Called before each exchange with a node. */
export function countCall(): void {
  const count = underWay.getStore();
  if (count !== undefined) count.calls += 1;
}

/** Called for accounts that a node was asked for, or sent when it was asked to list. */
export function countAccounts(accounts: number): void {
  const count = underWay.getStore();
  if (count !== undefined) count.accounts += accounts;
}

/** Called for accounts that a subscription answered instead of a node. */
export function countFollowed(accounts: number): void {
  const count = underWay.getStore();
  if (count !== undefined) count.followed += accounts;
}

/** Does work that belongs to no request: its calls to the nodes count for none. */
export function uncounted<T>(work: () => T): T {
  return underWay.exit(work);
}

export const rpcMeter: RpcMeter = {
  measure: async (work) => {
    const count = { calls: 0, accounts: 0, followed: 0 };
    const value = await underWay.run(count, work);
    const { calls, accounts, followed } = count;
    return { value, cost: { calls, accounts, ...(followed === 0 ? {} : { followed }) } };
  },
};

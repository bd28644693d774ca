import { AsyncLocalStorage } from 'node:async_hooks';
import type { RpcMeter } from '../../core/ports/rpc-meter.ts';

/** One per process: whoever opened an endpoint, its calls count for the work that waits for them. */
const underWay = new AsyncLocalStorage<{ calls: number; accounts: number }>();

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

export const rpcMeter: RpcMeter = {
  measure: async (work) => {
    const count = { calls: 0, accounts: 0 };
    const value = await underWay.run(count, work);
    return { value, cost: { ...count } };
  },
};

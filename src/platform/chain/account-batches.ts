import type { Address, ChainAccount } from '@tradepost/solana';

export type AccountPage = { readonly slot: bigint; readonly accounts: readonly (ChainAccount | null)[] };
type ReadAccounts = (addresses: readonly Address[]) => Promise<AccountPage>;

type Ask = {
  readonly addresses: readonly Address[];
  readonly resolve: (page: AccountPage) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Joins the requests of all callers in one turn of the event loop into as few calls of `read` as `limit` addresses each allow. One caller's
 * request in one go is never spread over two calls: it is answered at one slot.
 */
export function createAccountBatches(read: ReadAccounts, limit: number): ReadAccounts {
  let waiting: Ask[] = [];

  const flush = (): void => {
    const asks = waiting;
    waiting = [];
    let group: Ask[] = [];
    let wanted = new Set<Address>();
    for (const ask of asks) {
      const joined = new Set([...wanted, ...ask.addresses]);
      if (group.length > 0 && joined.size > limit) {
        void answer(group, [...wanted]);
        group = [];
        wanted = new Set(ask.addresses);
      } else wanted = joined;
      group.push(ask);
    }
    void answer(group, [...wanted]);
  };

  const answer = async (group: readonly Ask[], wanted: readonly Address[]): Promise<void> => {
    try {
      const { slot, accounts } = await read(wanted);
      const byAddress = new Map(wanted.map((key, index) => [key, accounts[index] ?? null]));
      for (const { addresses, resolve } of group) {
        resolve({ slot, accounts: addresses.map((key) => byAddress.get(key) ?? null) });
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  return (addresses) =>
    new Promise((resolve, reject) => {
      // Not a microtask: callers a few promises apart still belong together.
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ addresses, resolve, reject });
    });
}

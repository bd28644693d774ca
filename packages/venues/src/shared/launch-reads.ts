import type { Address, ChainAccount } from '@tradepost/solana';
import type { CurveKeys, CurveLook, LaunchEvent } from '../launch-feed.ts';
import type { AccountReader, RanTransaction, SlotRange, TransactionReader } from '../readers.ts';

export type LaunchReads = {
  readonly chain: AccountReader;
  readonly transactions: TransactionReader;
};

/** The events of all transactions that name one of these accounts, each once, in the order of the chain. */
export async function eventsNaming(
  { transactions }: Pick<LaunchReads, 'transactions'>,
  named: readonly Address[],
  range: SlotRange,
  eventsOf: (transaction: RanTransaction) => readonly LaunchEvent[],
): Promise<readonly LaunchEvent[]> {
  const lists = await Promise.all(named.map((address) => transactions.naming(address, range)));
  const once = new Map(lists.flat().map((one) => [one.signature, one]));
  return [...once.values()]
    .toSorted((a, b) => Number(a.slot - b.slot) || a.index - b.index)
    .flatMap((one) => (one.failed ? [] : eventsOf(one)));
}

/** Looks at curves with one question to a node: `accountsOf` names what each needs, and `look` reads that. */
export async function looksAt(
  { chain }: Pick<LaunchReads, 'chain'>,
  curves: readonly CurveKeys[],
  accountsOf: (curve: CurveKeys) => readonly Address[],
  look: (accounts: readonly (ChainAccount | null)[], curve: CurveKeys) => CurveLook,
): Promise<{ readonly slot: bigint; readonly looks: readonly CurveLook[] }> {
  const wanted = [...new Set(curves.flatMap(accountsOf))];
  const { slot, accounts } = await chain.accounts(wanted);
  const found = new Map(wanted.map((address, index) => [address, accounts[index] ?? null]));
  return {
    slot,
    looks: curves.map((curve) =>
      look(
        accountsOf(curve).map((address) => found.get(address) ?? null),
        curve,
      ),
    ),
  };
}

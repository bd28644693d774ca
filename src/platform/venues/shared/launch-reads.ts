import type { Address } from '../../../core/address/address.ts';
import { SYSTEM_PROGRAM } from '../../../core/address/programs.ts';
import type { Chain, ChainAccount } from '../../ports/chain.ts';
import type { CurveKeys, CurveLook, LaunchEvent } from '../../ports/launch-feed.ts';
import type { TapeTransaction, TransactionSource } from '../../ports/transaction-source.ts';

export type LaunchReads = {
  readonly chain: Pick<Chain, 'accounts'>;
  readonly source: Pick<TransactionSource, 'read'>;
};

/** The transactions of these slots that name an account, confirmed, in the order of the chain. Throws CHAIN_UNREACHABLE. */
export function transactionsNaming(
  { source }: Pick<LaunchReads, 'source'>,
  address: Address,
  range: { readonly after: bigint; readonly upTo: bigint },
): Promise<readonly TapeTransaction[]> {
  // Only the address of these keys is asked for.
  const keys = {
    address,
    programId: SYSTEM_PROGRAM,
    kind: 'tokens',
    baseVault: address,
    quoteVault: address,
    baseMint: address,
    quoteMint: address,
  } as const;
  return source.read(keys, { ...range, level: 'confirmed', effort: 'usual' });
}

/** The events of all transactions that name one of these accounts, each once, in the order of the chain. */
export async function eventsNaming(
  reads: Pick<LaunchReads, 'source'>,
  named: readonly Address[],
  range: { readonly after: bigint; readonly upTo: bigint },
  eventsOf: (transaction: TapeTransaction) => readonly LaunchEvent[],
): Promise<readonly LaunchEvent[]> {
  const lists = await Promise.all(named.map((address) => transactionsNaming(reads, address, range)));
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

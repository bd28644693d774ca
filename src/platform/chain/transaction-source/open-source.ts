import type { TransactionSource } from '../../ports/transaction-source.ts';
import { createAddressSource } from './addresses.ts';
import { createBlockSource } from './blocks.ts';
import type { SourceOptions } from './source-endpoints.ts';

/** One file and one line here per source. */
const SOURCES = { addresses: createAddressSource, blocks: createBlockSource } as const;

export type SourceName = keyof typeof SOURCES;

/** The operator's choice; null where it is left to us. */
export type SourceChoice = {
  readonly source: SourceName | null;
  readonly rpcPerSecond: number | null;
  /** Whether the chain is the embedded one. */
  readonly isLocal: boolean;
};

/** The rate that another operator's node bears beside trades. */
const RPC_PER_SECOND = 5;

/** On one's own machine every block is read, as fast as they come; elsewhere the transactions that the addresses signed, slowly. */
export function openTransactionSource(
  { source, rpcPerSecond, isLocal }: SourceChoice,
  endpoints: Omit<SourceOptions, 'perSecond'>,
): TransactionSource {
  const name = source ?? (isLocal ? 'blocks' : 'addresses');
  const perSecond = rpcPerSecond ?? (isLocal ? null : RPC_PER_SECOND);
  return SOURCES[name]({ ...endpoints, perSecond });
}

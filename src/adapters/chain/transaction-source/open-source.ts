import type { TransactionSource } from '../../../core/ports/transaction-source.ts';
import { createAddressSource } from './addresses.ts';
import { createBlockSource } from './blocks.ts';
import type { SourceOptions } from './source-endpoints.ts';

/** One folder or file and one line here per source. */
const SOURCES = { addresses: createAddressSource, blocks: createBlockSource } as const;

export type SourceName = keyof typeof SOURCES;

export function openTransactionSource(name: SourceName, options: SourceOptions): TransactionSource {
  return SOURCES[name](options);
}

import { type Address, SYSTEM_PROGRAM } from '@tradepost/solana';
import type { TapeTransaction } from '@tradepost/tape';
import type { SlotRange } from '@tradepost/venues';
import type { TransactionSource } from '../ports/transaction-source.ts';

/** The transactions of these slots that name an account, confirmed, in the order of the chain. Throws CHAIN_UNREACHABLE. */
export function transactionsNaming(
  source: Pick<TransactionSource, 'read'>,
  address: Address,
  range: SlotRange,
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

import { AppError } from '../../../core/errors/app-error.ts';
import type { SendOutcome } from '../../ports/chain.ts';
import { postTransaction, type SendTo } from './post-transaction.ts';

/** Posts to one sender. Throws CHAIN_UNREACHABLE where the bytes left nowhere. */
export async function deliver(to: SendTo, bytes: Uint8Array): Promise<SendOutcome> {
  const outcome = await postTransaction(to, bytes);
  if (outcome.kind !== 'never-left') return outcome;
  throw new AppError('CHAIN_UNREACHABLE', { endpoint: to.label, cause: outcome.cause });
}

import { AppError } from '../../../core/errors/app-error.ts';
import type { SendOutcome } from '../../ports/chain.ts';
import type { SendBy, Sender } from '../../ports/sender.ts';

/**
 * Hands the bytes to the chosen sender: to it alone where it protects, for the same bytes at the nodes would undo that; else to the nodes
 * and to others that were chosen as well, and one acceptance is enough. Throws CHAIN_UNREACHABLE where the bytes left nowhere.
 */
export async function sendBy(
  { rpc, others }: { readonly rpc: Sender; readonly others: readonly Sender[] },
  by: SendBy | undefined,
  bytes: Uint8Array,
): Promise<SendOutcome> {
  if (by === undefined) return rpc.send(bytes);
  if (by.protects) {
    const sender = others.find(({ name }) => name === by.sender);
    if (sender?.protects === true) return sender.send(bytes);
    throw new AppError('CHAIN_UNREACHABLE', { endpoint: by.sender, cause: 'no such sender is configured' });
  }
  const chosen = others.filter(
    ({ name }) => name === by.sender || by.also?.some((one) => one === name) === true,
  );
  if (chosen.length === 0) return rpc.send(bytes);
  const sends = [...chosen, rpc].map((sender) => sender.send(bytes));
  const first = await Promise.any(sends.map(delivered)).catch(() => null);
  if (first !== null) return first;
  const ended = await Promise.allSettled(sends);
  const outcomes = ended.flatMap((send) => (send.status === 'fulfilled' ? [send.value] : []));
  const lost =
    outcomes.find(({ kind }) => kind === 'unknown') ?? outcomes.find(({ kind }) => kind === 'refused');
  if (lost !== undefined) return lost;
  throw ended.flatMap((send) => (send.status === 'rejected' ? [send.reason] : []))[0];
}

/** Throws for an outcome that does not say that the chain has it, or will have. */
async function delivered(send: Promise<SendOutcome>): Promise<SendOutcome> {
  const outcome = await send;
  if (outcome.kind === 'accepted' || outcome.kind === 'already-processed') return outcome;
  throw new Error(outcome.kind);
}

import { AppError } from '../../core/errors/app-error.ts';
import type { SendOutcome } from '../ports/chain.ts';
import type { EndpointPool } from './endpoint-pool.ts';
import { type Posted, postTransaction } from './senders/post-transaction.ts';

const OPTIONS = { maxRetries: 0, preflightCommitment: 'confirmed' };

/**
 * Hands the same bytes to every endpoint at once: a node that loses accepted bytes delays nothing while another one forwards them, and the
 * chain takes a signature once. Resolves with the first acceptance. Without one: `unknown` where an answer was lost after the bytes may
 * have left, `refused` only where every endpoint that got them refused. Throws CHAIN_UNREACHABLE only when the bytes left nowhere.
 */
export async function sendTransaction(
  pool: EndpointPool,
  bytes: Uint8Array,
  timeoutMs: number,
): Promise<SendOutcome> {
  const sends = pool.endpoints.map(async (endpoint) => ({
    endpoint,
    outcome: await postTransaction(
      { url: endpoint.url, label: endpoint.label, options: OPTIONS, timeoutMs },
      bytes,
      (error) => pool.noteFailure(endpoint, error),
    ),
  }));
  const delivered = await firstDelivered(sends.map(async (send) => (await send).outcome));
  if (delivered !== null) return delivered;
  const ended = await Promise.all(sends);
  const outcomes = ended.map(({ outcome }) => outcome);
  const lost =
    outcomes.find(({ kind }) => kind === 'unknown') ?? outcomes.find(({ kind }) => kind === 'refused');
  if (lost !== undefined && lost.kind !== 'never-left') return lost;
  const [first] = ended;
  throw new AppError('CHAIN_UNREACHABLE', {
    endpoint: first?.endpoint.label ?? 'none configured',
    cause: first?.outcome.kind === 'never-left' ? first.outcome.cause : 'no endpoint',
  });
}

/** The first outcome that says that the chain has it, or will have; null once all have ended otherwise. */
function firstDelivered(sends: readonly Promise<Posted>[]): Promise<SendOutcome | null> {
  const delivered = sends.map(async (send) => {
    const outcome = await send;
    if (outcome.kind === 'accepted' || outcome.kind === 'already-processed') return outcome;
    throw new NotDelivered();
  });
  return Promise.any(delivered).catch((error: unknown) => {
    if (error instanceof AggregateError && error.errors.every((one) => one instanceof NotDelivered))
      return null;
    throw error;
  });
}

class NotDelivered extends Error {}

import { toBase58 } from '../../core/address/address.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { firstSignature } from '../../engine/signing/rules/wire-transaction.ts';
import { HttpStatusError } from '../http-post.ts';
import type { SendOutcome } from '../ports/chain.ts';
import { turnsOf } from './call-turns.ts';
import { causeOf, connect, type Endpoint, withoutAgent } from './endpoint.ts';
import type { EndpointPool } from './endpoint-pool.ts';

/** Errors that a socket gives before a single byte of the request left. Everything else may have arrived. */
const NEVER_LEFT: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** JSON-RPC codes by which a node says that it looked at the transaction and will not forward it. */
const REFUSALS: readonly number[] = [-32_002, -32_003, -32_006, -32_013, -32_602];

/** The wire's answer, noted apart from web3.js, which keeps neither the code nor the chain's error. */
type Exchange = {
  failure: { readonly code: number; readonly message: string; readonly data: unknown } | null;
};

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
    outcome: await sendOnce(endpoint, bytes, timeoutMs, (error) => pool.noteFailure(endpoint, error)),
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

type Sent = SendOutcome | { readonly kind: 'never-left'; readonly cause: string };

/** The first outcome that says that the chain has it, or will have; null once all have ended otherwise. */
function firstDelivered(sends: readonly Promise<Sent>[]): Promise<SendOutcome | null> {
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

async function sendOnce(
  endpoint: Endpoint,
  bytes: Uint8Array,
  timeoutMs: number,
  noteFailure: (error: unknown) => void,
): Promise<Sent> {
  const exchange: Exchange = { failure: null };
  turnsOf(endpoint.url).note('sendTransaction');
  const connection = connect(endpoint.url, notingFetch(exchange, timeoutMs));
  try {
    const signature = await connection.sendRawTransaction(bytes, {
      maxRetries: 0,
      preflightCommitment: 'confirmed',
    });
    const expected = toBase58(firstSignature(bytes));
    if (signature === expected) return { kind: 'accepted' };
    return { kind: 'unknown', cause: `${endpoint.label} answered for another signature` };
  } catch (error) {
    if (exchange.failure !== null) return judge(exchange.failure, endpoint);
    noteFailure(error);
    const cause = causeOf(error);
    const neverLeft =
      NEVER_LEFT.includes(cause) || (error instanceof HttpStatusError && error.status === 429);
    return { kind: neverLeft ? 'never-left' : 'unknown', cause: `${endpoint.label}: ${cause}` };
  }
}

function judge(failure: NonNullable<Exchange['failure']>, endpoint: Endpoint): SendOutcome {
  const { err, logs } = preflight(failure.data);
  if (err === 'AlreadyProcessed' || /already been processed/i.test(failure.message)) {
    return { kind: 'already-processed' };
  }
  if (!REFUSALS.includes(failure.code)) {
    return { kind: 'unknown', cause: `${endpoint.label}: ${failure.code} ${failure.message.slice(0, 120)}` };
  }
  return {
    kind: 'refused',
    err: err === undefined ? failure.message.slice(0, 200) : JSON.stringify(err),
    logs,
  };
}

function preflight(data: unknown): { readonly err: unknown; readonly logs: readonly string[] } {
  if (typeof data !== 'object' || data === null) return { err: undefined, logs: [] };
  const logs = 'logs' in data && Array.isArray(data.logs) ? data.logs : [];
  return {
    err: 'err' in data ? (data.err ?? undefined) : undefined,
    logs: logs.filter((line): line is string => typeof line === 'string'),
  };
}

function notingFetch(exchange: Exchange, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, withoutAgent(init, AbortSignal.timeout(timeoutMs)));
    const text = await response.text();
    exchange.failure = jsonRpcFailure(text);
    // Some providers wrap a JSON-RPC refusal in a 4xx or 5xx; its body, not its status, gives the reason.
    if (!response.ok && exchange.failure === null) throw new HttpStatusError(response.status, null);
    return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } });
  };
}

function jsonRpcFailure(text: string): Exchange['failure'] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  if (typeof error.code !== 'number') return null;
  return {
    code: error.code,
    message: 'message' in error && typeof error.message === 'string' ? error.message : '',
    data: 'data' in error ? error.data : null,
  };
}

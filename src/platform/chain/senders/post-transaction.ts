import { toBase58 } from '@tradepost/solana';
import { firstSignature } from '../../../engine/signing/rules/wire-transaction.ts';
import { HttpStatusError } from '../../http-post.ts';
import type { SendOutcome } from '../../ports/chain.ts';
import { turnsOf } from '../call-turns.ts';
import { causeOf } from '../endpoint.ts';

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

/** The outcome at one address; `never-left` where the bytes cannot have arrived. */
export type Posted = SendOutcome | { readonly kind: 'never-left'; readonly cause: string };

type Failure = { readonly code: number; readonly message: string; readonly data: unknown };

/** An address that takes `sendTransaction`. `label` names it without its keys. */
export type SendTo = {
  readonly url: string;
  readonly label: string;
  /** Beside the encoding. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
};

/** Posts signed bytes to one address, once, and judges the answer. `noteFailure` hears of an exchange that gave none. Never throws. */
export async function postTransaction(
  { url, label, options, timeoutMs }: SendTo,
  bytes: Uint8Array,
  noteFailure: (error: unknown) => void = () => undefined,
): Promise<Posted> {
  const params = [Buffer.from(bytes).toString('base64'), { encoding: 'base64', ...options }];
  turnsOf(url).note('sendTransaction');
  try {
    const answer = await exchange(url, { method: 'sendTransaction', params }, timeoutMs);
    if ('failure' in answer) return judge(answer.failure, label);
    if (answer.result === toBase58(firstSignature(bytes))) return { kind: 'accepted' };
    return { kind: 'unknown', cause: `${label} answered for another signature` };
  } catch (error) {
    noteFailure(error);
    const cause = causeOf(error);
    const neverLeft =
      NEVER_LEFT.includes(cause) || (error instanceof HttpStatusError && error.status === 429);
    return { kind: neverLeft ? 'never-left' : 'unknown', cause: `${label}: ${cause}` };
  }
}

/** One JSON-RPC call of a sender. Throws HttpStatusError for a bad status without a refusal in its body. */
export async function exchange(
  url: string,
  call: { readonly method: string; readonly params: readonly unknown[] },
  timeoutMs: number,
): Promise<{ readonly result: unknown } | { readonly failure: Failure }> {
  const response = await fetch(withoutCredentials(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization(url) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  const body = parsed(text);
  const failure = failureOf(body);
  // Some providers wrap a JSON-RPC refusal in a 4xx or 5xx; its body, not its status, gives the reason.
  if (failure !== null) return { failure };
  if (!response.ok) throw new HttpStatusError(response.status, null);
  return { result: typeof body === 'object' && body !== null && 'result' in body ? body.result : null };
}

function withoutCredentials(url: string): string {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  return target.href;
}

function authorization(url: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(url);
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
}

function judge(failure: Failure, label: string): SendOutcome {
  const { err, logs } = preflight(failure.data);
  if (err === 'AlreadyProcessed' || /already been processed/i.test(failure.message)) {
    return { kind: 'already-processed' };
  }
  if (!REFUSALS.includes(failure.code)) {
    return { kind: 'unknown', cause: `${label}: ${failure.code} ${failure.message.slice(0, 120)}` };
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function failureOf(body: unknown): Failure | null {
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

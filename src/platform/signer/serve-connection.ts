import type { Socket } from 'node:net';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import { createFrameReader, frameOf } from '../frames.ts';
import { fromPlainJson, toPlainJson } from '../plain-json.ts';
import type { Logger } from '../ports/logger.ts';
import type { Vault } from '../ports/vault.ts';
import { CALLS, type CallName, type InputOf, REQUEST } from './protocol.ts';

/** Answers that wait for a caller who does not read. */
const MOST_UNREAD_BYTES = 4 * 1_024 * 1_024;

/** The vault of this process; null while another signer signs, and every request is answered so. */
export type VaultHolder = () => Vault | null;
/** A caller and its calls. */
export type AllowedCalls = { readonly caller: string; readonly calls: ReadonlySet<CallName> };
export type ConnectionLog = Pick<Logger, 'warn' | 'error'>;

type Turns = ReturnType<typeof createTurns>;

/** So many at a time; the others in their order; null when too many wait. */
export function createTurns(most: number, mostWaiting: number) {
  let running = 0;
  const queue: (() => void)[] = [];
  const next = (): void => {
    running -= 1;
    queue.shift()?.();
  };
  return {
    take: (work: () => Promise<void>): boolean => {
      const start = (): void => {
        running += 1;
        void work().finally(next);
      };
      if (running < most) start();
      else if (queue.length < mostWaiting) queue.push(start);
      else return false;
      return true;
    },
  };
}

/** Answers the requests of one connection until it ends. Bytes that are no frame or no request end it. */
export function serveConnection(
  socket: Socket,
  holder: VaultHolder,
  {
    turns,
    log,
    only,
  }: {
    readonly turns: Turns;
    readonly log: ConnectionLog;
    readonly only: AllowedCalls | null;
  },
): void {
  const reader = createFrameReader();
  const refuse = (why: string): void => {
    log.warn({ why }, 'a connection to the signer was cut');
    socket.destroy();
  };
  const answer = (body: object): void => {
    if (socket.destroyed) return;
    socket.write(frameOf(toPlainJson(body)));
    if (socket.writableLength > MOST_UNREAD_BYTES) refuse('answers that nobody reads');
  };
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    const bodies = reader.push(chunk);
    if (bodies === null) return refuse('a frame of a size that none has');
    for (const body of bodies) {
      const request = requestIn(body);
      if (request === null) return refuse('a frame that is no request');
      const { id, call, input } = request;
      if (only !== null && !only.calls.has(call)) {
        log.warn(
          { call, caller: only.caller },
          'a call came at the socket of a process that makes none such',
        );
        answer(failure(id, new AppError('POLICY_DENIED', { rule: 'caller' })));
        continue;
      }
      if (input === null) {
        log.warn({ call }, 'a request to the signer was refused: its fields are not those of the call');
        answer(failure(id, new AppError('POLICY_DENIED', { rule: 'request' })));
        continue;
      }
      const isTaken = turns.take(async () =>
        answer(await answerTo(holder(), { id, call, input: input.given }, log)),
      );
      if (!isTaken)
        answer(failure(id, new AppError('SIGNER_UNAVAILABLE', { cause: 'too many requests wait' })));
    }
  });
}

type Request = { readonly id: number; readonly call: CallName; readonly input: unknown };

/** Null for a body that is no request at all; its input is null where the fields are not those of the call. */
function requestIn(
  body: Buffer,
): (Omit<Request, 'input'> & { readonly input: { readonly given: unknown } | null }) | null {
  try {
    const request = REQUEST.safeParse(fromPlainJson(body));
    if (!request.success) return null;
    const { id, call } = request.data;
    const input = CALLS[call].input.safeParse(request.data.input);
    return { id, call, input: input.success ? { given: input.data } : null };
  } catch {
    return null;
  }
}

async function answerTo(vault: Vault | null, { id, call, input }: Request, log: ConnectionLog) {
  if (vault === null) return { id, standby: true };
  try {
    return { id, ok: true, output: await perform(vault, call, input) };
  } catch (error) {
    if (isAppError(error)) return failure(id, error);
    // Never its text to the caller: it could hold anything.
    log.error({ err: error, call }, 'the signer failed at a request');
    return failure(id, new AppError('SIGNER_UNAVAILABLE', { cause: 'the signer failed at the request' }));
  }
}

function failure(id: number, { code, details }: AppError): object {
  return { id, ok: false, code, details };
}

/** The calls by name, each with the fields that its schema has passed. */
type Calls = { readonly [N in CallName]: (input: InputOf<N>) => Promise<unknown> };

async function perform(vault: Vault, call: CallName, input: unknown): Promise<unknown> {
  const calls: Calls = {
    ...vault,
    confirm: ({ request, pin }) => vault.confirm(request, pin),
    verifyPin: async (given) => {
      await vault.verifyPin(given);
      return null;
    },
  };
  const run = calls[call] as (given: unknown) => Promise<unknown>;
  return run(input);
}

import type { Socket } from 'node:net';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import { whileWaited } from '../caller-limit.ts';
import { createFrameReader, frameOf } from '../frames.ts';
import { fromPlainJson, toPlainJson } from '../plain-json.ts';
import type { Logger } from '../ports/logger.ts';
import type { Vault } from '../ports/vault.ts';
import { ANSWER_WITHIN_MS, CALLS, type CallName, type InputOf, REQUEST } from './protocol.ts';

/** Answers that wait for a caller who does not read. */
const MOST_UNREAD_BYTES = 4 * 1_024 * 1_024;

/** The vault of this process; null while another signer signs, and every request is answered so. */
export type VaultHolder = () => Vault | null;
/** A caller and its calls. */
export type AllowedCalls = { readonly caller: string; readonly calls: ReadonlySet<CallName> };
export type ConnectionLog = Pick<Logger, 'warn' | 'error'>;

type Turns = ReturnType<typeof createTurns>;

type Turn = {
  readonly work: () => Promise<void>;
  /** Aborted once its caller waits no longer. */
  readonly caller: AbortSignal;
  /** Called instead of `work` where the caller had gone before its turn. */
  readonly drop: () => void;
};

/** So many at a time; the others in their order, without those whose callers have gone; false when too many wait. */
export function createTurns(most: number, mostWaiting: number) {
  let running = 0;
  let queue: Turn[] = [];
  const start = ({ work }: Turn): void => {
    running += 1;
    void work().finally(next);
  };
  const dropGone = (): void => {
    const gone = queue.filter(({ caller }) => caller.aborted);
    if (gone.length === 0) return;
    queue = queue.filter(({ caller }) => !caller.aborted);
    for (const { drop } of gone) drop();
  };
  const next = (): void => {
    running -= 1;
    dropGone();
    const first = queue.shift();
    if (first !== undefined) start(first);
  };
  return {
    take: (turn: Turn): boolean => {
      if (running < most) {
        start(turn);
        return true;
      }
      if (queue.length >= mostWaiting) dropGone();
      if (queue.length >= mostWaiting) return false;
      queue.push(turn);
      return true;
    },
  };
}

/** The callers at a connection. Each waits so long, and none longer than the connection lasts. */
function createCallers(socket: Socket, patienceMs: number) {
  const open = new Set<AbortController>();
  socket.on('close', () => {
    for (const one of open) one.abort();
  });
  return (): { readonly signal: AbortSignal; readonly end: () => void } => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), patienceMs).unref();
    open.add(controller);
    return {
      signal: controller.signal,
      end: () => {
        clearTimeout(timer);
        open.delete(controller);
      },
    };
  };
}

/**
 * Answers the requests of one connection until it ends. Bytes that are no frame or no request end it. A request that waits when its caller
 * gives up is not begun; one that was begun ends at its next call to a node that has to wait.
 */
export function serveConnection(
  socket: Socket,
  holder: VaultHolder,
  {
    turns,
    log,
    only,
    patienceMs = ANSWER_WITHIN_MS,
  }: {
    readonly turns: Turns;
    readonly log: ConnectionLog;
    readonly only: AllowedCalls | null;
    readonly patienceMs?: number;
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
  const begin = beginner({ turns, answer, callerOf: createCallers(socket, patienceMs) });
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
      begin(id, () => answerTo(holder(), { id, call, input: input.given }, log));
    }
  });
}

/** Answers a request when its turn comes, and refuses it when there is none, or its caller has gone before. */
function beginner(of: {
  readonly turns: Turns;
  readonly answer: (body: object) => void;
  readonly callerOf: ReturnType<typeof createCallers>;
}) {
  return (id: number, work: () => Promise<object>): void => {
    const caller = of.callerOf();
    const refuse = (cause: string): void => {
      caller.end();
      of.answer(failure(id, new AppError('SIGNER_UNAVAILABLE', { cause })));
    };
    const isTaken = of.turns.take({
      caller: caller.signal,
      drop: () => refuse('the caller gave up before its turn'),
      work: async () => of.answer(await whileWaited(caller.signal, work).finally(caller.end)),
    });
    if (!isTaken) refuse('too many requests wait');
  };
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

import type { Socket } from 'node:net';
import { AppError } from '../../../core/errors/app-error.ts';
import { createFrameReader, frameOf } from '../../frames.ts';
import { fromPlainJson, toPlainJson } from '../../plain-json.ts';
import { MIRROR_ANSWER, type MirrorAnswer, type MirrorRefusal, type MirrorRequest } from './messages.ts';

/** A peer that is silent for so long is left behind. */
export const MOST_SILENT_MS = 3_000;

/** The other signer said no. */
export class MirrorRefused extends Error {
  readonly why: MirrorRefusal;

  constructor(why: MirrorRefusal) {
    super(`the other signer refused: ${why}`);
    this.why = why;
  }
}

type Without<T> = T extends unknown ? Omit<T, 'id'> : never;
type Waiting = {
  readonly resolve: (answer: MirrorAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
};

export type MirrorLine = {
  /** One answer for one request, in any order. Rejects with MirrorRefused, and SIGNER_UNAVAILABLE after three silent seconds or a loss. */
  readonly ask: (request: Without<MirrorRequest>) => Promise<MirrorAnswer>;
  readonly ended: Promise<void>;
  readonly close: () => void;
};

/** Asks another signer over a connection that was just made. */
export function createMirrorLine(socket: Socket): MirrorLine {
  const waiting = new Map<number, Waiting>();
  const reader = createFrameReader();
  let next = 0;
  const settle = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    clearTimeout(one?.timer);
    waiting.delete(id);
    return one;
  };
  const take = (body: Buffer): boolean => {
    const answer = answerIn(body);
    if (answer === null) return false;
    const one = settle(answer.id);
    if ('refused' in answer) one?.reject(new MirrorRefused(answer.refused));
    else one?.resolve(answer);
    return true;
  };
  socket.on('data', (chunk) => {
    const bodies = reader.push(chunk);
    if (bodies === null || !bodies.every(take)) socket.destroy();
  });
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      for (const id of waiting.keys()) settle(id)?.reject(lost('the other signer was lost'));
      resolve();
    });
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const id = next;
        next += 1;
        if (socket.destroyed) return reject(lost('the other signer was lost'));
        const timer = setTimeout(() => {
          settle(id)?.reject(lost(`the other signer was silent for ${MOST_SILENT_MS} ms`));
          socket.destroy();
        }, MOST_SILENT_MS);
        waiting.set(id, { resolve, reject, timer });
        socket.write(frameOf(toPlainJson({ id, ...request })));
      }),
    ended,
    close: () => socket.destroy(),
  };
}

function answerIn(body: Buffer): MirrorAnswer | null {
  try {
    const answer = MIRROR_ANSWER.safeParse(fromPlainJson(body));
    return answer.success ? answer.data : null;
  } catch {
    return null;
  }
}

/** The error of a peer that gives no answer. */
export function lost(cause: string): AppError<'SIGNER_UNAVAILABLE'> {
  return new AppError('SIGNER_UNAVAILABLE', { cause });
}

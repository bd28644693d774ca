import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** The written fields of one event. The reader sends the id as `Last-Event-ID` when it comes back. */
export type ServerEvent = { readonly event: string; readonly id?: string; readonly data: unknown };

export type EventWriter = {
  readonly write: (events: readonly ServerEvent[]) => void;
  /** Ends the answer; the reader asks again by itself. */
  readonly end: () => void;
};

/** A reader that is behind by more is let go: it comes back, and goes on where it was. */
const MAX_BACKLOG_BYTES = 1_048_576;
const HEARTBEAT_MS = 15_000;
/** So often a reader's key is looked at again. */
const MAY_STAY_MS = 2_000;
/** After which a browser asks again. */
const RETRY_MS = 1_000;

/** Proxies that collect answers before they pass them on would pass nothing. */
const HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** An answer that goes on: server-sent events. */
export class EventStream {
  readonly #open: (writer: EventWriter) => Promise<() => void>;

  /** `open` begins to write, and returns the clean-up for when the reader is gone, once. */
  constructor(open: (writer: EventWriter) => Promise<() => void>) {
    this.#open = open;
  }

  /**
   * Throws the errors of `open`, before anything was sent. Ends within seconds of `mayStay` saying no; a `mayStay` that fails says nothing.
   */
  async send(reply: FastifyReply, mayStay?: () => Promise<boolean>): Promise<FastifyReply> {
    const body = new Readable({ read: () => undefined });
    // Counts text that was pushed before the first read, and text that a slow reader leaves.
    const push = (text: string): void => {
      if (body.destroyed || body.readableEnded) return;
      body.push(text);
      if (body.readableLength + reply.raw.writableLength > MAX_BACKLOG_BYTES) body.destroy();
    };
    const heartbeat = setInterval(() => push(':\n\n'), HEARTBEAT_MS);
    heartbeat.unref();
    const check = mayStay === undefined ? null : endWhenRefused(mayStay, () => body.push(null));
    let stop: (() => void) | null = null;
    body.once('close', () => {
      clearInterval(heartbeat);
      if (check !== null) clearInterval(check);
      stop?.();
    });
    // A reader that was let go, or that hung up: the error has no receiver.
    body.on('error', () => undefined);
    // Before any wait: a reader that hangs up meanwhile is noticed once.
    reply.raw.once('close', () => body.destroy());
    if (reply.raw.destroyed) body.destroy();
    push(`retry: ${RETRY_MS}\n\n`);
    try {
      stop = await this.#open({
        write: (events) => push(events.map(textOf).join('')),
        end: () => body.push(null),
      });
    } catch (error) {
      body.destroy();
      throw error;
    }
    if (body.destroyed) stop();
    return reply.headers(HEADERS).type('text/event-stream; charset=utf-8').send(body);
  }
}

/** Asks one question at a time: a question that waits for the database is not asked again beside itself. */
function endWhenRefused(mayStay: () => Promise<boolean>, end: () => void): NodeJS.Timeout {
  let isAsked = false;
  const check = setInterval(() => {
    if (isAsked) return;
    isAsked = true;
    void mayStay().then(
      (stays) => {
        isAsked = false;
        if (stays) return;
        clearInterval(check);
        end();
      },
      () => {
        isAsked = false;
      },
    );
  }, MAY_STAY_MS);
  return check.unref();
}

/** JSON has no line break outside of its texts, where it is escaped: one line of data. */
function textOf({ event, id, data }: ServerEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

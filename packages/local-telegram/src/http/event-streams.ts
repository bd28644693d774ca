import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TelegramEvent } from '../core/events.ts';
import type { TelegramCore } from '../core/telegram-core.ts';

export interface EventStreams {
  /** Turns the response into a server-sent event stream of one person's chat, or of everything. */
  readonly open: (request: IncomingMessage, response: ServerResponse, userId: number | undefined) => void;
  readonly close: () => void;
}

export const MAX_STREAMS = 32;
/** A reader this far behind is cut off; the page reconnects and reads the state anew. */
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;
const HEARTBEAT_MS = 15_000;

export function createEventStreams(core: TelegramCore): EventStreams {
  const streams = new Set<{ readonly response: ServerResponse; readonly userId: number | undefined }>();
  const unsubscribe = core.world.events.subscribe((event) => {
    if (streams.size === 0) return;
    const line = `data: ${JSON.stringify(event)}\n\n`;
    for (const { response, userId } of streams) {
      if (userId !== undefined && !concerns(event, userId)) continue;
      if (response.writableLength > MAX_BACKLOG_BYTES) response.destroy();
      else response.write(line);
    }
  });
  const heartbeat = setInterval(() => {
    for (const { response } of streams) response.write(': still here\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    open: (request, response, userId) => {
      if (streams.size >= MAX_STREAMS) {
        response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(`At most ${MAX_STREAMS} readers of events at a time.\n`);
        return;
      }
      const stream = { response, userId };
      streams.add(stream);
      request.on('close', () => streams.delete(stream));
      response.on('close', () => streams.delete(stream));
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
      });
      response.write(`data: ${JSON.stringify({ kind: 'hello', rev: core.world.events.rev() })}\n\n`);
    },
    close: () => {
      unsubscribe();
      clearInterval(heartbeat);
      for (const { response } of streams) response.end();
      streams.clear();
    },
  };
}

function concerns(event: TelegramEvent, userId: number): boolean {
  return 'chatId' in event ? event.chatId === userId : event.kind === 'reset' || event.kind === 'profile';
}

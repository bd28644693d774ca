import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export type Received = { readonly event: string; readonly id: string | null; readonly data: unknown };

/** A reader of server-sent events over a connection of its own, as a browser reads them. */
export async function openStream(url: string, lastEventId?: string) {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const asked = request(url, { agent: false, headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const events: Received[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  let text = '';
  const tell = (): void => {
    for (const wake of waiting) wake();
  };
  response.setEncoding('utf8');
  response.on('error', () => undefined);
  asked.on('error', () => undefined);
  response.on('data', (chunk: string) => {
    const parts = `${text}${chunk}`.split('\n\n');
    text = parts.pop() ?? '';
    events.push(...parts.flatMap(readEvent));
    tell();
  });
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOver = true;
      tell();
      resolve();
    });
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    events,
    of: (event: string) => events.filter((one) => one.event === event),
    /** Resolves when the condition holds; rejects when the stream ends before. */
    until: async (holds: () => boolean): Promise<void> => {
      while (!holds()) {
        if (isOver) throw new Error('the stream ended');
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
    ended,
    close: async (): Promise<void> => {
      asked.destroy();
      await ended;
    },
  };
}

/** Comments and what carries no data are no events. */
function readEvent(part: string): readonly Received[] {
  const fields = new Map(
    part.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  if (data === undefined) return [];
  return [
    {
      event: fields.get('event') ?? '',
      id: fields.get('id') ?? null,
      data: JSON.parse(data) as unknown,
    },
  ];
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Event, FinalWord } from './judge.ts';
import type { Sdk } from './product.ts';

const WORDS: Readonly<Record<string, FinalWord>> = {
  'transaction.finalized': 'finalized',
  'transaction.failed': 'failed',
  'transaction.expired': 'expired',
};

/** The events for which a call's webhook asks. */
export const FINAL_EVENTS = ['transaction.finalized', 'transaction.failed', 'transaction.expired'] as const;

/** The address of the callers for final events. It checks each signature, and loses the answer to the first try of a share of the events. */
export async function startHooks(sdk: Sdk, losesFirst: (id: string) => boolean) {
  const events: Event[] = [];
  const secrets = new Map<string, string>();
  const counts = { tries: 0, lost: 0, forged: 0 };
  const seen = new Set<string>();

  async function take(path: string, headers: Headers, body: string): Promise<boolean> {
    counts.tries += 1;
    const { id, event } = await sdk.verifyWebhook({ secret: secrets.get(path) ?? '', headers, body });
    const word = WORDS[event.type];
    if (word !== undefined && 'signature' in event.data)
      events.push({ id, signature: event.data.signature, word, body });
    const isFirst = !seen.has(id);
    seen.add(id);
    if (!isFirst || !losesFirst(id)) return true;
    counts.lost += 1;
    return false;
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      take(request.url ?? '', headers, Buffer.concat(parts).toString('utf8')).then(
        (answers) => (answers ? response.writeHead(200).end() : response.destroy()),
        () => {
          counts.forged += 1;
          response.writeHead(400).end();
        },
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    events,
    counts,
    /** The address of one account; its secret is known once the service has told it. */
    urlOf: (account: string) => `http://127.0.0.1:${port}/${account}`,
    learn: (account: string, secret: string): void => void secrets.set(`/${account}`, secret),
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export type Hooks = Awaited<ReturnType<typeof startHooks>>;

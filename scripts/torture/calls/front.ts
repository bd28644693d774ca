import { once } from 'node:events';
import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../../../test/support/simulator/random.ts';

type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

export type Front = {
  readonly url: string;
  /** Of all answers that the service gave, this share is cut off on its way back. */
  setLoss(share: number): void;
  /** `answered` by the service, `lost` of these, `down`: no process answered, or it died at it. */
  readonly counts: { readonly answered: number; readonly lost: number; readonly down: number };
  stop(): Promise<void>;
};

/**
 * The balancer before the processes of one host. It hands a request to one of them, in turn, and cuts the caller's connection where the
 * process is away, and after a share of the answers: the effect is there, and the caller hears nothing.
 */
export async function startFront(ports: readonly number[], random: Random): Promise<Front> {
  const agent = new Agent({ keepAlive: true });
  const counts = { answered: 0, lost: 0, down: 0 };
  let loss = 0;
  let turn = 0;
  const server = createServer((request, response) => {
    turn += 1;
    const port = ports[turn % ports.length] ?? 0;
    forward(request, port, agent).then(
      (answer) => {
        counts.answered += 1;
        if (!random.chance(loss)) return give(response, answer);
        counts.lost += 1;
        response.destroy();
      },
      () => {
        counts.down += 1;
        response.destroy();
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setLoss: (share) => {
      loss = share;
    },
    counts,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function give(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** The whole answer. Rejects where the process is away, or goes away before the answer's end. */
async function forward(request: IncomingMessage, port: number, agent: Agent): Promise<Answer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { method, url: path, headers } = request;
  const asked = ask({ host: '127.0.0.1', port, method, path, headers, agent });
  asked.end(Buffer.concat(parts));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body: Buffer[] = [];
  for await (const part of answer) body.push(part);
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(body) };
}

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `drop`: the connection ends without an answer. `hang`: it stays open, and nothing comes. */
export type Step =
  | 'drop'
  | 'hang'
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

export type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export const data = (value: unknown): Step => ({ status: 200, body: { data: value } });

export const refused = (
  status: number,
  code: string,
  more: { readonly retryable?: boolean; readonly headers?: Record<string, string> } = {},
): Step => ({
  status,
  body: {
    error: {
      code,
      message: `refused with ${code}`,
      details: [],
      retryable: more.retryable ?? false,
      requestId: 'r-1',
    },
  },
  ...(more.headers === undefined ? {} : { headers: more.headers }),
});

/** A service that answers with these steps in turn, and with 418 when there are none left. */
export async function startScriptedService(steps: readonly Step[]) {
  const seen: Seen[] = [];
  const left = [...steps];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body });
      const step = left.shift() ?? { status: 418, body: 'the script has no more steps' };
      if (step === 'drop') request.socket.destroy();
      else if (step !== 'hang') {
        response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
        response.end(typeof step.body === 'string' ? step.body : JSON.stringify(step.body));
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    left,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VENDOR_FACTS } from './vendor-facts.ts';

export type VendorRequest = {
  readonly route: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Path and query as sent: what a signature is made over. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
};

/** An answer that claims to be the vendor's is held against what the vendor publishes; `raw` is sent as it stands. */
export type VendorAnswer =
  | { readonly json: unknown }
  | { readonly raw: string; readonly status?: number; readonly headers?: Record<string, string> }
  | 'never';

/**
 * A server on loopback that stands for a vendor. Requests and answers that the vendor's documents do not allow are collected
 * in `complaints`, which every test expects to stay empty.
 */
export async function startVendor(answer: (request: VendorRequest) => VendorAnswer) {
  const complaints: string[] = [];
  const requests: VendorRequest[] = [];
  const complain = (what: string, problem: { readonly message: string } | undefined): void => {
    if (problem !== undefined) complaints.push(`${what}: ${problem.message}`);
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '', 'http://vendor');
      const route = `${incoming.method} ${url.pathname}`;
      const request: VendorRequest = {
        route,
        query: Object.fromEntries(url.searchParams),
        body: JSON.parse(Buffer.concat(chunks).toString() || '{}'),
        target: incoming.url ?? '',
        headers: incoming.headers,
      };
      requests.push(request);
      const facts = VENDOR_FACTS[route];
      if (facts === undefined) complaints.push(`${route} is not the vendor's`);
      complain(`query of ${route}`, facts?.query?.safeParse(request.query).error);
      complain(`body of ${route}`, facts?.body?.safeParse(request.body).error);
      const given = answer(request);
      if (given === 'never') return;
      if ('json' in given) {
        complain(`answer to ${route}`, facts?.answer.safeParse(given.json).error);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(given.json));
      } else {
        response.writeHead(given.status ?? 200, given.headers ?? {}).end(given.raw);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    complaints,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Vendor = Awaited<ReturnType<typeof startVendor>>;

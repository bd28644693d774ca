import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TelegramCore } from '../core/telegram-core.ts';
import { hostIsLocal } from '../loopback.ts';
import type { PanelOptions } from '../panel.ts';
import { isBotApiPath, serveBotApi } from './bot-api.ts';
import type { EventStreams } from './event-streams.ts';
import { explorerPage } from './explorer.ts';
import { createPageFiles, ICON_SVG, type PageFiles } from './page-files.ts';
import { type SimDeps, serveSim } from './sim.ts';

/** Pages of another stand-in beside the chats; true when the path was one of its own. */
export type OtherPages = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => Promise<boolean>;

type Deps = {
  readonly core: TelegramCore;
  readonly token: string;
  readonly pageToken: string;
  readonly panel: PanelOptions;
  readonly pages?: OtherPages;
  readonly streams: EventStreams;
};

/** Nothing but our own files may run or load here, and no page may frame us. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

export type Listening = { readonly server: Server; readonly port: number };

/** Listens; port 0 takes a free one. The caller has checked that `host` is a loopback address. */
export async function listen(deps: Deps, host: string, port: number): Promise<Listening> {
  const files = createPageFiles(deps.pageToken, deps.core.world.bot.first_name);
  const server = createServer();
  // Longer than any client keeps an idle connection, so that none is closed under a request on its way.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken
          ? new Error(`The local Telegram cannot listen: port ${port} of ${host} is taken.`, { cause: error })
          : error,
      );
    });
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  server.on('request', (request, response) => {
    serve(deps, files, bound, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else plain(response, 500, `Internal error: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
  return { server, port: bound };
}

async function serve(
  deps: Deps,
  files: PageFiles,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!hostIsLocal(request, port)) {
    return plain(response, 403, 'This server answers to 127.0.0.1, [::1] and localhost only.');
  }
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? undefined : new URLSearchParams(url.slice(mark + 1));
  response.setHeader('x-content-type-options', 'nosniff');
  if (isBotApiPath(path)) return await serveBotApi(deps, request, response, path, query);
  if ((await deps.pages?.(request, response, path)) === true) return;
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
  if (path.startsWith('/sim/')) {
    const sim: SimDeps = deps;
    return await serveSim(sim, request, response, path, query ?? new URLSearchParams());
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(response, 405, 'Expected GET.');
  if (path === '/') return send(response, 'text/html', files.html);
  if (path === '/app.js') return send(response, 'text/javascript', await files.script());
  if (path === '/style.css') return send(response, 'text/css', await files.style());
  if (path === '/icon.svg' || path === '/favicon.ico') return send(response, 'image/svg+xml', ICON_SVG);
  if (path.startsWith('/tx/') && deps.panel.lookup !== undefined) {
    const signature = path.slice('/tx/'.length);
    if (!/^[1-9A-HJ-NP-Za-km-z]{40,100}$/.test(signature)) {
      return plain(response, 400, 'Expected /tx/<signature>, the signature in base58.');
    }
    return send(response, 'text/html', explorerPage(signature, await deps.panel.lookup(signature)));
  }
  plain(response, 404, 'Not found.');
}

function send(response: ServerResponse, type: string, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-length': body.length });
  response.end(body);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

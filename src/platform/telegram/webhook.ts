import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Bot, BotError, webhookCallback } from 'grammy';
import type { Update } from 'grammy/types';
import type { BotContext } from './context.ts';
import { UpdateBusyError } from './middleware/once.ts';
import { learnOwnName, type TakingDeps } from './poll.ts';
import { publishProfile } from './profile.ts';
import { ALLOWED_UPDATES } from './reading/message-kinds.ts';

/** Longer than waiting for the lock (5 s) and the handler (12 s) together. */
const TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 1024 * 1024;
const SECRET_HEADER = 'x-telegram-bot-api-secret-token';

export type WebhookOptions = {
  readonly url: string;
  /** Telegram repeats it in a header; without it anybody could send updates. */
  readonly secret: string;
  readonly port: number;
  readonly host?: string;
};

/**
 * Updates by webhook, for several replicas. A busy or failed update is answered 503 so that Telegram delivers it again;
 * pending updates are never dropped. A proxy may send the body with its length or in chunks. Each refused request leaves one log line with
 * the reason, so a proxy that drops the secret or the body is found. Resolves when the server listens and Telegram knows the address.
 */
export async function serveWebhook(
  bot: Bot<BotContext>,
  options: WebhookOptions,
  deps: TakingDeps,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  if (!/^[A-Za-z0-9_-]{16,256}$/.test(options.secret)) {
    throw new RangeError('a webhook needs a secret of 16 to 256 characters of A–Z a–z 0–9 _ -');
  }
  const { link, log, stopping } = deps;
  await learnOwnName(bot, deps);
  const handle = webhookCallback(bot, updateOf, {
    secretToken: options.secret,
    timeoutMilliseconds: TIMEOUT_MS,
    onTimeout: 'throw',
  });
  const server = createServer((request, response) => {
    // Read now: a socket that was closed has no address any more.
    const from = request.socket.remoteAddress;
    response.once('finish', () => {
      const { statusCode: status } = response;
      const reason = REFUSALS[status];
      if (reason !== undefined) log.warn({ status, from }, reason);
    });
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST' }).end();
      return;
    }
    handle(request, response).catch((error: unknown) => {
      if (error instanceof RefusedBody) {
        response.writeHead(error.status, { connection: 'close' }).end();
        return;
      }
      const cause = error instanceof BotError ? error.error : error;
      if (!(cause instanceof UpdateBusyError)) log.error({ err: cause }, 'a webhook update failed');
      if (!response.headersSent) response.writeHead(503).end();
    });
  });
  const port = await listen(server, options);
  const hook = { secret_token: options.secret, allowed_updates: ALLOWED_UPDATES };
  await link.ask(() => bot.api.setWebhook(options.url, hook), { signal: stopping, atStart: true });
  void publishProfile(bot.api, log);
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'a webhook request was refused: expected an update as JSON',
  401: 'a webhook request was refused: expected the webhook secret in its header',
  405: 'a webhook request was refused: expected POST',
  413: 'a webhook request was refused: expected at most 1 MiB',
};

class RefusedBody extends Error {
  readonly status: 400 | 413;

  constructor(status: 400 | 413) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

type Taking = {
  readonly update: Promise<Update>;
  readonly header?: string;
  readonly end: () => void;
  readonly respond: (json: string) => void;
  readonly unauthorized: () => void;
  /** Ends at once: the answer is written to the response. */
  readonly handlerReturn: Promise<void>;
};

/** grammY's view of one request. The body is read only after grammY compared the secret. */
function updateOf(request: IncomingMessage, response: ServerResponse): Taking {
  const secret = request.headers[SECRET_HEADER];
  return {
    get update() {
      return readUpdate(request);
    },
    ...(typeof secret === 'string' ? { header: secret } : {}),
    end: () => void response.end(),
    respond: (json) => void response.writeHead(200, { 'content-type': 'application/json' }).end(json),
    unauthorized: () => void response.writeHead(401, { connection: 'close' }).end(),
    handlerReturn: Promise.resolve(),
  };
}

/** Throws `RefusedBody` for more than 1 MiB, counted as it arrives, and for anything that is no update. */
async function readUpdate(request: IncomingMessage): Promise<Update> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RefusedBody(413);
    chunks.push(chunk);
  }
  try {
    const update: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (isUpdate(update)) return update;
  } catch {
    // Refused below, as every other body that holds no update.
  }
  throw new RefusedBody(400);
}

const isUpdate = (value: unknown): value is Update =>
  typeof value === 'object' && value !== null && 'update_id' in value;

function listen(server: Server, options: WebhookOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : options.port);
    });
  });
}

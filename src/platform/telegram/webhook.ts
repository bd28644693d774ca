import { createServer, type Server } from 'node:http';
import { type Bot, BotError, webhookCallback } from 'grammy';
import type { BotContext } from './context.ts';
import { UpdateBusyError } from './middleware/once.ts';
import { learnOwnName, type TakingDeps } from './poll.ts';
import { publishProfile } from './profile.ts';
import { ALLOWED_UPDATES } from './reading/message-kinds.ts';

/** Longer than waiting for the lock (5 s) and the handler (12 s) together. */
const TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 1024 * 1024;

export type WebhookOptions = {
  readonly url: string;
  /** Telegram repeats it in a header; without it anybody could send updates. */
  readonly secret: string;
  readonly port: number;
  readonly host?: string;
};

/**
 * Updates by webhook, for several replicas. A busy or failed update is answered 503 so that Telegram delivers it again;
 * pending updates are never dropped. Resolves when the server listens and Telegram knows the address.
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
  const handle = webhookCallback(bot, 'http', {
    secretToken: options.secret,
    timeoutMilliseconds: TIMEOUT_MS,
    onTimeout: 'throw',
  });
  const server = createServer((request, response) => {
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    if (request.method !== 'POST' || !(length <= MAX_BODY_BYTES)) {
      response.writeHead(request.method === 'POST' ? 413 : 405).end();
      return;
    }
    handle(request, response).catch((error: unknown) => {
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

function listen(server: Server, options: WebhookOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : options.port);
    });
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { assertLoopback, assertNotProduction } from '@tradepost/local-telegram';
import { createMailbox, type Mailbox } from './mailbox.ts';
import { serveInbox } from './serve-inbox.ts';
import { listenSmtp } from './smtp.ts';

export type LocalMail = {
  /** The product sends to this address. */
  readonly smtpUrl: string;
  readonly mailbox: Mailbox;
  /** The inbox, for the server of the chat page: true when the path was one of its own. */
  readonly serve: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

/**
 * A mail server of this machine that sends nothing on, with an inbox to look at. Throws for an address that is not loopback, and in
 * production: a reader of this inbox holds all people's links.
 */
export async function startLocalMail(
  options: { readonly host?: string; readonly port?: number; readonly nodeEnv?: string } = {},
): Promise<LocalMail> {
  const host = options.host ?? '127.0.0.1';
  assertLoopback(host, 'The local mail server');
  assertNotProduction(options.nodeEnv, 'The local mail server');
  const mailbox = createMailbox();
  const { port, stop } = await listenSmtp(mailbox, host, options.port ?? 0);
  return {
    smtpUrl: `smtp://${host === '::1' ? '[::1]' : host}:${port}`,
    mailbox,
    serve: async (request, response, path) => {
      if (path !== '/mail' && path !== '/mail.json' && !path.startsWith('/mail/')) return false;
      await serveInbox(mailbox, request, response, path);
      return true;
    },
    stop,
  };
}

import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

const MAX_BYTES = 1_048_576;

/** An SMTP server that takes every mail, except for addresses that are to bounce: 550, as a real one says. */
export async function listenSmtp(
  mailbox: Mailbox,
  host: string,
  port: number,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: MAX_BYTES,
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(mailbox.bounces(address) ? refusal('5.1.1 There is no such mailbox') : null),
    onData: (stream, session, done) => {
      simpleParser(stream, { skipHtmlToText: true, skipTextToHtml: true }).then(
        (mail) => {
          mailbox.add({
            at: Date.now(),
            from: mail.from?.text ?? '',
            to: session.envelope.rcptTo.map(({ address }) => address),
            subject: mail.subject ?? '',
            text: mail.text ?? '',
          });
          done();
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  // A client that breaks off is no fault of the program.
  server.on('error', () => undefined);
  return {
    port: portOf(server.server.address()),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(text: string): Error {
  return Object.assign(new Error(text), { responseCode: 550 });
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

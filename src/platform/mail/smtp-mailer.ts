import { createTransport } from 'nodemailer';
import type { Mailer, MailOutcome } from '../ports/mailer.ts';

export type SmtpOptions = {
  /** `smtps://user:password@host` or `smtp://…`; the latter goes on over TLS or not at all, except on this machine. */
  readonly url: string;
  /** `Tradepost <keys@example.org>`. */
  readonly from: string;
  /** A server that says nothing for this long is away. */
  readonly silenceMs?: number;
  /** One try takes no longer than this, however slowly the server talks. */
  readonly deadlineMs?: number;
};

const SILENCE_MS = 15_000;
const DEADLINE_MS = 60_000;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** Where a server speaks of this very mail, and not of us or of itself. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** Mail by SMTP: one connection per mail. Links never travel in the clear: without TLS no mail leaves this machine. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const isLocal = LOOPBACK.has(new URL(options.url).hostname);
  const silenceMs = options.silenceMs ?? SILENCE_MS;
  return {
    send: async ({ to, subject, text }) => {
      const transport = createTransport({
        url: options.url,
        requireTLS: !isLocal,
        ignoreTLS: isLocal,
        connectionTimeout: silenceMs,
        greetingTimeout: silenceMs,
        socketTimeout: silenceMs,
        dnsTimeout: silenceMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const deadline = rejectAfter(options.deadlineMs ?? DEADLINE_MS);
      try {
        const sent = transport.sendMail({
          from: options.from,
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        sent.catch(() => undefined);
        await Promise.race([sent, deadline.promise]);
        return { kind: 'sent' };
      } catch (error) {
        return outcomeOf(error);
      } finally {
        deadline.clear();
        transport.close();
      }
    },
  };
}

/** 5xx about the mail itself is for good; a refused login, a missing STARTTLS and everything 4xx may be mended. */
function outcomeOf(error: unknown): MailOutcome {
  const failure = error instanceof Error ? error : new Error(String(error));
  const code = 'responseCode' in failure ? Number(failure.responseCode) : 0;
  const command = 'command' in failure ? String(failure.command) : '';
  const reason = reasonOf(failure.message);
  return code >= 500 && code !== 503 && ABOUT_THE_MAIL.has(command)
    ? { kind: 'bounced', reason }
    : { kind: 'later', reason };
}

/** A server may repeat anything at us: one short line of it is kept. */
function reasonOf(message: string): string {
  return message.replace(/\p{C}+/gu, ' ').slice(0, 200);
}

function rejectAfter(ms: number): { readonly promise: Promise<never>; readonly clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the mail server took longer than ${ms} ms`)), ms);
  });
  promise.catch(() => undefined);
  return { promise, clear: () => clearTimeout(timer) };
}

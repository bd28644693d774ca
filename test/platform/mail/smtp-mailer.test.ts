import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startLocalMail } from '../../../src/local/mail/index.ts';
import { createSmtpMailer } from '../../../src/platform/mail/smtp-mailer.ts';

const MAIL = {
  to: 'mara@example.org',
  subject: 'Your key – ready',
  text: 'https://desk.example/keys/claim/abc\n',
};
const FROM = 'Tradepost <keys@example.org>';
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function localMail() {
  const mail = await startLocalMail();
  stops.push(mail.stop);
  return mail;
}

/** A server that speaks a script: what it answers to each command, by its first word. */
async function scripted(answers: Readonly<Record<string, string>>, greeting: string | null = '220 hello') {
  const sockets = new Set<Socket>();
  const heard: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (greeting !== null) socket.write(`${greeting}\r\n`);
    socket.on('data', (bytes) => {
      for (const line of bytes.toString().split('\r\n').filter(Boolean)) {
        heard.push(line);
        const word = Object.keys(answers).find((one) => line.toUpperCase().startsWith(one));
        if (word !== undefined) socket.write(`${answers[word]}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, heard };
}

const WELL = { EHLO: '250 me', 'MAIL FROM': '250 ok', 'RCPT TO': '250 ok', DATA: '354 go', QUIT: '221 bye' };

describe('a mail by SMTP', () => {
  it('arrives as it was written, and nothing leaves this machine', async () => {
    const { smtpUrl, mailbox } = await localMail();
    expect(await createSmtpMailer({ url: smtpUrl, from: FROM }).send(MAIL)).toEqual({ kind: 'sent' });
    expect(mailbox.list()).toMatchObject([
      {
        to: [MAIL.to],
        subject: MAIL.subject,
        text: MAIL.text,
        links: ['https://desk.example/keys/claim/abc'],
      },
    ]);
  });

  it('bounces where the server knows no such mailbox', async () => {
    const { smtpUrl, mailbox } = await localMail();
    mailbox.setBounce('Mara@example.org', true);
    const mailer = createSmtpMailer({ url: smtpUrl, from: FROM });
    expect(await mailer.send(MAIL)).toMatchObject({
      kind: 'bounced',
      reason: expect.stringContaining('550'),
    });
    mailbox.setBounce('mara@example.org', false);
    expect(await mailer.send(MAIL)).toEqual({ kind: 'sent' });
  });

  it.each([
    ['451 at RCPT', { ...WELL, 'RCPT TO': '451 come back later' }, 'later'],
    ['421 at MAIL', { ...WELL, 'MAIL FROM': '421 too busy' }, 'later'],
    ['552 at RCPT', { ...WELL, 'RCPT TO': '552 full' }, 'bounced'],
    ['550 at MAIL', { ...WELL, 'MAIL FROM': '550 not from you' }, 'bounced'],
    ['no EHLO', { EHLO: '502 no', HELO: '502 no', QUIT: '221 bye' }, 'later'],
  ])('%s', async (_what, answers, kind) => {
    const { port } = await scripted(answers);
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM });
    expect((await mailer.send(MAIL)).kind).toBe(kind);
  });

  it('waits for another time where the login is refused', async () => {
    const { port } = await scripted({ ...WELL, EHLO: '250-me\r\n250 AUTH PLAIN', AUTH: '535 wrong' });
    const mailer = createSmtpMailer({ url: `smtp://desk:secret@127.0.0.1:${port}`, from: FROM });
    const outcome = await mailer.send(MAIL);
    expect(outcome.kind).toBe('later');
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  it('gives up a server that is silent, one that is not there, and one that never ends', async () => {
    const silent = await scripted({}, null);
    const quick = { from: FROM, silenceMs: 100, deadlineMs: 300 };
    expect(
      (await createSmtpMailer({ ...quick, url: `smtp://127.0.0.1:${silent.port}` }).send(MAIL)).kind,
    ).toBe('later');
    expect((await createSmtpMailer({ ...quick, url: 'smtp://127.0.0.1:1' }).send(MAIL)).kind).toBe('later');
    const stuck = await scripted({ ...WELL, 'RCPT TO': '250-more' });
    const slow = createSmtpMailer({ ...quick, silenceMs: 60_000, url: `smtp://127.0.0.1:${stuck.port}` });
    expect((await slow.send(MAIL)).kind).toBe('later');
  });

  it('never goes on without TLS to a server that is not of this machine', async () => {
    // The same server, by an address that is not one of the three that count as this machine.
    for (const answers of [WELL, { ...WELL, EHLO: '250-me\r\n250 STARTTLS', STARTTLS: '454 not now' }]) {
      const { port, heard } = await scripted(answers);
      const mailer = createSmtpMailer({ url: `smtp://127.0.0.2:${port}`, from: FROM, silenceMs: 2_000 });
      expect((await mailer.send(MAIL)).kind).toBe('later');
      expect(heard.join('\n')).not.toMatch(/MAIL FROM|claim/);
    }
  });
});

describe('the local mail server', () => {
  it('never listens off this machine, nor in production', async () => {
    await expect(startLocalMail({ host: '0.0.0.0' })).rejects.toThrow('127.0.0.1 or ::1 only');
    await expect(startLocalMail({ nodeEnv: 'production' })).rejects.toThrow(
      'never runs with NODE_ENV=production',
    );
  });
});

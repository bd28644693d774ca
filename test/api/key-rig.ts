import { NOTICE_LETTERS } from '../../src/modules/guard/chat/mail-letters.ts';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import type { KeyGrant } from '../../src/modules/keys/rules/key-request.ts';
import { createUsageCounter } from '../../src/modules/keys/use/count-usage.ts';
import { proposedGrant } from '../../src/modules/keys/use/grant-of.ts';
import { createKeyDesk } from '../../src/modules/keys/use/key-desk.ts';
import { grantRequest } from '../../src/modules/keys/use/review-request.ts';
import { sendMail } from '../../src/modules/keys/use/send-mail.ts';
import { createHmacSecrets } from '../../src/platform/api-keys/hmac-secrets.ts';
import { createLinkTokens } from '../../src/platform/api-keys/link-tokens.ts';
import type { Mailer, MailOutcome } from '../../src/platform/ports/mailer.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { insertUser } from '../support/chat/people.ts';
import { fakeApiUsageStore } from '../support/fakes/api-usage-store.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { buildSite, OPEN } from './build-site.ts';

export const SITE = 'https://desk.example';
export const OPERATOR = 77n;
export const FORM = {
  email: 'mara@example.org',
  project: 'Rebalancer',
  use: 'It rebalances a small portfolio.',
  perDay: '10000',
  peakPerSecond: '2',
  swap: 'on',
} as const;

export type SentMail = { readonly to: string; readonly subject: string; readonly text: string };

/** The pages of keys over the real use cases, a database in memory and a mail server that a test plays. */
export async function keyRig(
  options: {
    readonly keyMail?: 'link' | 'key';
    readonly db?: Database;
    /** A real mail server in place of the one that a test plays. */
    readonly mailer?: Mailer;
    readonly siteUrl?: () => string;
  } = {},
) {
  const db = options.db ?? fakeDatabase();
  const clock = fakeClock();
  const ids = fakeIds();
  const operators = new Set([OPERATOR]);
  const operator = await insertUser(db, ids, OPERATOR);
  const warned: string[] = [];
  const log = {
    info: () => undefined,
    warn: (fields: object, text: string) => void warned.push(`${text} ${JSON.stringify(fields)}`),
  };
  const sent: SentMail[] = [];
  const state = { outcome: { kind: 'sent' } as MailOutcome };
  const secrets = createHmacSecrets(new Uint8Array(32).fill(7));
  const tokens = createLinkTokens();
  const nudge = () => undefined;
  const shared = { db, clock, ids, operators, log, tokens, secrets, nudge, guardRules: PRODUCTION_RULES };
  const usage = createUsageCounter({ store: fakeApiUsageStore(), clock, onProblem: () => undefined });
  const desk = createKeyDesk({ ...shared, usage, maxRate: 50 });
  const { app } = buildSite(OPEN, { keyDesk: desk, clock });
  const mailer: Mailer = options.mailer ?? {
    send: async (mail: SentMail): Promise<MailOutcome> => {
      sent.push(mail);
      return state.outcome;
    },
  };
  const mailDeps = {
    ...shared,
    mailer,
    letters: NOTICE_LETTERS,
    keyMail: options.keyMail ?? 'link',
    siteUrl: options.siteUrl ?? (() => SITE),
  };
  const deliver = (id: string) => sendMail(mailDeps, id);
  const form = (
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
  const rig = {
    db,
    app,
    clock,
    ids,
    desk,
    secrets,
    usage,
    operator,
    operators,
    warned,
    sent,
    state,
    shared,
    mailDeps,
    deliver,
    form,
    get: (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers }),
    /** Sends everything that is due, as the worker does. */
    async work(): Promise<void> {
      for (const id of await db.mails.due(clock.now(), 100)) await deliver(id);
    },
    /** The path of the link in the newest mail. */
    link(): string {
      const url = /https:\/\/desk\.example(\/\S+)/.exec(sent.at(-1)?.text ?? '')?.[1];
      if (url === undefined) throw new Error(`no link in: ${sent.at(-1)?.text ?? 'no mail'}`);
      return url;
    },
    /** A request whose address is confirmed. */
    async confirmed(fields: Partial<Record<keyof typeof FORM, string>> = {}): Promise<string> {
      await form('/keys', { ...FORM, ...fields });
      await rig.work();
      await form(rig.link(), {});
      const [request] = await db.keyRequests.listByEmail(fields.email ?? FORM.email, 1);
      return request?.id ?? '';
    },
    async grant(id: string, change: Partial<KeyGrant> = {}) {
      const request = await db.keyRequests.find(id);
      if (request === null) throw new Error('no request');
      return grantRequest(shared, { telegramId: OPERATOR }, id, { ...proposedGrant(request, 50), ...change });
    },
    /** The whole way to a key; its text. */
    async key(fields: Partial<Record<keyof typeof FORM, string>> = {}): Promise<string> {
      await rig.grant(await rig.confirmed(fields));
      await rig.work();
      return keyIn((await form(rig.link(), {})).body);
    },
    close: () => app.close(),
  };
  return rig;
}

export type KeyRig = Awaited<ReturnType<typeof keyRig>>;

export function keyIn(page: string): string {
  return /dx_live_\w{12}_\w{43}/.exec(page)?.[0] ?? '';
}

import { NOTICE_LETTERS } from '../../../src/modules/guard/chat/mail-letters.ts';
import type { GuardRules } from '../../../src/modules/guard/rules/guard.ts';
import { PRODUCTION_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { mailNotice } from '../../../src/modules/guard/use/mail-notice.ts';
import { askNoticeMail, confirmNoticeMail } from '../../../src/modules/guard/use/notice-mail.ts';
import { stopActs } from '../../../src/modules/guard/use/stop-acts.ts';
import { createStopDesk } from '../../../src/modules/guard/use/stop-by-mail.ts';
import { sendMail } from '../../../src/modules/keys/use/send-mail.ts';
import { createLinkTokens } from '../../../src/platform/api-keys/link-tokens.ts';
import type { MailOutcome } from '../../../src/platform/ports/mailer.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { walletRow } from '../../conformance/store-rows.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';
import { guardRig } from './guard-rig.ts';

export const SITE = 'https://desk.example';
const CODE = /\n([0-9A-Z]{5}-[0-9A-Z]{5})\n/;
const TOKEN = /\/stop\/([\w-]{43})/;

export type Letter = { readonly to: string; readonly subject: string; readonly text: string };

/** A person with a ripe PIN, on production's waits, and the way of a notice: to the worker, to a mail server that a test plays, to the page. */
export async function mailRig(db: Database, serial = 1, guardRules: GuardRules = PRODUCTION_RULES) {
  const pins = fakePins();
  const { clock, ids, user, wallet, deps: base } = await guardRig(db, pins, serial);
  await givePin(db, pins, user.id);
  const userId = user.id;
  const vault = testSigner({ db, clock }, { pins, ids, guardRules });
  const letters: Letter[] = [];
  const server = { outcome: { kind: 'sent' } as MailOutcome, isSet: true };
  const deps = {
    ...base,
    vault,
    guardRules,
    tokens: createLinkTokens(),
    letters: NOTICE_LETTERS,
    hasMail: () => server.isSet,
    nudge: () => undefined,
  };
  const acts = { ...stopActs(deps) };
  const desk = createStopDesk({ ...deps, acts });
  const mailer = {
    send: async (letter: Letter): Promise<MailOutcome> => {
      letters.push(letter);
      return server.outcome;
    },
  };
  const sending = {
    ...deps,
    secrets: null,
    keyMail: 'link' as const,
    siteUrl: () => SITE,
    operators: new Set<bigint>(),
  };

  /** What the worker does: mails of the notices that are due, and then the letters. */
  async function work(): Promise<void> {
    for (const id of await db.notices.undelivered(clock.now() + 1, 1_000)) {
      const told = await db.notices.begin(id);
      if (told === null || told.user.id !== userId) continue;
      // A worker that dies in between does it again.
      for (let turn = 0; turn < 2; turn += 1) await mailNotice(deps, told);
      await db.notices.markDelivered(id, clock.now());
    }
    await send();
  }
  async function send(): Promise<void> {
    for (const id of await db.mails.due(clock.now(), 100))
      await sendMail({ ...sending, mailer: server.isSet ? mailer : null }, id);
  }
  const code = (): string =>
    letters.map(({ text }) => CODE.exec(text)?.[1]).findLast((found) => found !== undefined) ?? 'none';

  return {
    db,
    clock,
    ids,
    user,
    userId,
    wallet,
    pins,
    vault,
    deps,
    acts,
    letters,
    server,
    work,
    send,
    code,
    ask: (address: string, pin = TEST_PIN) => askNoticeMail(deps, { userId, pin, address }),
    confirm: (address: string, typed: string) => confirmNoticeMail(deps, { userId, address, code: typed }),
    /** The whole way of an address, but for the wait. */
    async set(address: string): Promise<void> {
      await askNoticeMail(deps, { userId, pin: TEST_PIN, address });
      await work();
      const set = await confirmNoticeMail(deps, { userId, address, code: code() });
      if (set.kind !== 'set') throw new Error('the code was wrong');
    },
    token: (index = -1): string => TOKEN.exec(letters.at(index)?.text ?? '')?.[1] ?? 'none',
    look: desk.look,
    stop: desk.stop,
    guard: () => db.guards.find(userId),
    trail: async () =>
      (await db.auditLog.list({ subject: userId }, { limit: 50, offset: 0 })).map(({ act }) => act),
    /** A wallet whose key the signer has; the same each time. */
    async keyed() {
      const known = (await db.wallets.listByUser(userId)).find(({ name }) => name === 'Savings');
      if (known !== undefined) return known;
      const walletId = ids.ulid();
      const secret = await vault.create({ walletId, userId });
      const made = walletRow({ id: walletId, userId, address: secret.publicKey, name: 'Savings' });
      await db.wallets.insert(PASSED, made, secret);
      return made;
    },
  };
}

export type MailRig = Awaited<ReturnType<typeof mailRig>>;

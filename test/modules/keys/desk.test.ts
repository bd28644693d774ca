import { beforeEach, describe, expect, it } from 'vitest';
import { PRODUCTION_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import type { KeyGrant } from '../../../src/modules/keys/rules/key-request.ts';
import type { LinkPurpose } from '../../../src/modules/keys/store/one-time-link-store-port.ts';
import {
  type AccountDeps,
  accountOverview,
  login,
  logout,
  ownKey,
  requestLogin,
  sessionEmail,
} from '../../../src/modules/keys/use/account.ts';
import { answerOnce } from '../../../src/modules/keys/use/answer-once.ts';
import { checkApiKey } from '../../../src/modules/keys/use/check-api-key.ts';
import {
  type ClaimDeps,
  claimKey,
  lookAtClaim,
  revokeClaimed,
} from '../../../src/modules/keys/use/claim-key.ts';
import {
  answerQuestion,
  askedQuestion,
  confirmRequest,
  liveLink,
} from '../../../src/modules/keys/use/confirm-request.ts';
import { grantOf, limitsText, proposedGrant } from '../../../src/modules/keys/use/grant-of.ts';
import { createKeyCache } from '../../../src/modules/keys/use/key-cache.ts';
import { requestKey } from '../../../src/modules/keys/use/request-key.ts';
import {
  askBack,
  grantRequest,
  type ReviewDeps,
  refuseRequest,
  reviewedRequest,
  waitingRequests,
} from '../../../src/modules/keys/use/review-request.ts';
import { replaceKey, requestRotation } from '../../../src/modules/keys/use/rotate-key.ts';
import { linkSubject } from '../../../src/modules/mail/use/link-subject.ts';
import { createHmacSecrets } from '../../../src/platform/api-keys/hmac-secrets.ts';
import { createLinkTokens } from '../../../src/platform/api-keys/link-tokens.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { keyRow, requestRow } from '../../conformance/key-stores.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIdempotencyStore } from '../../support/fakes/idempotency-store.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const EMAIL = 'mara@example.org';
const OPERATOR = 77n;
const OTHER_OPERATOR = 78n;
const GRANT: KeyGrant = {
  ratePerSecond: 3,
  burst: 6,
  dayQuota: 15_000,
  maxReferrerFeeBps: 200,
  scopes: ['swap'],
  days: 30,
};
const DRAFT = {
  email: EMAIL,
  project: 'Rebalancer',
  use: 'It rebalances a small portfolio.',
  perDay: 10_000,
  peakPerSecond: 2,
  scopes: ['swap'],
} as const;

const ids = fakeIds(3);
const tokens = createLinkTokens();
const secrets = createHmacSecrets(new Uint8Array(32).fill(7));
let clock: ReturnType<typeof fakeClock>;
let db: Database;
let nudges: number;
let warned: unknown[];
let deps: ClaimDeps & ReviewDeps & AccountDeps;
let operatorId: string;

beforeEach(async () => {
  clock = fakeClock();
  db = fakeDatabase();
  nudges = 0;
  warned = [];
  operatorId = (await insertUser(db, ids, OPERATOR)).id;
  deps = {
    db,
    clock,
    ids,
    tokens,
    secrets,
    guardRules: PRODUCTION_RULES,
    operators: new Set([OPERATOR, OTHER_OPERATOR]),
    log: { warn: (fields) => void warned.push(fields) },
    usage: {
      list: async (account) => [{ account, keyId: 'k', route: 'r', day: 'd', status: 200, requests: 1 }],
    },
    nudge: () => {
      nudges += 1;
    },
  };
});

const mails = async () =>
  (await db.mails.list(99)).map(({ to, template, subject, args }) => ({ to, template, subject, args }));
const trail = async () =>
  (await db.auditLog.list({}, { limit: 50, offset: 0 }))
    .map(({ actor, act, details }) => ({ actor, act, details }))
    .toReversed();
const notices = async () => {
  const waiting = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 99);
  return (await Promise.all(waiting.map((id) => db.notices.find(id)))).map((one) => ({
    userId: one?.userId,
    kind: one?.kind,
    payload: one?.payload,
  }));
};
/** A link of a mail, which lives for a day. */
async function link(purpose: LinkPurpose, subject: string, lives = DAY): Promise<string> {
  const token = tokens.make();
  const hash = tokens.hash(token);
  await db.links.insert({ hash, purpose, subject, expiresAt: clock.now() + lives, usedAt: null });
  return token;
}
async function request(change: Parameters<typeof requestRow>[0] = {}) {
  const row = requestRow({ email: EMAIL, createdAt: clock.now(), ...change });
  await db.keyRequests.insert(row);
  return row;
}
async function key(change: Parameters<typeof keyRow>[0] = {}) {
  const row = keyRow({ email: EMAIL, createdAt: clock.now(), ...change });
  await db.apiKeys.insert(PASSED, row);
  return row;
}
const statusOf = async (id: string) => (await db.keyRequests.find(id))?.status;
const BY = { telegramId: OPERATOR };

describe('asking for a key', () => {
  it('mails one link to the address, however often it is asked', async () => {
    await requestKey(deps, DRAFT);
    const [asked] = await db.keyRequests.listByEmail(EMAIL, 9);
    expect(asked).toMatchObject({ ...DRAFT, status: 'unconfirmed', createdAt: clock.now(), granted: null });
    expect(await mails()).toEqual([{ to: EMAIL, template: 'confirm', subject: asked?.id, args: {} }]);
    await requestKey(deps, DRAFT);
    expect([(await mails()).length, nudges]).toEqual([1, 1]);
  });

  it('makes room for a new request once the link of the first has expired, not before', async () => {
    await requestKey(deps, DRAFT);
    clock.advance(DAY);
    await requestKey(deps, DRAFT);
    expect(await mails()).toHaveLength(1);
    clock.advance(1);
    await requestKey(deps, DRAFT);
    expect(await mails()).toHaveLength(2);
  });
});

describe('a link', () => {
  it('works for its purpose until it expires', async () => {
    const token = await link('confirm', 'r');
    expect(await liveLink(deps, token, ['confirm'])).toMatchObject({ subject: 'r' });
    expect(await liveLink(deps, token, ['answer'])).toBeNull();
    expect(await liveLink(deps, 'another', ['confirm'])).toBeNull();
    clock.advance(DAY - 1);
    expect(await liveLink(deps, token, ['answer', 'confirm'])).not.toBeNull();
    clock.advance(1);
    expect(await liveLink(deps, token, ['confirm'])).toBeNull();
  });

  it('confirms the address once, and each operator that opened the chat hears of it', async () => {
    const { id } = await request();
    const token = await link('confirm', id);
    expect(await confirmRequest(deps, token)).toBe(true);
    expect(await db.keyRequests.find(id)).toMatchObject({ status: 'confirmed', confirmedAt: clock.now() });
    expect(await confirmRequest(deps, token)).toBe(true);
    expect(await notices()).toEqual([
      { userId: operatorId, kind: 'key-request', payload: { requestId: id } },
    ]);
    expect([nudges, warned]).toEqual([1, []]);
    expect((await db.links.find(tokens.hash(token)))?.usedAt).toBe(clock.now());
    expect(await confirmRequest(deps, await link('confirm', 'forgotten'))).toBe(false);
    expect(await confirmRequest(deps, await link('claim', id))).toBe(false);
  });

  it('confirms also where no operator opened the chat, and the log says so', async () => {
    const { id } = await request();
    await confirmRequest({ ...deps, operators: new Set([OTHER_OPERATOR]) }, await link('confirm', id));
    expect(await statusOf(id)).toBe('confirmed');
    expect(warned).toEqual([{ kind: 'key-request', requestId: id }]);
    expect(await notices()).toEqual([]);
  });

  it('answers the question that it was mailed for, once, and no later one', async () => {
    const question = 'Which pairs?';
    const { id } = await request({ status: 'confirmed', question });
    const subject = linkSubject(tokens, { template: 'question', subject: id, args: { question } });
    const [token, second] = [await link('answer', subject), await link('answer', subject)];
    expect(await askedQuestion(deps, token)).toMatchObject({ id, question });
    expect(await answerQuestion(deps, token, 'SOL alone')).toBe(true);
    expect(await db.keyRequests.find(id)).toMatchObject({ answer: 'SOL alone' });
    expect(await askedQuestion(deps, token)).toBeNull();
    expect(await askedQuestion(deps, second)).toBeNull();
    expect(await answerQuestion(deps, token, 'again')).toBe(false);
    expect(await answerQuestion(deps, second, 'again')).toBe(false);
    expect([(await notices()).length, nudges]).toEqual([1, 1]);
    await db.keyRequests.change(id, ['confirmed'], { question: 'And when?', answer: null });
    const late = await link('answer', subject);
    expect(await askedQuestion(deps, late)).toBeNull();
    expect(await answerQuestion(deps, late, 'late')).toBe(false);
    expect((await db.links.find(tokens.hash(late)))?.usedAt).toBeNull();
    expect((await db.keyRequests.find(id))?.answer).toBeNull();
  });

  it('answers nothing that was not asked, or is decided', async () => {
    const open = await request({ status: 'confirmed' });
    const bare = await link('answer', open.id);
    expect(await askedQuestion(deps, bare)).toBeNull();
    expect(await answerQuestion(deps, bare, 'x')).toBe(false);
    const decided = await request({ status: 'refused', question: 'Why?', email: 'eve@example.org' });
    const late = await link('answer', decided.id);
    expect(await askedQuestion(deps, late)).toBeNull();
    expect(await answerQuestion(deps, late, 'x')).toBe(false);
    expect(await answerQuestion(deps, await link('answer', 'forgotten'), 'x')).toBe(false);
    expect(await answerQuestion(deps, await link('confirm', decided.id), 'x')).toBe(false);
    expect([await notices(), nudges]).toEqual([[], 0]);
  });
});

describe('an operator', () => {
  it('grants a request once: the first of two answers counts', async () => {
    const { id, project } = await request({ status: 'confirmed' });
    const done = await grantRequest(deps, BY, id, GRANT);
    expect(done).toMatchObject({
      kind: 'done',
      request: { status: 'granted', granted: GRANT, decidedAt: clock.now(), decidedBy: 'tg:77' },
    });
    expect(await refuseRequest(deps, BY, id, 'No.')).toMatchObject({
      kind: 'decided',
      request: { status: 'granted' },
    });
    expect(await mails()).toEqual([
      { to: EMAIL, template: 'claim', subject: id, args: { project, limits: limitsText(GRANT) } },
    ]);
    const { ratePerSecond, dayQuota, maxReferrerFeeBps, scopes } = GRANT;
    expect(await trail()).toEqual([
      {
        actor: 'operator:tg:77',
        act: 'key-request-granted',
        details: { requestId: id, ratePerSecond, dayQuota, maxReferrerFeeBps, scopes },
      },
    ]);
    expect(nudges).toBe(1);
  });

  it('refuses with a reason that the asker reads, and is named where it was done at the server', async () => {
    const { id, project } = await request({ status: 'confirmed' });
    await refuseRequest(deps, { actor: 'operator:ann' }, id, 'Too much.');
    expect(await db.keyRequests.find(id)).toMatchObject({
      status: 'refused',
      reason: 'Too much.',
      decidedBy: 'ops',
      decidedAt: clock.now(),
    });
    expect(await mails()).toEqual([
      { to: EMAIL, template: 'refused', subject: id, args: { project, reason: 'Too much.' } },
    ]);
    expect(await trail()).toEqual([
      { actor: 'operator:ann', act: 'key-request-refused', details: { requestId: id } },
    ]);
  });

  it('asks back, which decides nothing and clears the former answer', async () => {
    const { id, project } = await request({ status: 'confirmed', question: 'Who?', answer: 'Me.' });
    expect(await askBack(deps, BY, id, 'Why?')).toMatchObject({ kind: 'done' });
    expect(await db.keyRequests.find(id)).toMatchObject({
      status: 'confirmed',
      question: 'Why?',
      answer: null,
      decidedAt: null,
      decidedBy: null,
    });
    expect(await mails()).toEqual([
      { to: EMAIL, template: 'question', subject: id, args: { project, question: 'Why?' } },
    ]);
    expect(await trail()).toEqual([]);
  });

  it('decides nothing that is not confirmed, and nothing that is not there', async () => {
    const { id } = await request();
    expect(await grantRequest(deps, BY, id, GRANT)).toMatchObject({ kind: 'decided' });
    expect(await grantRequest(deps, BY, 'none', GRANT)).toBeNull();
    expect([await mails(), await trail(), nudges]).toEqual([[], [], 0]);
  });

  it('who left the list decides and sees nothing', async () => {
    const { id } = await request({ status: 'confirmed' });
    const eve = { telegramId: 66n };
    const refused = { code: 'NOT_OPERATOR' };
    await expect(grantRequest(deps, eve, id, GRANT)).rejects.toMatchObject(refused);
    await expect(refuseRequest(deps, eve, id, 'x')).rejects.toMatchObject(refused);
    await expect(askBack(deps, eve, id, 'x')).rejects.toMatchObject(refused);
    await expect(waitingRequests(deps, eve)).rejects.toMatchObject(refused);
    await expect(reviewedRequest(deps, eve, id)).rejects.toMatchObject(refused);
    expect(await statusOf(id)).toBe('confirmed');
  });

  it('sees what waits, and a request beside the earlier ones of its address', async () => {
    const earlier = await request({ status: 'refused' });
    const { id } = await request({ status: 'confirmed' });
    await request({ status: 'unconfirmed', email: 'eve@example.org' });
    expect((await waitingRequests(deps, BY)).map((one) => one.id)).toEqual([id]);
    const seen = await reviewedRequest(deps, BY, id);
    expect([seen?.request.id, seen?.earlier.map((one) => one.id)]).toEqual([id, [earlier.id]]);
    expect(await reviewedRequest(deps, BY, 'none')).toBeNull();
  });
});

describe('a granted request', () => {
  it('proposes what its own numbers lead to, and says it in words', () => {
    expect(proposedGrant({ ...DRAFT, perDay: 10_000, peakPerSecond: 2 }, 50)).toEqual({
      ratePerSecond: 2,
      burst: 4,
      dayQuota: 15_000,
      maxReferrerFeeBps: 300,
      scopes: ['swap'],
      days: null,
    });
    expect(limitsText(GRANT)).toBe('3 requests per second, 6 at once, 15,000 a day; for swap');
    expect(limitsText({ ...GRANT, ratePerSecond: 1, dayQuota: null, scopes: ['swap', 'token'] })).toBe(
      '1 request per second, 6 at once; for swap, token',
    );
  });

  it('becomes a key of its address that ends after its days', () => {
    const granted = requestRow({ email: EMAIL, granted: GRANT });
    const { days: _days, ...limits } = GRANT;
    expect(grantOf(granted, 5)).toEqual({
      ...limits,
      account: granted.id,
      email: EMAIL,
      expiresAt: 5 + 30 * DAY,
    });
    expect(grantOf({ ...granted, granted: { ...GRANT, days: null } }, 5).expiresAt).toBeNull();
    expect(() => grantOf({ ...granted, granted: null }, 5)).toThrow(granted.id);
  });

  it('gives its key to the first press of its link, and shows the others that it is used', async () => {
    const { id } = await request({ status: 'granted', granted: GRANT });
    const token = await link('claim', id);
    expect(await lookAtClaim(deps, token)).toEqual({ kind: 'ready', replaces: null });
    const made = await claimKey(deps, token);
    if (made.kind !== 'made') throw new Error(made.kind);
    expect(made.text).toMatch(/^dx_live_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}$/);
    expect(made.key).toMatchObject({ account: id, email: EMAIL, createdAt: clock.now(), replacedBy: null });
    expect(await checkApiKey({ keys: db.apiKeys, secrets, clock }, made.text)).toMatchObject({
      kind: 'valid',
    });
    expect(await db.keyRequests.find(id)).toMatchObject({
      status: 'claimed',
      keyId: made.key.id,
      claimedAt: clock.now(),
    });
    const used = { kind: 'used', at: clock.now(), keyId: made.key.id, isRevoked: false };
    expect(await claimKey(deps, token)).toEqual(used);
    // A mail that was sent twice: its other link makes no second key.
    const twin = await link('claim', id);
    expect(await claimKey(deps, twin)).toEqual(used);
    expect(await lookAtClaim(deps, twin)).toEqual(used);
    expect(await trail()).toEqual([
      { actor: `account:${id}`, act: 'api-key-claimed', details: { keyId: made.key.id, requestId: id } },
    ]);
    expect(await revokeClaimed(deps, token)).toBe(true);
    expect(await revokeClaimed(deps, token)).toBe(false);
    expect(await lookAtClaim(deps, token)).toEqual({ ...used, isRevoked: true });
    expect((await trail()).at(-1)).toEqual({
      actor: `account:${id}`,
      act: 'api-key-revoked',
      details: { keyId: made.key.id },
    });
  });

  it('shows its key as over once that has ended', async () => {
    const { id } = await request({ status: 'granted', granted: { ...GRANT, days: 1 } });
    const token = await link('claim', id);
    await claimKey(deps, token);
    clock.advance(DAY - 1);
    expect(await lookAtClaim(deps, token)).toMatchObject({ kind: 'used', isRevoked: false });
    clock.advance(1);
    expect(await lookAtClaim(deps, token)).toMatchObject({ kind: 'used', isRevoked: true });
    await db.keyRequests.change(id, ['claimed'], { keyId: 'forgotten' });
    expect(await lookAtClaim(deps, token)).toMatchObject({ kind: 'used', isRevoked: true });
    expect(await revokeClaimed(deps, token)).toBe(false);
  });

  it('gives nothing by a link that expired, of another purpose, or before it was granted', async () => {
    const { id } = await request({ status: 'granted', granted: GRANT });
    const short = await link('claim', id, SECOND);
    clock.advance(SECOND);
    const waiting = await request({ status: 'confirmed', email: 'eve@example.org' });
    const links = [
      short,
      await link('login', id),
      await link('claim', waiting.id),
      await link('claim', 'forgotten'),
      'no link',
    ];
    for (const token of links) {
      expect(await lookAtClaim(deps, token)).toEqual({ kind: 'gone' });
      expect(await claimKey(deps, token)).toEqual({ kind: 'gone' });
      expect(await revokeClaimed(deps, token)).toBe(false);
    }
    const used = await link('claim', id);
    await db.links.use(tokens.hash(used), clock.now());
    expect(await lookAtClaim(deps, used)).toEqual({ kind: 'gone' });
    expect(await db.apiKeys.list()).toEqual([]);
  });

  it('keeps its link where the gate refuses, so that it works later', async () => {
    const { id } = await request({ status: 'granted', granted: GRANT });
    const token = await link('claim', id);
    await db.flags.set('api-paused', true, clock.now(), { reason: 'x', until: null });
    await expect(claimKey(deps, token)).rejects.toMatchObject({ code: 'PAUSED' });
    expect(await lookAtClaim(deps, token)).toEqual({ kind: 'ready', replaces: null });
    await db.flags.set('api-paused', false, clock.now());
    expect(await claimKey(deps, token)).toMatchObject({ kind: 'made' });
  });
});

describe('a key in the place of another', () => {
  it('is asked for by mail, three times an hour, and for nobody without an address', async () => {
    const old = await key();
    for (let n = 0; n < 3; n += 1) expect(await requestRotation(deps, old.id)).toBe('mailed');
    expect(await requestRotation(deps, old.id)).toBe('too-often');
    expect(await mails()).toEqual(
      Array.from({ length: 3 }, () => ({
        to: EMAIL,
        template: 'rotate',
        subject: old.id,
        args: { key: old.id },
      })),
    );
    expect(nudges).toBe(3);
    clock.advance(HOUR + 1);
    expect(await requestRotation(deps, old.id)).toBe('mailed');
    expect(await requestRotation(deps, (await key({ email: null })).id)).toBe('no-address');
    expect(await requestRotation(deps, 'none')).toBe('no-address');
  });

  it('has its limits, and the old one lives for a week beside it', async () => {
    const old = await key({ expiresAt: clock.now() + 90 * DAY, maxReferrerFeeBps: 250 });
    const token = await link('rotate', old.id);
    expect(await lookAtClaim(deps, token)).toEqual({ kind: 'ready', replaces: old.id });
    const made = await claimKey(deps, token);
    if (made.kind !== 'made') throw new Error(made.kind);
    const { account, scopes, ratePerSecond, burst, maxReferrerFeeBps, dayQuota, email, expiresAt } = old;
    expect(made.key).toMatchObject({
      account,
      scopes,
      ratePerSecond,
      burst,
      maxReferrerFeeBps,
      dayQuota,
      email,
      expiresAt,
      createdAt: clock.now(),
    });
    expect(await db.apiKeys.find(old.id)).toMatchObject({
      replacedBy: made.key.id,
      expiresAt: clock.now() + 7 * DAY,
    });
    const used = { kind: 'used', at: clock.now(), keyId: made.key.id, isRevoked: false };
    expect(await lookAtClaim(deps, token)).toEqual(used);
    expect(await claimKey(deps, await link('rotate', old.id))).toEqual(used);
    expect(await trail()).toEqual([
      {
        actor: `account:${account}`,
        act: 'api-key-rotated',
        details: { keyId: made.key.id, replaced: old.id },
      },
    ]);
  });

  it('is none for a key that is revoked, over, forgotten or has one already', async () => {
    const over = [
      await key({ revokedAt: clock.now() }),
      await key({ expiresAt: clock.now() }),
      await key({ replacedBy: 'forgotten' }),
    ];
    for (const id of [...over.map((one) => one.id), 'none']) {
      const token = await link('rotate', id);
      expect(await lookAtClaim(deps, token), id).toEqual({ kind: 'gone' });
      expect(await claimKey(deps, token), id).toEqual({ kind: 'gone' });
      const replaced = await replaceKey({ keys: db.apiKeys, secrets, clock }, PASSED, id, DAY);
      expect(replaced, id).toBeNull();
    }
    // The link of a lost race does not stay valid.
    const left = (await db.apiKeys.list()).filter(
      ({ id, revokedAt, expiresAt }) =>
        revokedAt === null &&
        (expiresAt === null || expiresAt > clock.now()) &&
        !over.some((one) => one.id === id),
    );
    expect(left).toEqual([]);
    const live = await key();
    const short = await link('rotate', live.id, SECOND);
    const used = await link('rotate', live.id);
    await db.links.use(tokens.hash(used), clock.now());
    clock.advance(SECOND);
    for (const token of [short, used]) expect(await lookAtClaim(deps, token)).toEqual({ kind: 'gone' });
    expect(await lookAtClaim(deps, await link('rotate', live.id))).toMatchObject({ kind: 'ready' });
  });
});

describe('a way in by mail', () => {
  it('goes to an address with a key alone, three times an hour', async () => {
    await requestLogin(deps, EMAIL);
    expect([await mails(), nudges]).toEqual([[], 0]);
    await key();
    for (let n = 0; n < 4; n += 1) await requestLogin(deps, EMAIL);
    expect(await mails()).toEqual(
      Array.from({ length: 3 }, () => ({ to: EMAIL, template: 'login', subject: EMAIL, args: {} })),
    );
    expect(nudges).toBe(3);
    clock.advance(HOUR + 1);
    await requestLogin(deps, EMAIL);
    expect(nudges).toBe(4);
  });

  it('becomes a session of an hour, once, which ends when its person leaves', async () => {
    const token = await link('login', EMAIL);
    const session = await login(deps, token);
    if (session === null) throw new Error('no session');
    expect(await login(deps, token)).toBeNull();
    expect(await login(deps, await link('claim', EMAIL))).toBeNull();
    expect(await login(deps, 'no link')).toBeNull();
    expect(await sessionEmail(deps, session)).toBe(EMAIL);
    expect(await sessionEmail(deps, token)).toBeNull();
    expect(await sessionEmail(deps, 'no session')).toBeNull();
    clock.advance(HOUR - 1);
    expect(await sessionEmail(deps, session)).toBe(EMAIL);
    clock.advance(1);
    expect(await sessionEmail(deps, session)).toBeNull();
    const second = (await login(deps, await link('login', EMAIL))) ?? '';
    await logout(deps, second);
    expect(await sessionEmail(deps, second)).toBeNull();
    // A link that was not followed is no session.
    expect(await sessionEmail(deps, await link('login', EMAIL))).toBeNull();
  });

  it('shows the keys of the address and what each account did, once', async () => {
    const [one, two] = [await key({ account: 'a' }), await key({ account: 'a' })];
    const other = await key({ account: 'b' });
    await key({ email: 'eve@example.org', account: 'c' });
    const seen = await accountOverview(deps, EMAIL);
    expect(seen.email).toBe(EMAIL);
    expect(seen.keys.map(({ id }) => id).toSorted()).toEqual([one.id, two.id, other.id].toSorted());
    expect(seen.usage.map(({ account }) => account).toSorted()).toEqual(['a', 'b']);
  });

  it('gives a key of the address and of no other', async () => {
    const mine = await key();
    expect(await ownKey(deps, EMAIL, mine.id)).toMatchObject({ id: mine.id });
    expect(await ownKey(deps, 'eve@example.org', mine.id)).toBeNull();
    expect(await ownKey(deps, EMAIL, 'none')).toBeNull();
  });
});

describe('a key that is checked', () => {
  const check = (text: string) => checkApiKey({ keys: db.apiKeys, secrets, clock }, text);

  it('is the same unknown for what is no key, a wrong one and one that is not there', async () => {
    const { id } = await request({ status: 'granted', granted: GRANT });
    const made = await claimKey(deps, await link('claim', id));
    if (made.kind !== 'made') throw new Error(made.kind);
    const { text } = made;
    const last = text.endsWith('a') ? 'b' : 'a';
    for (const wrong of [
      '',
      `x${text}`,
      `${text}x`,
      text.slice(0, -1),
      `${text.slice(0, -1)}${last}`,
      `dx_live_${'A'.repeat(12)}_${text.slice(-43)}`,
      text.replace('dx_live', 'dx_test'),
    ])
      expect(await check(wrong), wrong).toEqual({ kind: 'unknown' });
    expect(await check(text)).toMatchObject({ kind: 'valid', key: { id: made.key.id } });
    await db.apiKeys.revoke(PASSED, made.key.id, clock.now());
    expect(await check(text)).toEqual({ kind: 'revoked' });
  });
});

describe('a key that is asked for at every request', () => {
  it('is looked up once a second, and a revocation counts from then on', async () => {
    const row = await key();
    let asked = 0;
    const cache = createKeyCache({
      clock,
      keys: {
        find: (id) => {
          asked += 1;
          return db.apiKeys.find(id);
        },
      },
    });
    expect(await cache.find(row.id)).toEqual(row);
    await db.apiKeys.revoke(PASSED, row.id, clock.now());
    clock.advance(SECOND - 1);
    expect(await cache.find(row.id)).toEqual(row);
    expect(asked).toBe(1);
    clock.advance(1);
    expect(await cache.find(row.id)).toMatchObject({ revokedAt: clock.now() - SECOND });
    expect(asked).toBe(2);
    expect(await cache.find('none')).toBeNull();
    expect(await cache.find('none')).toBeNull();
    expect(asked).toBe(4);
  });

  it('counts its second from before the question, and forgets the oldest of ten thousand', async () => {
    const asked: string[] = [];
    const cache = createKeyCache({
      clock,
      keys: {
        find: async (id) => {
          asked.push(id);
          if (id === 'slow') clock.advance(SECOND);
          return keyRow({ id });
        },
      },
    });
    await cache.find('slow');
    await cache.find('slow');
    expect(asked).toEqual(['slow', 'slow']);
    for (let n = 0; n < 10_000; n += 1) await cache.find(`k${n}`);
    asked.length = 0;
    await cache.find('k0');
    expect(asked).toEqual([]);
    await cache.find('one more');
    await cache.find('k1');
    expect(asked).toEqual(['one more']);
    await cache.find('k0');
    expect(asked).toEqual(['one more', 'k0']);
  });
});

describe('a request under a key of its caller', () => {
  const asked = { scope: 's', key: 'k', requestHash: 'h', owner: 'o' };

  it('runs once and gives the same answer for a day', async () => {
    const store = fakeIdempotencyStore();
    let runs = 0;
    const ask = (change: object = {}) =>
      answerOnce({ store, clock }, { ...asked, ...change }, async () => {
        runs += 1;
        return `answer ${runs}`;
      });
    expect(await ask()).toEqual({ kind: 'answered', answer: 'answer 1', replayed: false });
    expect(await ask()).toEqual({ kind: 'answered', answer: 'answer 1', replayed: true });
    expect(await ask({ requestHash: 'other' })).toEqual({ kind: 'conflict' });
    clock.advance(DAY - 1);
    expect(await ask()).toMatchObject({ replayed: true });
    clock.advance(1);
    expect(await ask()).toEqual({ kind: 'answered', answer: 'answer 2', replayed: false });
  });

  it('is not run beside itself, and may run again once it failed or its minute is over', async () => {
    const store = fakeIdempotencyStore();
    const fails = () => answerOnce({ store, clock }, asked, () => Promise.reject(new Error('no node')));
    await expect(fails()).rejects.toThrow('no node');
    await expect(fails()).rejects.toThrow('no node');
    // The error of the run is logged, also where its lease cannot be given back.
    const stuck = { ...store, abandon: () => Promise.reject(new Error('no database')) };
    await expect(
      answerOnce({ store: stuck, clock }, asked, () => Promise.reject(new Error('no node'))),
    ).rejects.toThrow('no node');
    const again = () => answerOnce({ store, clock }, { ...asked, owner: 'p' }, async () => 'x');
    clock.advance(60 * SECOND - 1);
    expect(await again()).toEqual({ kind: 'running' });
    clock.advance(1);
    expect(await again()).toEqual({ kind: 'answered', answer: 'x', replayed: false });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkApiKey } from '../../src/modules/keys/use/check-api-key.ts';
import { askBack, refuseRequest } from '../../src/modules/keys/use/review-request.ts';
import { markReturned, sendAgain } from '../../src/modules/mail/use/returned-mail.ts';
import { sweepMails } from '../../src/modules/mail/use/sweep-mails.ts';
import { clearAway } from '../../src/modules/operations/use/clear-away.ts';
import { fakeDialogStore } from '../support/fakes/dialog-store.ts';
import { fakeMetadataStore } from '../support/fakes/metadata-store.ts';
import { noRetention } from '../support/fakes/retention-store.ts';
import { FORM, type KeyRig, keyIn, keyRig, OPERATOR } from './key-rig.ts';

const DAY_MS = 86_400_000;
const SCRIPT = '<script>alert(1)</script>';

let rig: KeyRig;
beforeEach(async () => {
  rig = await keyRig();
});
afterEach(() => rig.close());

const noticeIds = () => rig.db.notices.undelivered(Number.MAX_SAFE_INTEGER / 2, 100);
const check = (text: string) =>
  checkApiKey({ keys: rig.db.apiKeys, secrets: rig.secrets, clock: rig.clock }, text);

describe('the form for a key', () => {
  it('says what the numbers give, without keeping anything', async () => {
    const page = await rig.form('/keys/limits', FORM);
    expect(page.statusCode).toBe(200);
    expect(page.body).toMatch(/Per second<\/dt><dd>2<.*At once<\/dt><dd>4<.*Per day<\/dt><dd>15,000</s);
    expect(page.body).toContain('value="mara@example.org"');
    expect(await rig.db.keyRequests.listByEmail(FORM.email, 10)).toEqual([]);
  });

  it('answers the same to a new address, a known one and one with a key', async () => {
    const first = await rig.form('/keys', FORM);
    const second = await rig.form('/keys', { ...FORM, project: 'Another' });
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(second.body).toBe(first.body);
    expect((await rig.db.keyRequests.listByEmail(FORM.email, 10)).map(({ project }) => project)).toEqual([
      'Rebalancer',
    ]);
    await rig.work();
    expect(rig.sent).toHaveLength(1);
  });

  it('takes three requests an hour from one address of the net', async () => {
    const ask = async (n: number) =>
      (await rig.form('/keys', { ...FORM, email: `m${n}@example.org` })).statusCode;
    expect([await ask(1), await ask(2), await ask(3), await ask(4)]).toEqual([200, 200, 200, 429]);
    rig.clock.advance(20 * 60_000);
    expect([await ask(5), await ask(6)]).toEqual([200, 429]);
  });

  it('takes five requests an hour for one address of a mail, from however many of the net', async () => {
    const ask = async (net: number) => {
      const page = await rig.form('/keys', FORM, { 'x-forwarded-for': `198.51.100.${net}` });
      for (const { id } of await rig.db.keyRequests.listByEmail(FORM.email, 10))
        await rig.db.keyRequests.change(id, ['unconfirmed'], { status: 'refused' });
      return page.statusCode;
    };
    for (let net = 1; net <= 5; net += 1) expect(await ask(net)).toBe(200);
    expect(await ask(6)).toBe(429);
    await rig.work();
    expect(await rig.db.keyRequests.listByEmail(FORM.email, 10)).toHaveLength(5);
    expect((await rig.form('/keys', { ...FORM, email: 'ben@example.org' }, {})).statusCode).toBe(200);
  });

  it('uses up nothing of an address by repeating an open request, and nothing of what its reader may do', async () => {
    const again = (net: number) =>
      rig.form('/keys', FORM, { 'x-forwarded-for': `198.51.100.${net}` }).then((page) => page.statusCode);
    for (let net = 1; net <= 9; net += 1) expect(await again(net)).toBe(200);
    const asked = await rig.db.guards.actsSince({ account: FORM.email }, 'key-ask', 0);
    expect([asked.length, await rig.db.guards.actsSince({ account: FORM.email }, 'api-keys', 0)]).toEqual([
      1,
      [],
    ]);
  });

  it('refuses any address alike while the operator has paused the API', async () => {
    await rig.form('/keys', FORM);
    await rig.db.flags.set('api-paused', true, rig.clock.now(), { reason: 'x', until: null });
    const [known, fresh] = [
      await rig.form('/keys', FORM),
      await rig.form('/keys', { ...FORM, email: 'b@example.org' }),
    ];
    expect([known.statusCode, fresh.statusCode]).toEqual([503, 503]);
    expect(known.body).toBe(fresh.body);
  });

  it('shows a script in every field as text: in the page, in mails, and in the first mail not at all', async () => {
    const request = { ...FORM, project: SCRIPT, use: `${SCRIPT} ${SCRIPT}` };
    const shown = await rig.form('/keys', {
      ...request,
      email: SCRIPT,
      perDay: SCRIPT,
      peakPerSecond: SCRIPT,
    });
    expect(shown.statusCode).toBe(400);
    expect(shown.body).not.toContain('<script');
    expect(shown.body.match(/&lt;script&gt;/g)).toHaveLength(6);
    const id = await rig.confirmed(request);
    expect(rig.sent[0]?.text).not.toContain('script');
    await refuseRequest(rig.shared, { actor: 'operator:ann' }, id, SCRIPT);
    await rig.work();
    expect(rig.sent.at(-1)?.text).toContain(`> ${SCRIPT}`);
  });

  it.each([
    ['a line break in the address', { email: 'mara@example.org\r\nBcc: eve@example.org' }],
    ['two addresses', { email: 'mara@example.org, eve@example.org' }],
    ['300 characters of address', { email: `${'m'.repeat(288)}@example.org` }],
    ['no volume', { perDay: '0' }],
    ['a volume below nothing', { perDay: '-1' }],
    ['a volume beyond all', { perDay: '1e99' }],
    ['a volume in words', { perDay: 'many' }],
    ['no use', { use: 'short' }],
  ])('refuses %s, marks the field and sends nothing', async (_what, fields) => {
    const page = await rig.form('/keys', { ...FORM, ...fields });
    expect(page.statusCode).toBe(400);
    expect(page.body.match(/class="fault"/g)).toHaveLength(1);
    await rig.work();
    expect(rig.sent).toEqual([]);
  });

  it('takes a field that comes twice for neither of the two', async () => {
    const payload = `${new URLSearchParams(FORM).toString()}&email=eve%40example.org`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const page = await rig.app.inject({ method: 'POST', url: '/keys', headers, payload });
    expect(page.statusCode).toBe(400);
  });

  it('answers a form of 10 MB and one of another type with a page', async () => {
    const huge = await rig.form('/keys', { ...FORM, use: 'x'.repeat(10_000_000) });
    expect([huge.statusCode, huge.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
    const json = await rig.app.inject({ method: 'POST', url: '/keys', payload: FORM });
    expect([json.statusCode, json.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8']);
    const empty = await rig.app.inject({ method: 'POST', url: '/keys' });
    expect(empty.statusCode).toBe(400);
  });

  it('lets nothing run, load or frame', async () => {
    const { headers, body } = await rig.get('/keys');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(body).not.toMatch(/<script|style=|onclick|https?:/);
  });
});

describe('the links of the mails', () => {
  it('do nothing when they are only opened, and once what they say', async () => {
    await rig.form('/keys', FORM);
    await rig.work();
    for (let looks = 0; looks < 100; looks += 1) expect((await rig.get(rig.link())).statusCode).toBe(200);
    expect(await noticeIds()).toEqual([]);
    for (let presses = 0; presses < 3; presses += 1) {
      expect((await rig.form(rig.link(), {})).body).toContain('with the operator');
    }
    expect(await noticeIds()).toHaveLength(1);
  });

  it('make no sixth key of one address within an hour, say when one more works, and then it does', async () => {
    await rig.grant(await rig.confirmed());
    await rig.work();
    const link = rig.link();
    const by = { account: FORM.email };
    for (let made = 0; made < 5; made += 1)
      await rig.db.guards.addAct({ id: rig.ids.ulid(), by, rate: 'api-keys', at: rig.clock.now() });
    rig.clock.advance(60_000);
    const refused = await rig.form(link, {});
    expect(refused.statusCode).toBe(429);
    expect(refused.body).toContain('come back in 59 minutes');
    expect(await rig.db.apiKeys.list()).toEqual([]);
    rig.clock.advance(59 * 60_000);
    expect(keyIn((await rig.form(link, {})).body)).not.toBe('');
  });

  it('make no key while the operator has paused the API, and make it afterwards', async () => {
    await rig.grant(await rig.confirmed());
    await rig.work();
    await rig.db.flags.set('api-paused', true, rig.clock.now(), { reason: 'x', until: null });
    const refused = await rig.form(rig.link(), {});
    expect([refused.statusCode, keyIn(refused.body)]).toEqual([503, '']);
    await rig.db.flags.set('api-paused', false, rig.clock.now());
    expect(keyIn((await rig.form(rig.link(), {})).body)).not.toBe('');
  });

  it('give one key to fifty who press at once, and say to the others when it was made', async () => {
    await rig.grant(await rig.confirmed());
    await rig.work();
    for (let looks = 0; looks < 100; looks += 1)
      expect((await rig.get(rig.link())).body).toContain('Make the key');
    expect(await rig.db.apiKeys.list()).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 50 }, () => rig.form(rig.link(), {})));
    const keys = answers.map(({ body }) => keyIn(body)).filter((key) => key !== '');
    expect(keys).toHaveLength(1);
    expect(await rig.db.apiKeys.list()).toHaveLength(1);
    expect(await check(keys[0] ?? '')).toMatchObject({
      kind: 'valid',
      key: { ratePerSecond: 2, burst: 4, dayQuota: 15_000, email: FORM.email, scopes: ['swap'] },
    });
    const late = await rig.get(rig.link());
    expect(late.body).toContain('2026-01-01 00:00 UTC');
    expect(late.body).not.toContain('dx_live_');
    expect((await rig.form(rig.link().replace('/claim/', '/revoke/'), {})).statusCode).toBe(200);
    expect(await check(keys[0] ?? '')).toEqual({ kind: 'revoked' });
    expect((await rig.get(rig.link())).body).toContain('does not work any more');
  });

  it('make one key even where two mails of one request arrived', async () => {
    const id = await rig.confirmed();
    await rig.grant(id);
    rig.state.outcome = { kind: 'later', reason: 'timeout after DATA' };
    await rig.work();
    const one = rig.link();
    rig.state.outcome = { kind: 'sent' };
    rig.clock.advance(60_000);
    await rig.work();
    expect(rig.link()).not.toBe(one);
    expect(keyIn((await rig.form(one, {})).body)).not.toBe('');
    expect((await rig.form(rig.link(), {})).body).toContain('This link was used');
    expect(await rig.db.apiKeys.list()).toHaveLength(1);
  });

  it('end in time', async () => {
    await rig.form('/keys', FORM);
    await rig.work();
    rig.clock.advance(DAY_MS);
    expect((await rig.form(rig.link(), {})).statusCode).toBe(410);
    // The address may ask again.
    await rig.grant(await rig.confirmed());
    await rig.work();
    rig.clock.advance(7 * DAY_MS);
    expect((await rig.get(rig.link())).statusCode).toBe(410);
    expect((await rig.form(rig.link(), {})).statusCode).toBe(410);
    expect(await rig.db.apiKeys.list()).toEqual([]);
  });

  it.each(['x', 'a'.repeat(43), '..%2f..', '%00', `${'a'.repeat(43)}/revoke`])(
    'that were never sent (%s) open nothing',
    async (token) => {
      for (const path of ['/keys/confirm', '/keys/claim', '/keys/answer']) {
        expect([410, 404]).toContain((await rig.get(`${path}/${token}`)).statusCode);
        expect([410, 404]).toContain((await rig.form(`${path}/${token}`, { answer: 'x' })).statusCode);
      }
    },
  );

  it('of one purpose do not serve another', async () => {
    await rig.form('/keys', FORM);
    await rig.work();
    const token = rig.link().split('/').at(-1) ?? '';
    expect((await rig.form(`/keys/claim/${token}`, {})).statusCode).toBe(410);
    expect((await rig.form(`/account/login/${token}`, {})).statusCode).toBe(410);
    expect((await rig.form(`/keys/answer/${token}`, { answer: 'hello' })).statusCode).toBe(410);
  });

  it('stand nowhere in the database', async () => {
    const key = await rig.key();
    const stored = JSON.stringify([
      await rig.db.mails.list(100),
      await rig.db.outbox.claim(100),
      await rig.db.keyRequests.listByEmail(FORM.email, 10),
      (await rig.db.apiKeys.list()).map((one) => ({
        ...one,
        hash: Buffer.from(one.hash).toString('base64url'),
      })),
      rig.warned,
    ]);
    const tokens = rig.sent.map(({ text }) => /\/([A-Za-z0-9_-]{43})\s/.exec(text)?.[1] ?? '');
    expect(tokens).toHaveLength(2);
    for (const secret of [...tokens, key, key.split('_')[3] ?? '']) {
      expect(secret.length).toBeGreaterThan(40);
      expect(stored).not.toContain(secret);
    }
  });
});

describe('an operator who asks back', () => {
  it('gets one answer, and the request stays open', async () => {
    const id = await rig.confirmed();
    await askBack(rig.shared, { telegramId: OPERATOR }, id, `Which market? ${SCRIPT}`);
    await rig.work();
    const page = await rig.get(rig.link());
    expect(page.body).toContain('Which market? &lt;script&gt;');
    expect((await rig.form(rig.link(), { answer: ' ' })).statusCode).toBe(400);
    expect((await rig.form(rig.link(), { answer: `SOL ${SCRIPT}` })).statusCode).toBe(200);
    expect((await rig.form(rig.link(), { answer: 'again' })).statusCode).toBe(410);
    expect(await rig.db.keyRequests.find(id)).toMatchObject({ status: 'confirmed', answer: `SOL ${SCRIPT}` });
    expect(await noticeIds()).toHaveLength(2);
    expect((await rig.grant(id))?.kind).toBe('done');
  });
});

describe('a review', () => {
  it('is decided by the first of two operators, once', async () => {
    const id = await rig.confirmed();
    rig.operators.add(78n);
    const decisions = await Promise.all([
      rig.grant(id),
      refuseRequest(rig.shared, { telegramId: 78n }, id, 'No.'),
      rig.grant(id),
    ]);
    expect(decisions.filter((one) => one?.kind === 'done')).toHaveLength(1);
    expect(decisions.filter((one) => one?.kind === 'decided')).toHaveLength(2);
    await rig.work();
    expect(rig.sent).toHaveLength(2);
  });

  it('is refused to somebody who left the operators while the card was open', async () => {
    const id = await rig.confirmed();
    rig.operators.clear();
    await expect(rig.grant(id)).rejects.toMatchObject({ code: 'NOT_OPERATOR' });
    await expect(refuseRequest(rig.shared, { telegramId: OPERATOR }, id, 'x')).rejects.toMatchObject({
      code: 'NOT_OPERATOR',
    });
    expect((await rig.db.keyRequests.find(id))?.status).toBe('confirmed');
  });

  it('is not open to a request whose address was never confirmed', async () => {
    await rig.form('/keys', FORM);
    const [request] = await rig.db.keyRequests.listByEmail(FORM.email, 1);
    expect((await rig.grant(request?.id ?? ''))?.kind).toBe('decided');
  });
});

describe('a mail', () => {
  it('is tried again after 1, 5, 30 minutes, 2 and 8 hours, and then given up and told', async () => {
    await rig.form('/keys', FORM);
    rig.state.outcome = { kind: 'later', reason: '451 come back later' };
    const pauses: (number | null)[] = [];
    const [id = ''] = await rig.db.mails.due(rig.clock.now(), 10);
    for (let tries = 0; tries < 6; tries += 1) {
      const result = await rig.deliver(id);
      pauses.push(result.kind === 'again' ? result.afterMs / 60_000 : null);
      // Twice at once, as the queue may: the second one finds nothing to do.
      expect(await rig.deliver(id)).toEqual({ kind: 'done' });
      rig.clock.advance(result.kind === 'again' ? result.afterMs : 0);
    }
    expect(pauses).toEqual([1, 5, 30, 120, 480, null]);
    expect(rig.sent).toHaveLength(6);
    expect(await rig.db.mails.find(id)).toMatchObject({ status: 'failed', lastError: '451 come back later' });
    expect(await noticeIds()).toHaveLength(1);
    expect((await rig.db.keyRequests.listByEmail(FORM.email, 1))[0]?.status).toBe('bounced');
  });

  it('that bounces marks its request, tells the operators and is not tried again', async () => {
    await rig.grant(await rig.confirmed());
    rig.state.outcome = { kind: 'bounced', reason: '550 5.1.1 no such mailbox' };
    const before = (await noticeIds()).length;
    await rig.work();
    rig.clock.advance(30 * DAY_MS);
    await rig.work();
    expect(rig.sent).toHaveLength(2);
    expect((await rig.db.keyRequests.listByEmail(FORM.email, 1))[0]?.status).toBe('bounced');
    expect(await noticeIds()).toHaveLength(before + 1);
    // The link of a mail that never arrived makes no key.
    expect((await rig.form(rig.link(), {})).statusCode).toBe(410);
  });

  it('that came back later makes no key, and goes again with a new link when an operator says so', async () => {
    const id = await rig.confirmed();
    await rig.grant(id);
    await rig.work();
    const mails = await rig.db.mails.list(10);
    const mailId = mails.find(({ template }) => template === 'claim')?.id ?? '';
    const deps = { ...rig.shared, actor: 'operator:ann' } as const;
    expect(await sendAgain(deps, mailId)).toEqual({ kind: 'sent' });
    const old = rig.link();
    expect(await markReturned(deps, mailId)).toMatchObject({ status: 'bounced' });
    expect(await markReturned(deps, mailId)).toBeNull();
    expect((await rig.db.keyRequests.find(id))?.status).toBe('bounced');
    rig.clock.advance(60_000);
    // Two operators at once: one mail.
    const kinds = await Promise.all([sendAgain(deps, mailId), sendAgain(deps, mailId)]);
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['over', 'queued']);
    await rig.work();
    // Whoever got the mail back holds the old link, and the request is granted again.
    expect((await rig.form(old, {})).statusCode).toBe(410);
    expect(keyIn((await rig.form(rig.link(), {})).body)).not.toBe('');
    const acts = await rig.db.auditLog.list({ act: 'operator-command' }, { limit: 10, offset: 0 });
    expect(acts.map(({ actor, details }) => [actor, details])).toEqual([
      ['operator:ann', { command: 'mail again', words: [mailId] }],
      ['operator:ann', { command: 'mail bounced', words: [mailId] }],
    ]);
    expect(await sendAgain(deps, 'nothing')).toEqual({ kind: 'unknown' });
  });

  it('that a killed process held is taken up again, by the sweep', async () => {
    await rig.form('/keys', FORM);
    const [id = ''] = await rig.db.mails.due(rig.clock.now(), 10);
    await rig.db.mails.claim(id, rig.clock.now(), rig.clock.now() + 120_000);
    const added: unknown[] = [];
    const queue = { add: async (...job: unknown[]) => void added.push(job) };
    await sweepMails({ ...rig.shared, queue });
    expect(added).toEqual([]);
    rig.clock.advance(120_000);
    await sweepMails({ ...rig.shared, queue });
    expect(added).toEqual([['mail.send', { mailId: id }, { key: `mail-${id}` }]]);
  });

  it('about something that is over is not sent', async () => {
    await rig.form('/keys', FORM);
    const [id = ''] = await rig.db.mails.due(rig.clock.now(), 10);
    rig.clock.advance(8 * DAY_MS);
    const { db, clock } = rig.shared;
    const log = { debug: () => undefined };
    await clearAway({
      db,
      clock,
      log,
      dialogs: fakeDialogStore(clock),
      metadata: fakeMetadataStore(),
      retention: noRetention,
    });
    expect(await db.keyRequests.listByEmail(FORM.email, 1)).toEqual([]);
    await rig.deliver(id);
    expect(rig.sent).toEqual([]);
  });

  it('carries the key itself where the operator wants that, and one key works', async () => {
    await rig.close();
    rig = await keyRig({ keyMail: 'key' });
    await rig.grant(await rig.confirmed());
    rig.state.outcome = { kind: 'later', reason: 'timeout' };
    await rig.work();
    const first = keyIn(rig.sent.at(-1)?.text ?? '');
    expect(await check(first)).toEqual({ kind: 'revoked' });
    rig.state.outcome = { kind: 'sent' };
    rig.clock.advance(60_000);
    await rig.work();
    const second = keyIn(rig.sent.at(-1)?.text ?? '');
    expect((await check(second)).kind).toBe('valid');
    expect((await rig.db.keyRequests.listByEmail(FORM.email, 1))[0]?.status).toBe('claimed');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkApiKey } from '../../src/modules/keys/use/check-api-key.ts';
import { FORM, type KeyRig, keyIn, keyRig } from './key-rig.ts';

const DAY_MS = 86_400_000;

let rig: KeyRig;
beforeEach(async () => {
  rig = await keyRig();
});
afterEach(() => rig.close());

const idOf = (key: string): string => key.split('_')[2] ?? '';
const check = async (text: string) =>
  (await checkApiKey({ keys: rig.db.apiKeys, secrets: rig.secrets, clock: rig.clock }, text)).kind;

/** Signs in as the address; the cookie. */
async function signIn(email: string = FORM.email): Promise<Record<string, string>> {
  await rig.form('/account/login', { email });
  await rig.work();
  const answer = await rig.form(rig.link(), {});
  expect(answer.statusCode).toBe(303);
  const given = String(answer.headers['set-cookie']);
  expect(given).toContain('Path=/account; Max-Age=3600; HttpOnly; SameSite=Strict; Secure');
  return { cookie: given.split(';')[0] ?? '' };
}

const formToken = (body: string): string => /name="form" value="([^"]+)"/.exec(body)?.[1] ?? '';

describe('the way into an account', () => {
  it('is mailed to an address with a key, and to no other; the page is the same', async () => {
    await rig.key();
    const mails = rig.sent.length;
    const known = await rig.form('/account/login', { email: FORM.email });
    const unknown = await rig.form('/account/login', { email: 'eve@example.org' });
    expect(unknown.body).toBe(known.body);
    await rig.work();
    expect(rig.sent.slice(mails).map(({ to }) => to)).toEqual([FORM.email]);
  });

  it('works once, for 15 minutes, and an hour long; a look at it changes nothing', async () => {
    await rig.key();
    await rig.form('/account/login', { email: FORM.email });
    await rig.work();
    const door = rig.link();
    for (let looks = 0; looks < 100; looks += 1) await rig.get(door);
    const cookie = String((await rig.form(door, {})).headers['set-cookie']).split(';')[0] ?? '';
    expect((await rig.form(door, {})).statusCode).toBe(410);
    expect((await rig.get('/account', { cookie })).body).toContain('Requests, last 30 days');
    rig.clock.advance(3_600_000);
    expect((await rig.get('/account', { cookie })).body).toContain('Mail me a link');
    await rig.form('/account/login', { email: FORM.email });
    await rig.work();
    rig.clock.advance(15 * 60_000);
    expect((await rig.form(rig.link(), {})).statusCode).toBe(410);
  });

  it('is mailed three times an hour at most', async () => {
    await rig.key();
    const mails = rig.sent.length;
    for (let n = 0; n < 6; n += 1) await rig.form('/account/login', { email: FORM.email });
    await rig.work();
    expect(rig.sent.length - mails).toBe(3);
  });
});

describe('an account', () => {
  it('shows keys, limits and usage by route and status', async () => {
    const key = await rig.key();
    const account = (await rig.db.apiKeys.find(idOf(key)))?.account ?? '';
    for (const status of [200, 200, 429]) {
      rig.usage.count({ account, keyId: idOf(key), route: 'POST /dex/swap', status });
    }
    const { body } = await rig.get('/account', await signIn());
    expect(body).toContain(idOf(key));
    expect(body).not.toContain(key);
    expect(body).toContain('2/s, 4 at once');
    expect(body).toContain('2026-01-01: 2 answered, 1 refused');
    expect(body).toMatch(/✓ 200<.*>2<.*! 429 too many<.*>1</s);
  });

  it('revokes a key by its own form, and by no other', async () => {
    const key = await rig.key();
    const path = `/account/revoke/${idOf(key)}`;
    const headers = await signIn();
    const { body } = await rig.get(path, headers);
    for (const [fields, sent] of [
      [{}, headers],
      [{ form: 'x'.repeat(43) }, headers],
      [{ form: formToken(body) }, {}],
      [{ form: formToken(body) }, { cookie: `tradepost_account=${'a'.repeat(43)}` }],
    ] as const) {
      expect((await rig.form(path, fields, sent)).statusCode).toBe(403);
    }
    // A form of one session does not serve another.
    expect((await rig.form(path, { form: formToken(body) }, await signIn())).statusCode).toBe(403);
    expect(await check(key)).toBe('valid');
    expect((await rig.form(path, { form: formToken(body) }, headers)).statusCode).toBe(200);
    expect(await check(key)).toBe('revoked');
  });

  it('keeps its hands off the keys of others', async () => {
    const foreign = await rig.key();
    await rig.key({ email: 'eve@example.org' });
    const headers = await signIn('eve@example.org');
    const token = formToken((await rig.get('/account', headers)).body);
    for (const what of ['revoke', 'rotate']) {
      expect((await rig.get(`/account/${what}/${idOf(foreign)}`, headers)).statusCode).toBe(404);
      const answer = await rig.form(`/account/${what}/${idOf(foreign)}`, { form: token }, headers);
      expect(answer.statusCode).toBe(404);
    }
    expect(await check(foreign)).toBe('valid');
    expect((await rig.get('/account', headers)).body).not.toContain(idOf(foreign));
  });

  it('ends at a request', async () => {
    await rig.key();
    const headers = await signIn();
    const token = formToken((await rig.get('/account', headers)).body);
    expect((await rig.form('/account/logout', { form: token }, headers)).statusCode).toBe(303);
    expect((await rig.get('/account', headers)).body).toContain('Mail me a link');
  });
});

describe('a rotation', () => {
  it('makes one new key behind the link; the old one lives seven days from then on', async () => {
    const old = await rig.key();
    expect(await rig.desk.rotate(idOf(old))).toBe('mailed');
    await rig.work();
    rig.clock.advance(3 * DAY_MS);
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.form(rig.link(), {})));
    const [fresh = '', ...more] = answers.map(({ body }) => keyIn(body)).filter((key) => key !== '');
    expect(more).toEqual([]);
    expect([await check(old), await check(fresh)]).toEqual(['valid', 'valid']);
    const [a, b] = [await rig.db.apiKeys.find(idOf(old)), await rig.db.apiKeys.find(idOf(fresh))];
    expect(b).toMatchObject({ account: a?.account, scopes: a?.scopes, burst: a?.burst, expiresAt: null });
    rig.clock.advance(7 * DAY_MS - 1);
    expect(await check(old)).toBe('valid');
    rig.clock.advance(1);
    expect([await check(old), await check(fresh)]).toEqual(['expired', 'valid']);
  });

  it('is made once, whichever of two links comes first', async () => {
    const old = await rig.key();
    await rig.desk.rotate(idOf(old));
    await rig.work();
    const first = rig.link();
    await rig.desk.rotate(idOf(old));
    await rig.work();
    expect(keyIn((await rig.form(first, {})).body)).not.toBe('');
    expect((await rig.form(rig.link(), {})).body).toContain('This link was used');
  });

  it('is asked for three times an hour at most, and only with an address', async () => {
    const old = await rig.key();
    const requests = [];
    for (let n = 0; n < 4; n += 1) requests.push(await rig.desk.rotate(idOf(old)));
    expect(requests).toEqual(['mailed', 'mailed', 'mailed', 'too-often']);
    expect(await rig.desk.rotate('nobody')).toBe('no-address');
  });
});

import { expect, it } from 'vitest';
import { stopPageWords } from '../../src/modules/guard/chat/mail-letters.ts';
import { mailRig } from '../modules/guard/mail-rig.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { TEST_PIN } from '../support/fakes/pins.ts';
import { buildSite, OPEN } from './build-site.ts';

const DAY = 86_400_000;
const WALLET = '<b>Savings</b>';

/** A key file that was asked for, its mail, and the open host over the real use cases. */
async function site(language: 'en' | 'es' = 'en') {
  const rig = await mailRig(fakeDatabase());
  await rig.db.users.update(rig.userId, { settings: { ...rig.user.settings, language } });
  await rig.set('mara@example.org');
  rig.clock.advance(DAY);
  await rig.work();
  const wallet = await rig.keyed();
  const { exportId } = await rig.vault.askExport({ userId: rig.userId, walletId: wallet.id, pin: TEST_PIN });
  await rig.work();
  const stopPage = { look: rig.look, stop: rig.stop, say: stopPageWords };
  const { app } = buildSite(OPEN, { clock: rig.clock, stopPage });
  const path = `/stop/${rig.token()}`;
  const press = (url = path) =>
    app.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  const open = (url = path) => app.inject({ method: 'GET', url });
  return { rig, app, exportId, open, press, end: async () => (await rig.db.exports.find(exportId))?.end };
}

it('says what happens and has one button; opening it, also by HEAD, changes nothing', async () => {
  const { app, rig, open, end } = await site();
  for (let n = 0; n < 50; n += 1) {
    const { statusCode, body } = await open();
    expect(statusCode).toBe(200);
    expect(body).toContain('A key file of the wallet Savings');
    expect(body).toContain('<button>Stop</button>');
    expect(body.match(/<button>/g)).toHaveLength(1);
  }
  await app.inject({ method: 'HEAD', url: `/stop/${rig.token()}` });
  expect(await end()).toBeNull();
});

it('stops by the button, once, and says so from then on', async () => {
  const { open, press, end } = await site();
  const stopped = await press();
  expect(stopped.statusCode).toBe(200);
  expect(stopped.body).toContain('The key did not leave.');
  expect(stopped.body).not.toContain('<button>');
  expect(await end()).toMatchObject({ kind: 'STOPPED', by: 'person' });
  for (const again of [await press(), await open()]) {
    expect(again.body).toContain('Stopped already');
    expect(again.body).not.toContain('<button>');
  }
});

it('speaks the language of its person', async () => {
  const { open, press } = await site('es');
  const { body } = await open();
  expect(body).toContain('<html lang="es">');
  expect(body).toContain('<button>Detener</button>');
  expect((await press()).body).toContain('La clave no salió.');
});

it('says when there is nothing left to stop, and knows no other link', async () => {
  const { rig, open, press } = await site();
  await rig.vault.stopExport({ userId: rig.userId });
  for (const answer of [await open(), await press()]) {
    expect(answer.statusCode).toBe(410);
    expect(answer.body).toContain('Nothing left to stop');
  }
  for (const token of ['x', 'A'.repeat(43), `${rig.token()}A`, '..%2f..', encodeURIComponent(WALLET)]) {
    const answer = await press(`/stop/${token}`);
    expect(answer.statusCode).toBe(410);
    expect(answer.body).toContain('This link is unknown');
    expect(answer.body).not.toContain('<b>Savings');
  }
});

it('is kept by nobody, runs nothing, and slows guessers down', async () => {
  const { open, press } = await site();
  const { headers } = await open();
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  expect(String(headers['content-security-policy'])).toContain("default-src 'none'");
  expect(String(headers['content-security-policy'])).not.toMatch(/script-src|unsafe/);
  const codes = new Set<number>();
  for (let n = 0; n < 400; n += 1) codes.add((await press(`/stop/${'A'.repeat(43)}`)).statusCode);
  expect(codes).toContain(429);
});

it('takes no other body, and is not on the host of keys', async () => {
  const { rig, app, end } = await site();
  const url = `/stop/${rig.token()}`;
  const json = await app.inject({ method: 'POST', url, payload: { a: 1 } });
  expect(json.statusCode).toBe(415);
  const limiter = fakeApiLimiter();
  const pro = buildSite({ kind: 'pro', checkKey: async () => ({ kind: 'unknown' }) as never, limiter });
  expect((await pro.app.inject({ method: 'POST', url })).statusCode).toBe(404);
  expect(await end()).toBeNull();
});

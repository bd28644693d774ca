import { describe, expect, it } from 'vitest';
import { createQrPng } from '../../src/platform/files/qr-png.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { buildSite, OPEN } from './build-site.ts';

const TOKEN = 'AZaz09_-AZaz09_-AZaz09';
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const CODES = ['AAAABBBBCCCCDDDD', 'EEEEFFFFGGGGHHHH'];
const URI = `otpauth://totp/Tradepost:ABC123?secret=${SECRET}&issuer=Tradepost`;

function site(uri: string | null = URI) {
  const asked: string[] = [];
  const { app, advance } = buildSite(OPEN, {
    secondFactor: {
      qr: createQrPng(),
      show: async (token) => {
        asked.push(token);
        return asked.length === 1 ? { uri, codes: CODES } : null;
      },
    },
  });
  const get = () => app.inject({ method: 'GET', url: `/second-factor/${TOKEN}` });
  const post = (token = TOKEN) =>
    app.inject({
      method: 'POST',
      url: `/second-factor/${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    });
  return { app, asked, advance, get, post };
}

describe('the page of a new authenticator', () => {
  it('uses nothing up and shows nothing when a link is merely followed', async () => {
    const { get, asked } = site();
    for (let n = 0; n < 3; n += 1) {
      const answer = await get();
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('<form method="post">');
      expect(answer.body).not.toContain(SECRET);
      expect(answer.body).not.toContain('AAAA');
    }
    expect(asked).toEqual([]);
  });

  it('shows secret and QR code to the first who presses the button, and to nobody after', async () => {
    const { post } = site();
    const shown = await post();
    expect(shown.statusCode).toBe(200);
    expect(shown.body).toContain('GEZD GNBV GY3T QOJQ');
    expect(shown.body).toContain('<li>AAAA-BBBB-CCCC-DDDD</li><li>EEEE-FFFF-GGGG-HHHH</li>');
    const [, picture = ''] = /src="data:image\/png;base64,([^"]+)"/.exec(shown.body) ?? [];
    expect(Buffer.from(picture, 'base64').subarray(1, 4).toString()).toBe('PNG');
    const again = await post();
    expect(again.statusCode).toBe(410);
    expect(again.body).not.toContain(SECRET);
    expect(again.body).not.toContain('AAAA');
  });

  it('shows new recovery codes alone, without a picture, once', async () => {
    const { post } = site(null);
    const shown = await post();
    expect(shown.body).toContain('<li>AAAA-BBBB-CCCC-DDDD</li>');
    expect(shown.body).not.toContain('<img');
    expect((await post()).statusCode).toBe(410);
  });

  it('may be kept by nobody, runs nothing, loads nothing and tells no other site where it is', async () => {
    const { get, post } = site();
    for (const { headers } of [await get(), await post()]) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html; charset=utf-8',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src|unsafe|https?:/);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('asks for no token that could not be one, and slows guessers down', async () => {
    const { post, asked, advance } = site();
    for (const token of ['x', `${TOKEN}A`, '..%2f..%2fetc', 'AZaz09_-AZaz09_-AZaz0!']) {
      expect((await post(token)).statusCode).toBe(410);
    }
    expect(asked).toEqual([]);
    const codes: number[] = [];
    for (let n = 0; n < 20; n += 1) codes.push((await post()).statusCode);
    expect(codes).toContain(429);
    advance(60_000);
    expect((await post()).statusCode).toBe(410);
  });

  it('is not on the host of keys', async () => {
    const { app } = buildSite({
      kind: 'pro',
      checkKey: async () => ({ kind: 'refused' }) as never,
      limiter: fakeApiLimiter(),
    });
    const answer = await app.inject({ method: 'POST', url: `/second-factor/${TOKEN}` });
    expect(answer.statusCode).toBe(404);
  });
});

import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from '../src/index.ts';

const NOW = Date.UTC(2026, 0, 1);
const KEY = randomBytes(32);
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = '{"type":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","data":{"webhookId":"W"}}';

function headersOf(change: { at?: number; key?: Buffer; body?: string } = {}): Record<string, string> {
  const { at = NOW, key = KEY, body = BODY } = change;
  const timestamp = String(at / 1_000);
  const signature = createHmac('sha256', key).update(`evt.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': 'evt', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const verify = (change: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
  verifyWebhook({ secret: SECRET, headers: headersOf(), body: BODY, now: NOW, ...change });

describe('an event of a webhook', () => {
  it('is taken with its signature, from plain headers and from a Headers', async () => {
    expect(await verify()).toEqual({ id: 'evt', event: JSON.parse(BODY) });
    expect((await verify({ headers: new Headers(headersOf()) })).id).toBe('evt');
  });

  it('is taken with one of two signatures, and with one of two secrets', async () => {
    const other = `v1,${randomBytes(32).toString('base64')}`;
    const headers = headersOf();
    const both = { ...headers, 'webhook-signature': `${other} ${headers['webhook-signature']}` };
    expect((await verify({ headers: both })).id).toBe('evt');
    expect((await verify({ secret: [`whsec_${randomBytes(32).toString('base64')}`, SECRET] })).id).toBe(
      'evt',
    );
  });

  it.each([
    ['another body', { body: `${BODY} ` }],
    ['another secret', { secret: `whsec_${randomBytes(32).toString('base64')}` }],
    ['another id', { headers: { ...headersOf(), 'webhook-id': 'evt2' } }],
    ['six minutes ago', { headers: headersOf({ at: NOW - 360_000 }) }],
    ['six minutes ahead', { headers: headersOf({ at: NOW + 360_000 }) }],
    ['another version', { headers: { ...headersOf(), 'webhook-signature': 'v2,abc' } }],
    ['no signature', { headers: { 'webhook-id': 'evt', 'webhook-timestamp': '1' } }],
    ['a time that is none', { headers: { ...headersOf(), 'webhook-timestamp': '1e9' } }],
  ])('is refused with %s', async (_, change) => {
    await expect(verify(change)).rejects.toBeInstanceOf(WebhookError);
  });
});

import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors/app-error.ts';
import { MAX_PICTURE_BYTES } from '../../src/platform/ports/pictures.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import type { ErrorAnswer } from './build-api.ts';
import { buildSite, OPEN } from './build-site.ts';

let site: ReturnType<typeof buildSite>;
afterEach(() => site.app.close());
const open = (options: Parameters<typeof buildSite>[1] = {}) => {
  site = buildSite(OPEN, options);
  return site;
};
const photo = () =>
  sharp({ create: { width: 800, height: 400, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer();

function form(file: Uint8Array | null, name = 'p.jpg') {
  const boundary = 'x-boundary-7';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/svg+xml\r\n\r\n`;
  const parts = file === null ? [] : [Buffer.from(head), Buffer.from(file), Buffer.from('\r\n')];
  return {
    method: 'POST' as const,
    url: '/images',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

describe('POST /images', () => {
  it('stores a picture and answers with the link that serves it', async () => {
    const { app } = open();
    const answer = await app.inject(form(await photo()));
    expect(answer.statusCode).toBe(200);
    const { data } = answer.json<{
      data: { imageUri: string; sha256: string; width: number; height: number };
    }>();
    expect(data).toMatchObject({ width: 512, height: 256 });
    expect(data.imageUri).toBe(`https://desk.example/images/${data.sha256}.jpg`);
    const served = await app.inject({ url: new URL(data.imageUri).pathname });
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 512 });
  });

  it('believes the content, not the name and type that the form gives', async () => {
    const { app } = open();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const answer = await app.inject(form(svg, 'nice.png'));
    expect([answer.statusCode, answer.json<ErrorAnswer>().error]).toMatchObject([
      400,
      { code: 'PICTURE_UNREADABLE', field: 'file' },
    ]);
  });

  it.each([
    ['no file', () => form(null), 400, 'FILE_REQUIRED'],
    [
      'a form that breaks off',
      () => ({ ...form(null), payload: Buffer.from('--x-boundary-7\r\n') }),
      400,
      'FILE_REQUIRED',
    ],
    [
      'a form without a boundary',
      () => ({ ...form(null), headers: { 'content-type': 'multipart/form-data' } }),
      400,
      'FILE_REQUIRED',
    ],
    [
      'JSON',
      () => ({ ...form(null), headers: { 'content-type': 'application/json' }, payload: '{}' }),
      415,
      'CONTENT_TYPE',
    ],
  ])('refuses %s', async (_, make, status, code) => {
    const { app } = open();
    const answer = await app.inject(make());
    expect([answer.statusCode, answer.json<ErrorAnswer>().error.code]).toEqual([status, code]);
  });

  it('refuses 20 MB by the announced length, and by counting when none was announced', async () => {
    const { app } = open();
    const announced = await app.inject(form(new Uint8Array(20_000_000)));
    expect([announced.statusCode, announced.json<ErrorAnswer>().error.code]).toEqual([
      413,
      'PICTURE_TOO_LARGE',
    ]);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const { status, sent } = await stream(port, form(new Uint8Array(20_000_000)));
    expect(status).toBe(413);
    expect(sent).toBeGreaterThanOrEqual(MAX_PICTURE_BYTES);
  });

  it('lets whoever sends 20 MB read why they were refused, however the client sends', async () => {
    const { app } = open();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const { headers, payload, url } = form(new Uint8Array(20_000_000));
    const unannounced = new Blob([payload]).stream();
    for (const body of [payload, unannounced]) {
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
      const answer = await fetch(`http://127.0.0.1:${port}${url}`, init);
      expect([answer.status, ((await answer.json()) as ErrorAnswer).error.code]).toEqual([
        413,
        'PICTURE_TOO_LARGE',
      ]);
    }
  });

  it('hangs up on a sender who never ends', async () => {
    const { app } = open();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const { status, sent } = await stream(port, form(new Uint8Array(60_000_000)));
    expect(status).toBe(413);
    expect(sent).toBeLessThan(60_000_000);
  });

  it('says in words when pictures have no place', async () => {
    const { app } = open({ storePicture: () => Promise.reject(new AppError('PUBLIC_URL_UNKNOWN', {})) });
    const answer = await app.inject(form(await photo()));
    expect([answer.statusCode, answer.json<ErrorAnswer>().error.code]).toEqual([400, 'PUBLIC_URL_UNKNOWN']);
  });

  it('takes few from one address without a key', async () => {
    const { app, advance } = open();
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await app.inject(form(null))).statusCode);
    expect(statuses.slice(9)).toEqual([400, 429]);
    advance(300_000);
    expect((await app.inject(form(null))).statusCode).toBe(400);
  });

  it('asks for a key on the pro host before it reads', async () => {
    site = buildSite({ kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() });
    const answer = await site.app.inject(form(await photo()));
    expect([answer.statusCode, answer.json<ErrorAnswer>().error.code]).toEqual([401, 'KEY_MISSING']);
  });

  it('is in the OpenAPI document, and other methods are told of it', async () => {
    const { app } = open();
    const document = (await app.inject({ url: '/openapi.json' })).json<{ paths: Record<string, unknown> }>();
    expect(document.paths).toHaveProperty('/images.post.requestBody');
    expect((await app.inject({ url: '/images' })).headers.allow).toBe('POST');
  });
});

/** Sends the form without a length, as long as the host reads. */
function stream(port: number, { headers, payload, url }: ReturnType<typeof form>) {
  return new Promise<{ status: number | undefined; sent: number }>((resolve, reject) => {
    let sent = 0;
    let status: number | undefined;
    const call = request({ port, host: '127.0.0.1', path: url, method: 'POST', headers }, (answer) => {
      status = answer.statusCode;
      answer.resume();
      answer.on('close', () => resolve({ status, sent }));
    });
    // The host hangs up in the middle of what is still sent.
    call.on('error', (error) => (status === undefined ? reject(error) : resolve({ status, sent })));
    const step = 65_536;
    const write = (): void => {
      if (status !== undefined || sent >= payload.length) return void call.end();
      const chunk = payload.subarray(sent, sent + step);
      sent += chunk.length;
      call.write(chunk, () => setImmediate(write));
    };
    write();
  });
}

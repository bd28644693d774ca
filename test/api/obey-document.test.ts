import { expect, it } from 'vitest';
import { buildSite, OPEN } from './build-site.ts';

it.each([
  ['a status', 299, {}],
  ['a header', 200, { 'x-unheard-of': '1' }],
] as const)(
  '%s that the document does not name is found by every test of the API',
  async (what, status, more) => {
    const { app } = buildSite(OPEN);
    app.addHook('preHandler', async (_request, reply) => {
      await reply.code(status).headers(more).send({ data: [] });
    });
    const answer = await app.inject({ url: '/tokens/trending' });
    expect([answer.statusCode, answer.body]).toEqual([
      599,
      expect.stringContaining(what === 'a status' ? 'status' : 'x-unheard-of'),
    ]);
    await app.close();
  },
);

it.each([
  [
    'a code',
    { error: { code: 'UNHEARD_OF', message: '', details: [], retryable: false, requestId: '' } },
    400,
  ],
  [
    'a field',
    { error: { code: 'INTERNAL', message: '', details: [], retryable: false, requestId: '', x: 1 } },
    500,
  ],
  ['a body', { data: 7 }, 200],
] as const)('%s that the document does not name is found, too', async (_what, body, status) => {
  const { app } = buildSite(OPEN);
  app.addHook('preHandler', async (_request, reply) => {
    await reply.code(status).send(body);
  });
  expect((await app.inject({ url: '/tokens/trending' })).statusCode).toBe(599);
  await app.close();
});

it('what the document names passes', async () => {
  const { app } = buildSite(OPEN);
  expect((await app.inject({ url: '/tokens/trending' })).statusCode).toBe(200);
  await app.close();
});

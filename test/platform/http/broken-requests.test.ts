import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Logger } from '../../../src/platform/ports/logger.ts';
import { buildSite, OPEN } from '../../api/build-site.ts';

const logged: string[] = [];
const log: Logger = {
  debug: () => undefined,
  info: (_fields: unknown, line?: string) => void logged.push(line ?? ''),
  warn: () => undefined,
  error: () => undefined,
  child: () => log,
};
const { app } = buildSite(OPEN, { log }, { requestTimeoutMs: 300 });
let port = 0;
beforeAll(async () => {
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => app.close());

it.each([
  ['is no HTTP', 'HELLO\r\n\r\n', 400, 'VALIDATION_FAILED'],
  ['never ends', 'GET /health HTTP/1.1\r\nhost: a\r\n', 408, 'REQUEST_TIMEOUT'],
  [
    'has headers without end',
    `GET /health HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
] as const)(
  'a request that %s is refused in the shape of every refusal',
  async (_what, sent, status, code) => {
    logged.length = 0;
    const socket = connect(port, '127.0.0.1');
    socket.write(sent);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/\r\nx-request-id: \S+\r\n/);
    expect(JSON.parse(body)).toMatchObject({
      error: {
        code,
        details: [],
        retryable: status === 408,
        requestId: /x-request-id: (\S+)/.exec(head)?.[1],
      },
    });
    expect(logged).toEqual(['a broken request was refused']);
  },
);

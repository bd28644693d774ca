import { describe, expect, it } from 'vitest';
import { readTarget } from '../../../src/modules/webhooks/rules/target.ts';
import { afterTry, OVERLAP_MS, signingGenerations } from '../../../src/modules/webhooks/rules/webhook.ts';

const NOW = Date.UTC(2026, 0, 1);
const answered = (status: number, retryAfterMs: number | null = null) =>
  ({ kind: 'answered', status, retryAfterMs }) as const;

describe('a try', () => {
  it('is repeated after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, and then no more', () => {
    const waits: number[] = [];
    for (let attempts = 1; ; attempts += 1) {
      const end = afterTry(attempts, { kind: 'unanswered', reason: 'no answer' }, NOW, 0.5);
      if (end.kind === 'failed') break;
      waits.push((end.dueAt - NOW) / 1_000);
    }
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('is repeated a tenth sooner or later, so that not all come at once', () => {
    expect(afterTry(2, answered(500), NOW, 0).dueAt - NOW).toBe(270_000);
    expect(afterTry(2, answered(500), NOW, 1).dueAt - NOW).toBe(330_000);
  });

  it('is not repeated before the answer asks for it, and waits a day at most', () => {
    expect(afterTry(1, answered(429, 60_000), NOW, 0.5).dueAt - NOW).toBe(60_000);
    expect(afterTry(1, answered(429, 999_999_000), NOW, 0.5).dueAt - NOW).toBe(86_400_000);
    expect(afterTry(3, answered(429, 1_000), NOW, 0.5).dueAt - NOW).toBe(1_800_000);
  });

  it.each([
    [200, 'delivered'],
    [299, 'delivered'],
    [301, 'again'],
    [404, 'again'],
    [410, 'gone'],
    [503, 'again'],
  ])('that is answered with %i is %s', (status, kind) => {
    expect(afterTry(1, answered(status), NOW, 0.5).kind).toBe(kind);
  });

  it('is signed with the old secret too for a day after a rotation', () => {
    expect(signingGenerations({ generation: 1, rotatedAt: null }, NOW)).toEqual([1]);
    expect(signingGenerations({ generation: 2, rotatedAt: NOW }, NOW + OVERLAP_MS - 1)).toEqual([2, 1]);
    expect(signingGenerations({ generation: 2, rotatedAt: NOW }, NOW + OVERLAP_MS)).toEqual([2]);
  });
});

describe('an address', () => {
  const rule = { allowsLoopback: false, ownHosts: ['desk.example'] };
  it.each([
    ['http://example.org/', 'https://'],
    ['ftp://example.org/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['example.org', 'expected a web address'],
    ['https://a:b@example.org/', 'without a name or a password'],
    ['https://example.org/#x', 'without a fragment'],
    ['https://DESK.example/hooks', 'does not call itself'],
    [`https://example.org/${'x'.repeat(2_048)}`, 'at most 2048'],
  ])('%s is refused', (text, reason) => {
    expect(readTarget(text, rule)).toContain(reason);
  });

  it('may be http on the local chain alone', () => {
    expect(readTarget('http://127.0.0.1:1/x', { ...rule, allowsLoopback: true })).toBeInstanceOf(URL);
    expect(readTarget('https://example.org:8443/x?y=1', rule)).toBeInstanceOf(URL);
  });
});

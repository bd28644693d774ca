import { describe, expect, it } from 'vitest';
import { explorerPage } from '../../src/http/explorer.ts';
import { startLocalTelegram } from '../../src/index.ts';

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

describe('the page of a transaction', () => {
  it('shows any data and escapes all of it', () => {
    const page = explorerPage(SIGNATURE, {
      feeLamports: 5000n,
      '<img onerror=x>': '<script>alert("1")</script>',
      list: [{ a: null }, []],
    });
    expect(page).toContain('<dt>fee lamports</dt><dd><code>5000</code></dd>');
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(page).not.toMatch(/<script|<img/);
  });

  it('says when the chain knows nothing', () => {
    expect(explorerPage(SIGNATURE, undefined)).toContain('knows no transaction');
  });

  it('is served where receipts link to, and only for signatures', async () => {
    const asked: string[] = [];
    const lookup = (signature: string) => {
      asked.push(signature);
      return Promise.resolve({ slot: 7 });
    };
    const telegram = await startLocalTelegram({ panel: { lookup } });
    const found = await fetch(`${telegram.chatUrl}tx/${SIGNATURE}`);
    expect([found.status, await found.text()]).toEqual([200, expect.stringContaining('<code>7</code>')]);
    expect((await fetch(`${telegram.chatUrl}tx/%3Cscript%3E`)).status).toBe(400);
    expect(asked).toEqual([SIGNATURE]);
    await telegram.stop();
  });
});

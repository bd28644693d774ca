import { describe, expect, it } from 'vitest';
import { classifyLink, startInAddress } from '../../src/page/links.ts';

const kind = (url: string) => classifyLink(url, 'tradepost_local_bot');

describe('links of the chat page', () => {
  it.each([
    'https://t.me/tradepost_local_bot?start=ref_1',
    'https://t.me/Tradepost_Local_Bot?start=ref_1',
    't.me/tradepost_local_bot?start=ref_1',
    'tg://resolve?domain=tradepost_local_bot&start=ref_1',
  ])('open %s as another person', (url) => {
    expect(kind(url)).toEqual({ kind: 'start', payload: 'ref_1' });
  });

  it('copy what is to be shared', () => {
    expect(kind('https://t.me/share/url?url=https%3A%2F%2Fx.io&text=Join')).toEqual({
      kind: 'share',
      text: 'Join https://x.io',
    });
  });

  it.each(['https://example.com/a', 'http://127.0.0.1:1/tx/x', 'example.com'])('open %s outside', (url) => {
    expect(kind(url).kind).toBe('outside');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:x',
    'vbscript:x',
  ])('are none with %s', (url) => {
    expect(kind(url)).toEqual({ kind: 'none' });
  });

  it('read what another page starts the bot with, and nothing else', () => {
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    expect(startInAddress(`#start=m_${mint}`)).toBe(`m_${mint}`);
    expect(startInAddress('#start=')).toBe('');
    for (const other of [
      '',
      '#',
      '#start',
      '#start=a b',
      '#start=%3Cb%3E',
      `#start=${'a'.repeat(65)}`,
      '#top',
    ])
      expect(startInAddress(other)).toBeNull();
  });
});

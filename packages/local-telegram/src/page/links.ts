export type Link =
  | { readonly kind: 'start'; readonly payload: string }
  /** Telegram's "share with…" dialog. */
  | { readonly kind: 'share'; readonly text: string }
  | { readonly kind: 'outside'; readonly href: string }
  | { readonly kind: 'none' };

/**
 * The payload of `<this page>#start=…`, which works here as `t.me/<bot>?start=…` does in Telegram; null for any other address. The part
 * behind `#` never leaves the browser.
 */
export function startInAddress(hash: string): string | null {
  return /^#start=([A-Za-z0-9_-]{0,64})$/.exec(hash)?.[1] ?? null;
}

/** The effect of a tap on a link. Only http, https and tg are links at all: anything else, such as `javascript:`, stays text. */
export function classifyLink(raw: string, botUsername: string): Link {
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(raw) ? raw : `https://${raw}`;
  if (!URL.canParse(withScheme)) return { kind: 'none' };
  const url = new URL(withScheme);
  if (!['http:', 'https:', 'tg:'].includes(url.protocol)) return { kind: 'none' };
  const isTelegram = url.hostname === 't.me' || url.hostname === 'telegram.me';
  if (isTelegram && url.pathname.toLowerCase() === `/${botUsername.toLowerCase()}`) {
    return { kind: 'start', payload: url.searchParams.get('start') ?? '' };
  }
  if (url.protocol === 'tg:' && url.searchParams.get('domain')?.toLowerCase() === botUsername.toLowerCase()) {
    return { kind: 'start', payload: url.searchParams.get('start') ?? '' };
  }
  if (isTelegram && url.pathname === '/share/url') {
    const parts = [url.searchParams.get('text'), url.searchParams.get('url')];
    return { kind: 'share', text: parts.filter((part) => part !== null && part !== '').join(' ') };
  }
  return { kind: 'outside', href: url.href };
}

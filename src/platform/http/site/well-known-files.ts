import { assetBytes } from '../look/assets.ts';
import { INERT, type Page, type PageAnswer } from './page.ts';

/** RFC 9116 recommends an end within a year: a text that was left alone says so itself. */
const VALID_MS = 180 * 86_400_000;
const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Robots may read people's pages; pages that cost a search each time are not for them. */
export const robotsFile: Page = {
  path: '/robots.txt',
  handle: async () =>
    plain('User-agent: *\nDisallow: /search\nDisallow: /account\nDisallow: /keys\nDisallow: /dex/\n'),
};

/** The mark, for browsers that ask at the old address. */
export const faviconFile: Page = {
  path: '/favicon.ico',
  handle: async () => ({
    status: 200,
    type: 'image/svg+xml',
    body: assetBytes('mark.svg'),
    contentSecurityPolicy: INERT,
    cacheSeconds: DAY_SECONDS,
  }),
};

/** Where a finding about safety is written to, by RFC 9116; 404 where the operator names no contact and no source. */
export const securityFile: Page = {
  path: '/.well-known/security.txt',
  handle: async ({ contact, frame, clock, publicUrl }) => {
    const to = contactUri(contact) ?? (frame.sourceUrl === null ? null : `${frame.sourceUrl}/security`);
    if (to === null) return plain('The operator names no contact (OPERATOR_CONTACT).\n', 404);
    const until = Math.floor((clock.now() + VALID_MS) / DAY_MS) * DAY_MS;
    const host = publicUrl();
    const lines = [
      `Contact: ${to}`,
      `Expires: ${new Date(until).toISOString()}`,
      'Preferred-Languages: en, es',
      ...(host === null ? [] : [`Canonical: ${new URL('/.well-known/security.txt', host).href}`]),
    ];
    return plain(`${lines.join('\n')}\n`);
  },
};

/** RFC 9116 takes addresses with a scheme alone. */
function contactUri(contact: string | null): string | null {
  if (contact === null) return null;
  if (/^(?:mailto|https|tel):\S+$/i.test(contact)) return contact;
  return /^[^\s@]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : null;
}

function plain(body: string, status: 200 | 404 = 200): PageAnswer {
  return {
    status,
    type: 'text/plain; charset=utf-8',
    body,
    contentSecurityPolicy: INERT,
    cacheSeconds: status === 200 ? DAY_SECONDS : 60,
  };
}

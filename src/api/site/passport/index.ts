import { isAddress } from '../../../core/address/address.ts';
import { hasCode } from '../../../core/errors/app-error.ts';
import type { Passport } from '../../../core/passport/passport.ts';
import { INERT, type Page, type PageAnswer, type SiteDeps } from '../page.ts';
import { passportCard } from './card.ts';
import { passportJson } from './facts.ts';
import { noPassportPage, PASSPORT_CSP, passportPage } from './html.ts';

/** Facts of a moment ago are good enough for a page; a card costs a quarter of a second of drawing. */
const FACTS_SECONDS = 10;
const CARD_SECONDS = 60;

type Form = 'html' | 'json' | 'png';

/** `/token/<mint>`, `/token/<mint>.json`, `/token/<mint>.png`: what any mint lets its authors do, for people and programs. */
export const passportPages: Page = {
  folder: 'token',
  handle: async (deps, name) => {
    const [, word = name, ending] = /^(.*?)(?:\.(json|png))?$/.exec(name) ?? [];
    const form: Form = ending === 'json' || ending === 'png' ? ending : 'html';
    if (!isAddress(word)) {
      const sentence = 'That is not the address of a token. Expected 32 to 44 letters and digits.';
      return refusal(form, 400, 'ADDRESS_INVALID', 'Not an address', sentence);
    }
    try {
      const passport = await deps.passport(word);
      if (passport === null) {
        const sentence = 'No token has this address on this cluster.';
        return refusal(form, 404, 'TOKEN_NOT_FOUND', 'No such token', sentence);
      }
      return await answer(form, passport, deps);
    } catch (error) {
      if (!hasCode(error, 'CHAIN_UNREACHABLE') && !hasCode(error, 'DATABASE_UNREACHABLE')) throw error;
      const sentence = 'The chain could not be asked just now. Please try again in a moment.';
      return refusal(form, 503, 'UPSTREAM_FAILED', 'Not now', sentence);
    }
  },
};

async function answer(form: Form, passport: Passport, deps: SiteDeps): Promise<PageAnswer> {
  const publicUrl = deps.publicUrl();
  if (form === 'json') {
    return {
      status: 200,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({ data: passportJson(passport) }),
      contentSecurityPolicy: INERT,
      cacheSeconds: FACTS_SECONDS,
    };
  }
  if (form === 'png') {
    const card = await passportCard(passport, { metadata: deps.metadata, publicUrl });
    return {
      status: 200,
      type: 'image/png',
      body: await deps.pictures.card(card),
      contentSecurityPolicy: INERT,
      cacheSeconds: CARD_SECONDS,
    };
  }
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: passportPage(passport, publicUrl),
    contentSecurityPolicy: PASSPORT_CSP,
    cacheSeconds: FACTS_SECONDS,
  };
}

function refusal(
  form: Form,
  status: 400 | 404 | 503,
  code: string,
  title: string,
  sentence: string,
): PageAnswer {
  if (form !== 'html') {
    return {
      status,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({ error: { code, message: sentence, retryable: status === 503 } }),
      contentSecurityPolicy: INERT,
      cacheSeconds: 0,
    };
  }
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: noPassportPage(title, sentence),
    contentSecurityPolicy: PASSPORT_CSP,
    cacheSeconds: 0,
  };
}

import { isAddress } from '../../../core/address/address.ts';
import { hasCode } from '../../../core/errors/app-error.ts';
import type { Passport } from '../../../core/passport/passport.ts';
import {
  type Form,
  jsonOf,
  type Page,
  type PageAnswer,
  type PageDeps,
  pageOf,
  pngOf,
  readForm,
  refusal,
} from '../page.ts';
import { passportCard } from './card.ts';
import { passportJson, titleOf } from './facts.ts';
import { tokenBody } from './html.ts';
import { LEVELS } from './words.ts';

/** Facts of a moment ago are good enough for a page; a card costs a quarter of a second of drawing. */
const FACTS_SECONDS = 2;
const CARD_SECONDS = 60;

/** `/token/<mint>`, `/token/<mint>.json`, `/token/<mint>.png`: what any mint lets its authors do, for people and programs. */
export const passportPages: Page = {
  path: '/token/:name',
  handle: async (deps, { name }) => {
    const { word, form } = readForm(name);
    if (!isAddress(word)) {
      const sentence = 'That is not the address of a token. Expected 32 to 44 letters and digits.';
      return refusal(deps, form, { status: 400, code: 'ADDRESS_INVALID', title: 'Not an address', sentence });
    }
    try {
      const passport = await deps.passport(word);
      if (passport === null) {
        const sentence = 'No token has this address on this cluster.';
        return refusal(deps, form, {
          status: 404,
          code: 'TOKEN_NOT_FOUND',
          title: 'No such token',
          sentence,
        });
      }
      return await answer(form, passport, deps);
    } catch (error) {
      if (!hasCode(error, 'CHAIN_UNREACHABLE') && !hasCode(error, 'DATABASE_UNREACHABLE')) throw error;
      const sentence = 'The chain could not be asked just now. Please try again in a moment.';
      return refusal(deps, form, { status: 503, code: 'UPSTREAM_FAILED', title: 'Not now', sentence });
    }
  },
};

async function answer(form: Form, passport: Passport, deps: PageDeps): Promise<PageAnswer> {
  const publicUrl = deps.publicUrl();
  if (form === 'json') return jsonOf(200, { data: passportJson(passport) }, FACTS_SECONDS);
  if (form === 'png') {
    const card = await passportCard(passport, { metadata: deps.metadata, publicUrl });
    return pngOf(await deps.pictures.card(card), CARD_SECONDS);
  }
  const { mint } = passport.record.token;
  // The passport stands without its markets.
  const profile = await deps.tokens.profile(mint).catch(() => null);
  const { symbol, name } = titleOf(passport);
  return pageOf(
    deps.frame,
    {
      title: `${symbol} · token passport`,
      place: 'markets',
      description: `${name}: ${LEVELS[passport.level]}`,
      image: `${publicUrl ?? ''}/token/${mint}.png`,
      body: tokenBody({ passport, profile, frame: deps.frame }),
      runs: (profile?.primaryMarket ?? null) === null ? 'live' : 'chart',
    },
    { cacheSeconds: FACTS_SECONDS },
  );
}

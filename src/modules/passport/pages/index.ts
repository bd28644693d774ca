import { addressPage } from '../../../platform/http/site/address-page.ts';
import {
  type Form,
  jsonOf,
  type Page,
  type PageAnswer,
  type PageDeps,
  pageOf,
  pngOf,
  refusal,
} from '../../../platform/http/site/page.ts';
import type { Passport } from '../rules/passport.ts';
import { passportCard } from './card.ts';
import { passportJson, titleOf } from './facts.ts';
import { tokenBody } from './html.ts';
import { LEVELS } from './words.ts';

/** Facts of a moment ago are good enough for a page; a card costs a quarter of a second of drawing. */
const FACTS_SECONDS = 2;
const CARD_SECONDS = 60;

/** `/token/<mint>`, `/token/<mint>.json`, `/token/<mint>.png`: the powers that any mint gives its authors, for people and programs. */
export const passportPages: Page = addressPage('token', { away: 'The chain' }, async (deps, mint, form) => {
  const passport = await deps.passport(mint);
  if (passport !== null) return await answer(form, passport, deps);
  const sentence = 'No token has this address on this cluster.';
  return refusal(deps, form, { status: 404, code: 'TOKEN_NOT_FOUND', title: 'No such token', sentence });
});

async function answer(form: Form, passport: Passport, deps: PageDeps): Promise<PageAnswer> {
  const publicUrl = deps.publicUrl();
  if (form === 'json') return jsonOf(200, { data: passportJson(passport) }, FACTS_SECONDS);
  if (form === 'png') {
    const card = await passportCard(passport, { metadata: deps.metadata, publicUrl });
    return pngOf(await deps.pictures.card(card), CARD_SECONDS);
  }
  const { mint } = passport.record.token;
  // The passport is shown without its markets too.
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

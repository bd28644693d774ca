import { createHash } from 'node:crypto';
import { PASSPORT_AUTHORITIES, type Passport, type Proof } from '../../../core/passport/passport.ts';
import { displayName } from '../../../core/tokens/display-name.ts';
import { escapeHtml as e } from '../../escape-html.ts';
import { programName, titleOf } from './facts.ts';
import {
  authorityLabel,
  authoritySentence,
  BADGE_SENTENCE,
  dayText,
  LEVELS,
  powerSentence,
  supplyText,
} from './words.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere;background:#fff;color:#16181d}h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.1rem;margin:1.6rem 0 .3rem}img{width:96px;height:96px;border-radius:12px;object-fit:cover}code{font-size:.85em}ul{padding-left:1.1rem}dl{margin:0}dt{font-weight:600;margin-top:.7rem}dd{margin:0}.level{padding:.6rem .8rem;border-radius:8px;background:#e7f5ec}.CAREFUL{background:#fdf1dc}.BLOCK{background:#fbe3e3}.soft{color:#5c6370}@media(prefers-color-scheme:dark){body{background:#10141c;color:#e8ebf2}a{color:#8ab4ff}.soft{color:#9aa4b8}.level{background:#143022}.CAREFUL{background:#3a2c10}.BLOCK{background:#411d1d}}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** No script, no frame, no form; only this style and pictures of our own. */
export const PASSPORT_CSP = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The passport for people. Everything that came from a token is escaped where it is put. */
export function passportPage(passport: Passport, publicUrl: string | null): string {
  const { record, document, origin, launch, metadata } = passport;
  const { token } = record;
  const { symbol, name } = titleOf(passport);
  const path = `/token/${token.mint}`;
  const picture = document?.picture ?? null;
  const authorities = PASSPORT_AUTHORITIES.filter((one) => one !== 'update' || metadata !== null);
  const head = `<title>${e(symbol)} · passport</title>
<meta property="og:title" content="${e(`${symbol} · token passport`)}"><meta property="og:description" content="${e(LEVELS[passport.level])}">
<meta property="og:image" content="${e(`${publicUrl ?? ''}${path}.png`)}"><meta name="twitter:card" content="summary_large_image">`;
  const body = [
    picture === null ? '' : `<img src="${e(picture)}" alt="" width="96" height="96">`,
    `<h1>${e(symbol)}</h1><p>${e(name)}<br><code>${e(token.mint)}</code></p>`,
    `<p class="level ${passport.level}">${e(LEVELS[passport.level])}</p>`,
    document === null || document.description === '' ? '' : `<p>${e(shown(document.description))}</p>`,
    `<h2>Supply</h2><p>${e(supplyText(token.supply, token.decimals))} · ${token.decimals} decimals · ${programName(passport) === 'token' ? 'SPL Token' : 'Token-2022'}</p>`,
    `<h2>Who can still change it</h2><dl>${authorities
      .map((authority) => {
        const state = passport.authorities[authority];
        const proof = state.revoked === null ? '' : ` ${given(state.revoked)}`;
        return `<dt>${e(authorityLabel(authority))}</dt><dd>${e(authoritySentence(authority, state))}${proof}</dd>`;
      })
      .join('')}</dl>`,
    passport.powers.length === 0
      ? '<h2>Extensions</h2><p>None that touch holders.</p>'
      : `<h2>Extensions</h2><ul>${passport.powers.map((power) => `<li>${e(powerSentence(power))}</li>`).join('')}</ul>`,
    metadata === null ? '<h2>Metadata</h2><p>None on the chain.</p>' : metadataSection(passport),
    launch === null
      ? ''
      : `<h2>Launch</h2><p>${e(launch.pad)} · ${launch.graduated ? 'graduated' : `${launch.percent} % of the curve`}</p>`,
    origin === null ? '' : originSection(origin),
    `<p class="soft"><a href="${path}.json">JSON</a> · <a href="${path}.png">Card</a> · read from the chain at slot ${record.slot}</p>`,
  ];
  return page(head, body.filter((part) => part !== '').join('\n'));
}

function metadataSection({ metadata, document }: Passport): string {
  if (metadata === null) return '';
  const hash =
    document === null
      ? 'The document is kept elsewhere: it may change without the chain knowing.'
      : `The document can never change. SHA-256 <code>${e(document.sha256)}</code>`;
  const links = (document?.links ?? []).map(
    ({ name, url }) =>
      `<li>${e(name)}: <a href="${e(url)}" rel="nofollow noopener noreferrer">${e(url)}</a></li>`,
  );
  return `<h2>Metadata</h2><p><code>${e(metadata.uri)}</code></p><p>${hash}</p>${links.length === 0 ? '' : `<ul>${links.join('')}</ul>`}`;
}

function originSection({ creator, hasBadge, created, otherTokens }: NonNullable<Passport['origin']>): string {
  const others = otherTokens.map(({ mint, symbol, name }) => {
    const title = displayName(symbol) ?? displayName(name) ?? mint;
    return `<li><a href="/token/${e(mint)}">${e(title)}</a></li>`;
  });
  return `<h2>Creator</h2><p><code>${e(creator)}</code><br>Made here ${given(created)}</p>${
    hasBadge ? `<p>★ ${e(BADGE_SENTENCE)}</p>` : ''
  }${others.length === 0 ? '' : `<p>Other tokens of this creator:</p><ul>${others.join('')}</ul>`}`;
}

/** A page for an address that is no mint, a word that is no address, or a chain that does not answer. */
export function noPassportPage(title: string, sentence: string): string {
  return page(`<title>${e(title)}</title>`, `<h1>${e(title)}</h1><p>${e(sentence)}</p>`);
}

function page(head: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${head}<style>${STYLE}</style></head><body>${body}</body></html>`;
}

const given = ({ signature, at }: Proof): string =>
  `<span class="soft">${dayText(at)} · <code>${e(signature)}</code></span>`;

/** Lines stay lines, everything that is invisible or turns text around goes. */
const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').slice(0, 1_000);

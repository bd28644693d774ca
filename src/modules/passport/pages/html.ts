import type { Frame } from '../../../platform/http/look/frame.ts';
import { type Html, html } from '../../../platform/http/look/html.ts';
import {
  amountText,
  change,
  dollarPrice,
  dollarText,
  placesOf,
  priceText,
  short,
  transaction,
} from '../../../platform/http/look/numbers.ts';
import type { TokenProfile } from '../../market/use/token-profile.ts';
import { tokenPayload } from '../../referrals/rules/start-payload.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import { PASSPORT_AUTHORITIES, type Passport, type Proof } from '../rules/passport.ts';
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

export type TokenFacts = {
  readonly passport: Passport;
  /** The markets' facts about it; null where they are not known now. */
  readonly profile: TokenProfile | null;
  readonly frame: Frame;
};

const SIGNS = { OK: '✓', CAREFUL: '!', BLOCK: '✕' } as const;

/** The page of a token. Everything that came from a token is escaped where it is put. */
export function tokenBody(facts: TokenFacts): Html {
  const { passport, profile } = facts;
  const { record, document, origin, launch, metadata } = passport;
  const { mint } = record.token;
  // With the powers of the holders over the price, where they were counted.
  const level = profile?.safety.level ?? passport.level;
  return html`<p class="crumbs"><a href="/">Markets</a> / ${titleOf(passport).symbol}</p>
<div id="head" data-live>${head(facts)}</div>
<div class="level ${level}"><b>${SIGNS[level]}</b> ${LEVELS[level]}</div>
${held(profile)}
${marketNote(profile)}
${profile?.imitates != null && html`<div class="note care"><p>! Its name can be taken for another, better known token: <a href="/token/${profile.imitates}">${profile.imitates}</a>. The address tells them apart, the name does not.</p></div>`}
${document !== null && document.description !== '' && html`<p>${shown(document.description)}</p>`}
<div id="tiles" data-live>${tiles(facts)}</div>
${profile !== null && markets(profile)}
<section class="card"><h2>Who can still change it</h2>${powers(facts)}</section>
<section class="card"><h2>Supply</h2><p>${supplyText(record.token.supply, record.token.decimals)} · ${record.token.decimals} decimals · ${programName(passport) === 'token' ? 'SPL Token' : 'Token-2022'}</p>${launch !== null && launchBar(launch)}</section>
<section class="card"><h2>Metadata</h2>${metadata === null ? html`<p>None on the chain.</p>` : metadataPart(passport)}</section>
${origin !== null && html`<section class="card"><h2>Creator</h2>${originPart(origin, facts.frame)}</section>`}
<p class="soft small wide"><a href="/token/${mint}.json">JSON</a> · <a href="/tokens/${mint}">Market data as JSON</a> · <a href="/token/${mint}.png">Card</a> · read from the chain at slot ${record.slot.toString()}</p>`;
}

function head({ passport, profile, frame }: TokenFacts): Html {
  const { symbol, name } = titleOf(passport);
  const { mint } = passport.record.token;
  const picture = passport.document?.picture ?? null;
  const bot = frame.botUrl(tokenPayload(mint, null));
  return html`<div class="market"><div class="who">${picture !== null && html`<img src="${picture}" alt="" width="96" height="96" class="face">`}<div><h1>${symbol}</h1><p>${name}${profile?.verified === true && html` <span class="chip ok">✓ verified</span>`}</p><p class="soft small"><code class="long">${mint}</code></p>${bot !== null && html`<p class="actions wide"><a class="button" href="${bot}" rel="noopener">Trade in Telegram</a></p>`}</div></div>
<div class="quote"><p class="price">${dollarPrice(profile?.price?.usd ?? null)}</p><p>${change(profile?.change['24h'] ?? null)} <span class="soft small">24 h</span></p><p class="soft small">${profile?.priceSol == null ? 'in SOL: n/a' : `${priceText(profile.priceSol)} SOL`}${profile?.price != null && ` · ${profile.price.confidence} confidence${profile.price.stale ? ', older than a minute' : ''}`}</p></div></div>`;
}

/** How far few hands could move the price, or that they are not counted. */
function held(profile: TokenProfile | null): Html | null {
  if (profile === null) return null;
  const { concentration } = profile;
  if (concentration === null)
    return html`<p class="soft small">The largest holders could not be counted: the verdict speaks of the mint alone.</p>`;
  const warning = profile.safety.warnings.find(({ code }) => code === 'CONCENTRATED');
  if (warning === undefined) return null;
  return html`<div class="note care"><p>! Ten accounts hold ${percentOf(concentration.top10Bps)} of it, the largest ${percentOf(concentration.largestBps)}, pools and burnt units left out: they can move its price.</p></div>`;
}

/** The reasons to be careful with its market, beside its concentration in few hands. */
function marketNote(profile: TokenProfile | null): Html | null {
  const found = (profile?.safety.warnings ?? []).flatMap((warning): readonly string[] => {
    if (warning.code === 'SMALL') return [`its pools hold ${dollarText(warning.liquidityUsd)}`];
    if (warning.code === 'YOUNG') return ['it is less than a day old, as far as this desk can see'];
    if (warning.code === 'FEW_HOLDERS')
      return [`${warning.holders === 1 ? '1 account holds' : `${warning.holders} accounts hold`} it`];
    if (warning.code === 'NOT_ENOUGH_KNOWN')
      return [`not known: ${warning.unknown.map((fact) => `its ${fact}`).join(', ')}`];
    return [];
  });
  return found.length === 0
    ? null
    : html`<div class="note care"><p>! Its market: ${found.join('; ')}.</p></div>`;
}

const percentOf = (bps: number): string =>
  `${(bps / 100).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;

function tiles({ profile }: TokenFacts): Html {
  const tile = (label: string, value: string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const count = (value: number | null | undefined): string =>
    value == null ? 'n/a' : value.toLocaleString('en-US');
  const top = profile?.top10Percent ?? null;
  return html`<dl class="tiles">${tile('Cap, full supply', dollarText(profile?.marketCapUsd ?? null))}${tile('Liquidity', dollarText(profile?.liquidityUsd ?? null))}${tile('24 h volume', dollarText(profile?.volume24hUsd ?? null))}${tile('24 h traders', count(profile?.traders24h))}${tile('Holders', count(profile?.holders))}${tile('Top 10 hold', top === null ? 'n/a' : `${top.toLocaleString('en-US', { maximumFractionDigits: 1 })} %`)}</dl>`;
}

function markets({ primaryMarket, markets: all }: TokenProfile): Html {
  if (primaryMarket === null && all.length === 0)
    return html`<section class="card"><h2>Markets</h2><p class="soft">None yet. They show here as soon as a pool with this token is read from the chain.</p></section>`;
  const price = Number(primaryMarket?.stats?.last?.price ?? 0);
  const rows = all
    .slice(0, 10)
    .map(
      ({ market, stats }) =>
        html`<tr><td><a href="/market/${market.address}">${market.name}</a></td><td class="soft">${market.venue}</td><td class="number">${priceText(stats?.last?.price ?? null)}</td><td class="number hide">${stats === null ? 'n/a' : `${amountText(Number(stats.quote) / 10 ** market.quoteDecimals)} ${market.quoteTicker}`}</td></tr>`,
    );
  return html`${
    price > 0 &&
    primaryMarket !== null &&
    html`<section class="card chart small-chart"><div class="head"><h2>${primaryMarket.market.name}</h2><a href="/market/${primaryMarket.market.address}">Whole market</a></div><div class="plot" id="chart" data-symbol="${primaryMarket.market.address}" data-resolution="15" data-digits="${Math.min(16, placesOf(price))}"><noscript><img src="/market/${primaryMarket.market.address}.png" alt="Candles of ${primaryMarket.market.name}" width="1280" height="800"></noscript></div><p class="legend" id="legend"></p><p class="soft small">Charts by <a href="https://www.tradingview.com/" rel="noopener">TradingView Lightweight Charts™</a>, © TradingView, Inc., Apache-2.0.</p></section>`
  }<section class="card flush"><h2>Markets</h2><div class="scroll" tabindex="0" role="region" aria-label="Markets of this token"><table class="rows"><thead><tr><th>Market</th><th>Venue</th><th class="number">Price</th><th class="number hide">Volume 24 h</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function powers({ passport, frame }: TokenFacts): Html {
  const { metadata } = passport;
  const authorities = PASSPORT_AUTHORITIES.filter((one) => one !== 'update' || metadata !== null);
  const rows = [
    ...authorities.map((authority) => {
      const state = passport.authorities[authority];
      const proof = state.revoked === null ? null : html` ${given(state.revoked, frame)}`;
      return html`<tr><td>${authorityLabel(authority)}</td><td>${state.holder === null ? html`<span class="chip ok">✓ gone</span>` : short(state.holder)}</td><td class="long">${authoritySentence(authority, state)}${proof}</td></tr>`;
    }),
    ...passport.powers.map(
      (power) =>
        html`<tr><td>${power.code.charAt(0)}${power.code.slice(1).toLowerCase().replaceAll('_', ' ')}</td><td>${power.holder === null ? html`<span class="soft">its own rule</span>` : short(power.holder)}</td><td class="long">${powerSentence(power)}</td></tr>`,
    ),
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Powers"><table class="powers"><thead><tr><th>Power</th><th>Holder</th><th>What it means</th></tr></thead><tbody>${rows}</tbody></table></div>${passport.powers.length === 0 && html`<p class="soft small wide">No extension that touches holders.</p>`}`;
}

function launchBar({ pad, percent, graduated }: NonNullable<Passport['launch']>): Html {
  return html`<h3>Launch</h3><p>${pad} · ${graduated ? 'graduated' : `${percent} % of the curve`}</p><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${graduated ? 'graduated' : `${percent} % of the curve sold`}"><rect width="${graduated ? 100 : percent}" height="8"/></svg>`;
}

function metadataPart({ metadata, document }: Passport): Html {
  const hash =
    document === null
      ? html`The document is kept elsewhere: it may change without the chain knowing.`
      : html`The document can never change. SHA-256 <code>${document.sha256}</code>`;
  const links = (document?.links ?? []).map(
    ({ name, url }) => html`<li>${name}: <a href="${url}" rel="nofollow noopener noreferrer">${url}</a></li>`,
  );
  return html`<p><code class="long">${metadata?.uri ?? ''}</code></p><p class="long">${hash}</p>${links.length > 0 && html`<ul class="long">${links}</ul>`}`;
}

function originPart(
  { creator, hasBadge, created, otherTokens }: NonNullable<Passport['origin']>,
  frame: Frame,
): Html {
  const others = otherTokens.map(({ mint, symbol, name }) => {
    const title = displayName(symbol) ?? displayName(name) ?? mint;
    return html`<li><a href="/token/${mint}">${title}</a></li>`;
  });
  return html`<p><code class="long">${creator}</code><br>Made here ${given(created, frame)}</p>${hasBadge && html`<p>★ ${BADGE_SENTENCE}</p>`}${others.length === 0 ? html`<p class="soft">No other token of this creator was made here.</p>` : html`<p>Other tokens of this creator:</p><ul class="long">${others}</ul>`}`;
}

const given = ({ signature, at }: Proof, frame: Frame): Html =>
  html`<span class="soft">${dayText(at)} · ${transaction(signature, frame)}</span>`;

/** Lines stay lines, everything that is invisible or turns text around goes. */
const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').slice(0, 1_000);

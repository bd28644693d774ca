import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { type Figures, figuresOf } from '../../../core/text/figures.ts';
import { fitted, widthOf } from '../../../core/text/fit.ts';
import { ageAt } from '../../../core/time/age.ts';
import { bold, type Html, html, lines, plain } from '../../../platform/telegram/ui/html.ts';
import {
  act,
  freshAct,
  freshNav,
  inRows,
  keyboard,
  link,
  nav,
  ticked,
} from '../../../platform/telegram/ui/keyboard.ts';
import { PICK_WIDTH } from '../../../platform/telegram/ui/pages.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { ageText, utcClock } from '../../../platform/telegram/ui/time.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import { microUsdShown } from '../../trading/rules/price.ts';
import type { Cohort, CohortTrade } from '../rules/cohort.ts';
import { type LaunchAlert, type LaunchList, LISTS } from '../rules/launch-alert.ts';
import { filterText, readFilter } from '../rules/launch-filter.ts';
import { type FreshWallets, type LaunchPage, type ShownLaunch, worstFigure } from '../use/launch-figures.ts';

export const LAUNCHES = 'launches';
export const LAUNCH_ROWS = 5;
/** Conditions that one tap adds. */
export const PRESETS = ['dev<5', 'bundle<10', 'top10<30', 'curve>50'] as const;
/** The early wallets whose trades one tap shows. */
export const COHORTS = ['bundle', 'snipers', 'dev'] as const;
export type CohortName = (typeof COHORTS)[number];
/** Widths that lines hold beside their other parts. */
const ROW_WIDTH = 24;
const ROW_SYMBOL = { least: 3, most: 10 };
const TITLE_SYMBOL = 10;
const FILTER_WIDTH = 17;

const symbolOf = ({ token, launch }: ShownLaunch): string =>
  token === null ? shortAddress(launch.mint) : displaySymbol(token);

/** A page of launches. */
export function launchListView(
  words: Words,
  facts: {
    readonly list: LaunchList;
    readonly page: number;
    readonly shown: LaunchPage;
    readonly filter: string;
    readonly now: number;
    readonly stateId: string;
  },
): View {
  const { list, page, shown, filter, stateId } = facts;
  const on = (label: string, action: string) => act(label, LAUNCHES, action, stateId);
  return {
    text: lines(
      words.html(`feed.title_${list}`, { page: page + 1 }),
      filter !== '' && words.html('feed.filtered', { filter: fitted(filter, FILTER_WIDTH) }),
      shown.rows.length === 0 && words.html(filter === '' ? 'feed.none' : 'feed.none_pass'),
      ...shown.rows.map((row) => launchRow(words, row, facts.now)),
    ),
    keyboard: keyboard(
      shown.rows.map((row, index) => on(fitted(symbolOf(row), PICK_WIDTH), `pick-${index}`)),
      LISTS.map((one, index) =>
        nav(ticked(words.text(`btn.feed_${one}`), one === list), LAUNCHES, `list-${index}`),
      ),
      [
        nav(words.text('btn.feed_filter'), LAUNCHES, 'filter'),
        nav(words.text('btn.feed_alerts'), LAUNCHES, 'alerts'),
        page > 0 && on('‹', 'previous'),
        shown.more && on('›', 'next'),
      ],
      [on(words.text('btn.refresh'), 'here'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** `FOO 2 min · $8.1K · 34% · dev 4%`. */
function launchRow(words: Words, row: ShownLaunch, now: number): Html {
  const figures = figuresOf(words.language);
  const rest = {
    age: ageText(ageAt(row.launch.createdAt, now)),
    cap: figures.compact(microUsdShown(row.capUsd)),
    curve: wholePercent(figures, row.launch.soldBps),
    worst: worstText(words, row),
  };
  const room = ROW_WIDTH - widthOf(words.text('feed.row', { symbol: '', ...rest }));
  const symbol = fitted(symbolOf(row), Math.min(ROW_SYMBOL.most, Math.max(ROW_SYMBOL.least, room)));
  return words.html('feed.row', { symbol, ...rest });
}

/** Down to the whole percent: a curve is never shown further than it is. */
const wholePercent = (figures: Figures, bps: number): string => figures.percent(bps - (bps % 100));
/** Up to the whole percent: a risk is never shown smaller than it is. */
const riskPercent = (figures: Figures, bps: number): string => figures.percent(Math.ceil(bps / 100) * 100);

function worstText(words: Words, row: ShownLaunch): string {
  const worst = worstFigure(row);
  if (worst === null) return words.text('feed.unknown');
  return words.text(`feed.worst_${worst.kind}`, {
    percent: riskPercent(figuresOf(words.language), worst.bps),
  });
}

/** The filter: its conditions, and how one is typed. */
export function filterView(words: Words, { filter }: Pick<LaunchAlert, 'filter'>): View {
  const has = new Set(filter.split(' '));
  return {
    text: lines(
      words.html('feed.filter_title'),
      filter === '' ? words.html('feed.filter_none') : plain(filter),
      words.html('feed.filter_how'),
    ),
    keyboard: keyboard(
      ...inRows(
        PRESETS.map((preset, index) => nav(ticked(preset, has.has(preset)), LAUNCHES, `preset-${index}`)),
        2,
      ),
      [
        nav(words.text('btn.feed_type'), LAUNCHES, 'type'),
        filter !== '' && nav(words.text('btn.feed_clear'), LAUNCHES, 'clear'),
      ],
      [nav(words.text('btn.back'), LAUNCHES, 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** The filter with a condition more, or without it where it has it. */
export function toggledPreset(filter: string, preset: string): string {
  const parts = filter === '' ? [] : filter.split(' ');
  const others = parts.filter((part) => part !== preset);
  return filterText(readFilter([...others, ...(others.length < parts.length ? [] : [preset])].join(' ')));
}

/** The stages that are messages. */
export function alertsView(words: Words, { stages, filter }: Pick<LaunchAlert, 'stages' | 'filter'>): View {
  return {
    text: lines(
      words.html('feed.alerts_title'),
      words.html('feed.alerts_how'),
      filter === ''
        ? words.html('feed.filter_none')
        : words.html('feed.filtered', { filter: fitted(filter, FILTER_WIDTH) }),
      words.html('feed.alerts_limit'),
    ),
    keyboard: keyboard(
      LISTS.map((list, index) =>
        nav(ticked(words.text(`btn.feed_${list}`), stages.includes(list)), LAUNCHES, `stage-${index}`),
      ),
      [nav(words.text('btn.feed_filter'), LAUNCHES, 'filter'), nav(words.text('btn.back'), LAUNCHES, 'open')],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** The early buyers of a launch, and the trades behind one figure. `stateId`: behind the way to the card and the figures. */
export function buyersView(
  words: Words,
  facts: {
    readonly shown: ShownLaunch;
    readonly fresh: FreshWallets | null;
    readonly chosen: CohortName | null;
    readonly transactionUrl: (signature: string) => string;
    readonly stateId: string;
  },
): View {
  const { shown, fresh, chosen, stateId } = facts;
  const trades = chosen === null ? [] : (tradesOf(shown, chosen) ?? []).slice(0, LAUNCH_ROWS);
  return {
    text: lines(
      words.html('feed.who_title', { symbol: bold(fitted(symbolOf(shown), TITLE_SYMBOL)) }),
      ...(chosen === null
        ? figureLines(words, shown, fresh)
        : [
            words.html(`feed.trades_${chosen}`, { count: tradesOf(shown, chosen)?.length ?? 0 }),
            ...trades.map((trade) => tradeLine(words, trade, shown)),
            trades.length === 0 && words.html('feed.no_trades'),
          ]),
    ),
    keyboard: keyboard(
      trades.map(({ signature }, index) => link(String(index + 1), facts.transactionUrl(signature))),
      COHORTS.map((name, index) =>
        act(ticked(words.text(`btn.feed_${name}`), name === chosen), LAUNCHES, `trades-${index}`, stateId),
      ),
      [
        act(words.text('btn.trade_card'), LAUNCHES, 'card', stateId),
        nav(words.text('btn.newest'), LAUNCHES, 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

function tradesOf({ cohorts }: ShownLaunch, name: CohortName): readonly CohortTrade[] | null {
  return cohorts[name]?.trades ?? null;
}

function figureLines(
  words: Words,
  { devBps, cohorts }: ShownLaunch,
  fresh: FreshWallets | null,
): readonly Html[] {
  const figures = figuresOf(words.language);
  const unknown = words.text('feed.unknown');
  const part = (bps: number | null | undefined): string => (bps == null ? unknown : figures.percentUpTo(bps));
  const cohort = (name: 'bundle' | 'snipers', of: Cohort | null): Html =>
    of === null
      ? words.html(`feed.${name}_unknown`)
      : words.html(`feed.${name}`, {
          bought: part(of.bps),
          count: of.wallets.length,
          held: part(of.heldBps),
        });
  return [
    words.html('feed.dev', { held: part(devBps) }),
    words.html('feed.dev_traded', {
      bought: part(cohorts.dev?.boughtBps),
      sold: part(cohorts.dev?.soldBps),
    }),
    cohort('bundle', cohorts.bundle),
    cohort('snipers', cohorts.snipers),
    fresh === null
      ? words.html('feed.fresh_unknown')
      : words.html('feed.fresh', { fresh: fresh.fresh, known: fresh.known, all: fresh.all }),
  ];
}

function tradeLine(words: Words, { at, side, base, trader }: CohortTrade, { token }: ShownLaunch): Html {
  const amount = figuresOf(words.language).units(base, token?.decimals ?? 0);
  return html`${utcClock(at * 1_000)} ${side === 'buy' ? '🟢' : '🔴'} ${amount} · ${shortAddress(trader)}`;
}

/** A launch that the feed has not seen, or that a fork took back. */
export function noBuyersView(words: Words): View {
  return {
    text: words.html('feed.not_seen'),
    keyboard: keyboard([
      nav(words.text('btn.newest'), LAUNCHES, 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

/** The message of a stage, as it is sent and edited. `stateId`: behind the way to the token's card; null where the person has none. */
export function launchNoticeView(
  words: Words,
  facts: {
    readonly stage: LaunchList;
    readonly shown: ShownLaunch;
    readonly takenBack: boolean;
    readonly pad: string;
    readonly now: number;
    readonly stateId: string | null;
  },
): View {
  const { stage, shown, takenBack, stateId } = facts;
  const symbol = bold(fitted(symbolOf(shown), TITLE_SYMBOL));
  return {
    text: lines(
      words.html(takenBack ? `feed.gone_${stage}` : `feed.told_${stage}`, { symbol, pad: facts.pad }),
      !takenBack && launchRow(words, shown, facts.now),
    ),
    keyboard: keyboard([
      !takenBack && stateId !== null && freshAct(words.text('btn.trade_card'), 'trade', 'card', stateId),
      freshNav(words.text('btn.newest'), LAUNCHES, 'open'),
    ]),
  };
}

/** Launches beyond the thirty messages of an hour. */
export function launchDigestView(words: Words, count: number): View {
  return {
    text: words.html('feed.digest', { count }),
    keyboard: keyboard([freshNav(words.text('btn.newest'), LAUNCHES, 'open')]),
  };
}

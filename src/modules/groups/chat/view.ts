import { LANGUAGES, type Language, type Words } from '../../../compose/texts/words.ts';
import { type Figures, figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { bold, type Html, html, lines, plain } from '../../../platform/telegram/ui/html.ts';
import { act, type Keyboard, keyboard, link, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { ageText } from '../../../platform/telegram/ui/time.ts';
import type { TokenProfile } from '../../market/use/token-profile.ts';
import { groupPayload, tokenPayload } from '../../referrals/rules/start-payload.ts';
import { riskLine } from '../../tokens/chat/safety-text.ts';
import { titleLine } from '../../trading/chat/card-view.ts';
import { microUsdShown, picoUsdShown } from '../../trading/rules/price.ts';
import { GROUP_LIMITS } from '../rules/answers.ts';
import type { Group } from '../rules/group.ts';
import { STAKE_LAMPORTS, type Standing } from '../rules/group-call.ts';
import type { Scan } from '../use/scan-token.ts';

export const GROUPS = 'groups';
/** Names are their owner's to choose: a row keeps to its line. */
const NAME_WIDTH = 6;
const ROWS = 5;

/** A link of this bot. */
type Place = { readonly botName: string };

export type ScanFacts = Place & {
  readonly scan: Scan;
  readonly group: Group | null;
  /** The code in the links; null for none. */
  readonly code: string | null;
  readonly chartUrl: string | null;
  /** Epoch milliseconds. */
  readonly readAt: number;
};

/** A token for a group: its figures, its gravest risk, its first call. Its buttons are links; none of them acts here. */
export function scanView(words: Words, facts: ScanFacts): View {
  const { scan, group, code, botName, chartUrl } = facts;
  const { profile } = scan;
  const figures = figuresOf(words.language);
  const isBlocked = profile.safety.level === 'BLOCK';
  return {
    text: lines(
      titleLine(profile),
      words.html('trade.price', {
        price: bold(figures.price(profile.price === null ? null : picoUsdShown(profile.price.usd))),
        cap: bold(figures.compact(microUsdShown(profile.marketCapUsd))),
      }),
      words.html('trade.change', {
        m5: figures.move(profile.change['5m']),
        h1: figures.move(profile.change['1h']),
        h24: figures.move(profile.change['24h']),
      }),
      marketLine(words, figures, profile, facts.readAt),
      riskLine(words, profile.safety),
      callLine(words, figures, scan),
      scan.call === null && !isBlocked && words.html('groups.no_market'),
      code !== null && group !== null && words.html('groups.carries', { name: nameOf(group.ownerName) }),
    ),
    keyboard: keyboard([
      !isBlocked &&
        link(
          words.text('btn.group_trade'),
          `https://t.me/${botName}?start=${tokenPayload(profile.token.mint, code)}`,
        ),
      chartUrl !== null && link(words.text('btn.group_chart'), chartUrl),
    ]),
  };
}

const nameOf = (name: string): string => fitted(name, NAME_WIDTH);

function marketLine(words: Words, figures: Figures, profile: TokenProfile, readAt: number): Html {
  const { holders } = profile;
  return words.html('groups.market', {
    liquidity: figures.compact(microUsdShown(profile.liquidityUsd)),
    holders:
      holders === null
        ? ''
        : holders === 1
          ? words.text('groups.holder_one')
          : words.text('groups.holders', { count: figures.count(Math.trunc(holders)) }),
    age: ` · ${ageText(readAt - profile.firstSeenAt)}`,
  });
}

function callLine(words: Words, figures: Figures, { call, isFirst }: Scan): Html | null {
  if (call === null) return null;
  const name = call.callerName === null ? words.text('groups.someone') : nameOf(call.callerName);
  const price = figures.price(call.picoUsd);
  if (isFirst || call.lamports === null) return words.html('groups.first_call', { name, price });
  return words.html('groups.first_call_now', { name, price, result: resultText(figures, call.lamports) });
}

/** Of one SOL that went in: `+31%`, `−100%`. */
const resultText = (figures: Figures, lamports: bigint): string =>
  figures.change(lamports - STAKE_LAMPORTS, STAKE_LAMPORTS);

/** The callers of a group by the median of their calls. */
export function standingsView(
  words: Words,
  { days, rows }: { readonly days: number; readonly rows: readonly Standing[] },
): View {
  const figures = figuresOf(words.language);
  return {
    text: lines(
      words.html('groups.lb_title', { days }),
      rows.length === 0 && words.html('groups.lb_none', { least: GROUP_LIMITS.leastCalls }),
      ...rows.slice(0, ROWS).map((row, index) =>
        words.html('groups.lb_row', {
          rank: index + 1,
          name: nameOf(row.callerName),
          result: resultText(figures, row.medianLamports),
          calls: row.calls,
          best: resultText(figures, row.bestLamports),
        }),
      ),
      words.html('groups.lb_note'),
    ),
  };
}

/** `/group` in the group: what its links carry, and the way for its creator. */
export function groupView(
  words: Words,
  facts: Place & { readonly groupId: bigint; readonly group: Group | null; readonly code: string | null },
): View {
  const { group, code, botName, groupId } = facts;
  return {
    text: lines(
      code !== null && group !== null
        ? words.html('groups.carries', { name: nameOf(group.ownerName) })
        : words.html('groups.settings'),
      words.html('groups.settings_how'),
    ),
    keyboard: keyboard([
      link(words.text('btn.group_settings'), `https://t.me/${botName}?start=${groupPayload(groupId)}`),
    ]),
  };
}

/** A group's choices, for its creator in the private chat. */
export function ownGroupView(
  words: Words,
  facts: { readonly group: Group; readonly title: string; readonly stateId: string },
): View {
  const { group, title, stateId } = facts;
  return {
    text: lines(
      words.html('groups.own', { title: fitted(title, 2 * NAME_WIDTH) }),
      words.html(group.carriesCode ? 'groups.own_code_on' : 'groups.own_code_off'),
      words.html('groups.own_note'),
    ),
    keyboard: ownButtons(words, group, stateId),
  };
}

const ownButtons = (words: Words, group: Group, stateId: string): Keyboard =>
  keyboard(
    [act(ticked(words.text('btn.group_code'), group.carriesCode), GROUPS, 'code', stateId)],
    Object.entries(LANGUAGES).map(([language, { name }]) =>
      act(
        ticked(words.text('btn.group_language', { language: name }), language === group.language),
        GROUPS,
        `language-${Object.keys(LANGUAGES).indexOf(language)}`,
        stateId,
      ),
    ),
    [nav(words.text('btn.home'), 'home', 'open')],
  );

export const languageAt = (index: number): Language | undefined =>
  Object.keys(LANGUAGES).filter(isKnown)[index];
const isKnown = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);

/** One sentence of ours. */
export const said = (text: string): View => ({ text: html`${plain(text)}` });

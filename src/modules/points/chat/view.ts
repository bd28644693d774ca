import type { Words } from '../../../compose/texts/words.ts';
import { amountText, percentText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, html, lines, plain } from '../../../platform/telegram/ui/html.ts';
import { act, type ButtonSpec, inRows, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcDay, utcText } from '../../../platform/telegram/ui/time.ts';
import type { Mission } from '../rules/missions.ts';
import type { PointRules } from '../rules/rules.ts';
import type { Season } from '../rules/seasons.ts';
import type { BoardRow, PointLine } from '../store/point-store-port.ts';
import type { MissionState } from '../use/list-missions.ts';
import type { PointsOverview } from '../use/points-overview.ts';

export const POINTS = 'points';
export const HISTORY_PAGE = 5;

export const number = (words: Words, points: bigint | number): string => amountText(words, BigInt(points), 0);

export const footer = (words: Words): readonly ButtonSpec[] => [
  nav(words.text('btn.back'), POINTS, 'open'),
  nav(words.text('btn.home'), 'home', 'open'),
];

export const daysText = (words: Words, count: number): string =>
  count === 1 ? words.text('points.days_one') : words.text('points.days', { count });

export function pointsView(words: Words, facts: PointsOverview): View {
  const { miner, rules, points } = facts;
  const { mining } = rules;
  return {
    text: lines(
      words.html('points.title', { points: number(words, points) }),
      words.html('points.state', {
        energy: miner.energy,
        max: mining.energyMax,
        today: miner.minedToday,
        cap: mining.dailyCap,
        streak: daysText(words, miner.streak),
      }),
      facts.discountUntil !== null &&
        facts.discountBps > 0 &&
        words.html('points.discount', {
          percent: percentText(words, facts.discountBps),
          until: utcText(facts.discountUntil),
        }),
      facts.hasBadge && words.html('points.badge'),
      html``,
      words.html('points.hint'),
    ),
    keyboard: keyboard(
      [nav(words.text('btn.mine', { points: mining.pointsPerTap }), POINTS, 'mine')],
      [nav(words.text('btn.missions'), POINTS, 'missions'), nav(words.text('btn.shop'), POINTS, 'shop')],
      [nav(words.text('btn.games'), 'games', 'open'), nav(words.text('btn.convert'), 'convert', 'open')],
      [nav(words.text('btn.board'), POINTS, 'board'), nav(words.text('btn.history'), POINTS, 'history')],
      [nav(words.text('btn.rules'), POINTS, 'rules'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** A mission's name; one that a catalogue does not know yet is shown by its id. */
function missionName(words: Words, id: Mission['id']): string {
  const key = `mission.${id}`;
  return words.has(key) ? words.text(key) : id;
}

export function missionsView(words: Words, states: readonly MissionState[], stateId: string): View {
  return {
    text: lines(
      words.html('missions.title'),
      html``,
      ...states.map(({ mission, progress, claimed }) => {
        const name = { mission: missionName(words, mission.id), points: number(words, mission.points) };
        if (claimed) return words.html('missions.done', name);
        if (progress >= mission.target) return words.html('missions.ready', name);
        return words.html('missions.open', { ...name, progress, target: mission.target });
      }),
    ),
    keyboard: keyboard(
      ...inRows(
        states.flatMap(({ mission, progress, claimed }, index) =>
          claimed || progress < mission.target
            ? []
            : [
                act(
                  words.text('btn.claim', { mission: missionName(words, mission.id) }),
                  POINTS,
                  `claim-${index}`,
                  stateId,
                ),
              ],
        ),
        1,
      ),
      [nav(words.text('btn.refresh'), POINTS, 'missions')],
      footer(words),
    ),
  };
}

export function historyView(
  words: Words,
  rows: readonly PointLine[],
  page: { readonly index: number; readonly more: boolean },
): View {
  return {
    text: lines(
      words.html('history.title'),
      html``,
      ...(rows.length === 0
        ? [words.html('history.none')]
        : rows.map((row) =>
            words.html('history.row', {
              day: utcDay(row.at),
              sign: row.points < 0n ? '−' : '+',
              points: number(words, row.points < 0n ? -row.points : row.points),
              what: reasonText(words, row),
            }),
          )),
    ),
    keyboard: keyboard(
      [
        page.index > 0 && nav(words.text('btn.newer'), POINTS, `history-${page.index - 1}`),
        page.more && nav(words.text('btn.older'), POINTS, `history-${page.index + 1}`),
      ],
      footer(words),
    ),
  };
}

function reasonText(words: Words, { reason, ref }: PointLine): Html {
  if (reason === 'points-mission')
    return words.html('history.points-mission', { mission: missionName(words, ref) });
  if (reason === 'points-season') return words.html('history.points-season', { season: ref });
  const key = `history.${reason}`;
  return words.has(key) ? words.html(key) : plain(reason);
}

export function boardView(
  words: Words,
  facts: { readonly rows: readonly BoardRow[]; readonly userId: string; readonly name: string | null },
): View {
  return {
    text: lines(
      words.html('board.title'),
      html``,
      ...(facts.rows.length === 0
        ? [words.html('board.none')]
        : facts.rows.map((row) =>
            words.html('board.row', {
              place: row.place,
              // Shown as code: no automatic link or mention.
              name: html`${row.name === null ? plain(words.text('board.anonymous')) : code(row.name)}${
                row.userId === facts.userId ? ` (${words.text('board.you')})` : ''
              }`,
              points: number(words, row.points),
            }),
          )),
    ),
    keyboard: keyboard(
      [
        facts.name === null
          ? nav(words.text('btn.board_join'), POINTS, 'join')
          : nav(words.text('btn.board_leave'), POINTS, 'leave'),
        nav(words.text('btn.refresh'), POINTS, 'board'),
      ],
      footer(words),
    ),
  };
}

export function rulesView(words: Words, rules: PointRules, season: Season): View {
  const { mining } = rules;
  return {
    text: words.html('rules.text', {
      version: rules.version,
      tap: mining.pointsPerTap,
      energy: mining.energyMax,
      refill: mining.refillPerHour,
      cap: mining.dailyCap,
      fast: mining.leastTapMs,
      fee: solText(words, rules.lamportsPerPoint),
      token: rules.perIntent['create-token'] ?? 0,
      launch: rules.perIntent['launch'] ?? 0,
      season: season.number,
      end: utcDay(season.until),
      carry: percentText(words, rules.seasonCarryBps),
    }),
    keyboard: keyboard(footer(words)),
  };
}

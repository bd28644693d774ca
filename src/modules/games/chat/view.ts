import type { Words } from '../../../compose/texts/words.ts';
import { amountText, percentText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import {
  act,
  type ButtonSpec,
  inRows,
  keyboard,
  link,
  nav,
  ticked,
} from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { type Round, rollOf, sectorOf } from '../rules/round.ts';
import { type GameTable, houseEdge } from '../rules/tables.ts';

export const GAMES_FEATURE = 'games';

/** Stakes with a button of their own. */
export const COIN_STAKES = [10n, 50n, 100n] as const;

const number = (words: Words, points: bigint): string => amountText(words, points, 0);

const footer = (words: Words, back: 'points' | 'games'): readonly ButtonSpec[] => [
  nav(words.text('btn.back'), back, 'open'),
  nav(words.text('btn.home'), 'home', 'open'),
];

/** While games are switched off. */
export function comingView(words: Words): View {
  return { text: words.html('games.coming'), keyboard: keyboard(footer(words, 'points')) };
}

export function gamesView(words: Words, points: bigint, tables: readonly GameTable[]): View {
  const edges = [...new Set(tables.map((table) => percentText(words, houseEdge(table))))];
  return {
    text: words.html('games.title', { points: number(words, points), edge: edges.join(' / ') }),
    keyboard: keyboard(
      [
        nav(words.text('btn.coin'), GAMES_FEATURE, 'coin'),
        nav(words.text('btn.wheel'), GAMES_FEATURE, 'wheel'),
      ],
      [nav(words.text('btn.fair'), GAMES_FEATURE, 'fair')],
      footer(words, 'points'),
    ),
  };
}

export function fairView(words: Words): View {
  return { text: words.html('games.fair'), keyboard: keyboard(footer(words, 'games')) };
}

type Standing = {
  readonly points: bigint;
  readonly table: GameTable;
  readonly round: Round;
  /** Staked at this game today. */
  readonly today: bigint;
  readonly stateId: string;
};

const commitmentText = (words: Words, round: Round): Html =>
  words.html('game.commitment', { round: code(round.id), commitment: code(round.commitment) });

export function coinView(words: Words, facts: Standing & { readonly stake: bigint }): View {
  const { table, stake, stateId } = facts;
  return {
    text: lines(
      words.html('coin.title', { points: number(words, facts.points) }),
      words.html('coin.rule', {
        stake: number(words, stake),
        win: number(words, (stake * BigInt(table.payTenths[0] ?? 0)) / 10n),
        edge: percentText(words, houseEdge(table)),
        min: number(words, table.stake.min),
        max: number(words, table.stake.max),
        step: number(words, table.stake.step),
        day: number(words, table.dailyStake),
        today: number(words, facts.today),
      }),
      html``,
      commitmentText(words, facts.round),
    ),
    keyboard: keyboard(
      [
        ...COIN_STAKES.map((points, index) =>
          act(ticked(number(words, points), points === stake), GAMES_FEATURE, `stake-${index}`, stateId),
        ),
        nav(words.text('btn.other_stake'), GAMES_FEATURE, 'other'),
      ],
      [
        act(words.text('btn.heads'), GAMES_FEATURE, 'flip-0', stateId),
        act(words.text('btn.tails'), GAMES_FEATURE, 'flip-1', stateId),
      ],
      [nav(words.text('btn.fair'), GAMES_FEATURE, 'fair')],
      footer(words, 'games'),
    ),
  };
}

/** `5 × 1, 2 × 2 …`: the payout of the sectors, most first. */
function paysText(words: Words, { payTenths }: GameTable): string {
  const counts = new Map<number, number>();
  for (const tenths of payTenths) counts.set(tenths, (counts.get(tenths) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => b - a)
    .map(([tenths, count]) => `${count} × ${amountText(words, BigInt(tenths), 1)}`)
    .join(', ');
}

export function wheelView(words: Words, facts: Standing): View {
  const { table, stateId } = facts;
  const isPlayed = facts.today >= table.dailyStake;
  const turns = table.payTenths.map((_tenths, index) =>
    act(`${index + 1}`, GAMES_FEATURE, `spin-${index}`, stateId),
  );
  return {
    text: lines(
      words.html('wheel.title', { points: number(words, facts.points) }),
      words.html('wheel.rule', {
        stake: number(words, table.stake.min),
        sectors: table.payTenths.length,
        pays: paysText(words, table),
        edge: percentText(words, houseEdge(table)),
      }),
      html``,
      isPlayed ? words.html('wheel.played') : commitmentText(words, facts.round),
    ),
    keyboard: keyboard(
      ...(isPlayed ? [] : inRows(turns, 8)),
      [nav(words.text('btn.fair'), GAMES_FEATURE, 'fair')],
      footer(words, 'games'),
    ),
  };
}

export function resultView(
  words: Words,
  facts: {
    readonly round: Round;
    readonly table: GameTable;
    readonly points: bigint;
    readonly url: string | null;
    /** Behind "play again"; null where there is no again today. */
    readonly stateId: string | null;
  },
): View {
  const { round, url, stateId } = facts;
  return {
    text: lines(
      outcomeText(words, round, facts.table),
      words.html('game.balance', { points: number(words, facts.points) }),
      html``,
      words.html('game.revealed', {
        round: code(round.id),
        seed: code(round.result?.seed ?? ''),
        commitment: code(round.commitment),
      }),
    ),
    keyboard: keyboard(
      [
        stateId !== null && act(words.text('btn.play_again'), GAMES_FEATURE, 'again', stateId),
        url !== null && link(words.text('btn.check_round'), url),
      ],
      [nav(words.text('btn.fair'), GAMES_FEATURE, 'fair')],
      footer(words, 'games'),
    ),
  };
}

function outcomeText(words: Words, { bet, result }: Round, table: GameTable): Html {
  if (bet === null || result === null) throw new RangeError('games: a result view needs a settled round');
  const stake = number(words, bet.points);
  const payout = number(words, result.payout);
  const face = (side: number): string => words.text(side === 0 ? 'game.heads' : 'game.tails');
  const roll = rollOf(table, result.seed);
  if (table.game === 'coin') {
    const up = face(roll);
    const shown = `${up.charAt(0).toUpperCase()}${up.slice(1)}`;
    return result.payout > 0n
      ? words.html('coin.won', { face: shown, payout, stake })
      : words.html('coin.lost', { face: shown, guess: face(bet.choice), stake });
  }
  const where = { sector: sectorOf(table, result.seed, bet.choice) + 1, turn: bet.choice + 1, stake };
  return result.payout > 0n ? words.html('wheel.won', { ...where, payout }) : words.html('wheel.lost', where);
}

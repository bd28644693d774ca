import type { Words } from '../../../compose/texts/words.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { exitsText } from '../../settings/chat/exits-text.ts';
import { WRITTEN_EXITS } from '../../settings/chat/exits-written.ts';
import {
  type ExitSet,
  hasExits,
  sameExits,
  type Take,
  withDevSells,
  withLiquidity,
} from '../../settings/rules/exit-set.ts';

const WHOLE = 10_000;
const TAKES: readonly (readonly Take[])[] = [
  [],
  ...[2_500, 5_000, 10_000, 30_000].map((atBps) => [{ atBps, shareBps: WHOLE }]),
];
type Stop = Pick<ExitSet, 'stopBps' | 'trailBps'>;
const stop = (stopBps: number | null, trailBps: number | null): Stop => ({ stopBps, trailBps });
const STOPS: readonly Stop[] = [
  stop(null, null),
  ...[1_000, 2_000, 3_000, 5_000].map((below) => stop(below, null)),
  stop(null, 1_500),
];

export type ExitChoice = 'takes' | 'stop' | 'dev' | 'liquidity';

/**
 * The next choice of one of the buttons: none, the person's own exits, then the buttons' choices. An event is the person's own or none.
 */
export function nextExits(exits: ExitSet, which: ExitChoice, own: ExitSet): ExitSet {
  if (which === 'dev') return withDevSells(exits, exits.devSells !== true);
  if (which === 'liquidity')
    return withLiquidity(exits, exits.liquidityBps === undefined ? (own.liquidityBps ?? null) : null);
  const choices = (all: readonly ExitSet[], mine: ExitSet): readonly ExitSet[] => {
    const [none, ...rest] = all;
    const others = all.some((one) => sameExits(one, mine)) ? [] : [mine];
    return none === undefined ? others : [none, ...others, ...rest];
  };
  const next = (all: readonly ExitSet[]): ExitSet =>
    all[(all.findIndex((one) => sameExits(one, exits)) + 1) % all.length] ?? exits;
  return which === 'takes'
    ? next(
        choices(
          TAKES.map((takes) => ({ ...exits, takes })),
          { ...exits, takes: own.takes },
        ),
      )
    : next(
        choices(
          STOPS.map((one) => ({ ...exits, ...one })),
          { ...exits, ...stop(own.stopBps, own.trailBps) },
        ),
      );
}

/** The exits behind a button; null for a payload of another release. */
export function exitsOf(written: unknown): ExitSet | null {
  const { data } = WRITTEN_EXITS.safeParse(written);
  return data ?? null;
}

/** One line about the exits of the purchase; null where there are none. */
export function exitsLine(words: Words, exits: ExitSet): Html | null {
  return hasExits(exits) ? words.html('trade.exits', { exits: exitsText(words, exits) }) : null;
}

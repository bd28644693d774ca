import { z } from 'zod';
import type { Words } from '../../../compose/texts/words.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { exitsText } from '../../settings/chat/exits-text.ts';
import { type ExitSet, hasExits, isExitSet, sameExits, type Take } from '../../settings/rules/exit-set.ts';

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

/** The next choice of one of the two buttons: none, the person's own exits, then the buttons' choices. */
export function nextExits(exits: ExitSet, which: 'takes' | 'stop', own: ExitSet): ExitSet {
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

const WRITTEN = z
  .object({
    takes: z.array(z.object({ atBps: z.int(), shareBps: z.int() })),
    stopBps: z.int().nullable(),
    trailBps: z.int().nullable(),
  })
  .refine(isExitSet);

/** The exits behind a button; null for a payload of another release. */
export const exitsOf = (written: unknown): ExitSet | null => WRITTEN.safeParse(written).data ?? null;

/** One line about the exits of the purchase; null where there are none. */
export function exitsLine(words: Words, exits: ExitSet): Html | null {
  return hasExits(exits) ? words.html('trade.exits', { exits: exitsText(words, exits) }) : null;
}

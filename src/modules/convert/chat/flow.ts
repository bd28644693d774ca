import { z } from 'zod';
import { bpsFloor } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { units } from '../../../platform/telegram/dialog/fields.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import { amountText } from '../../../platform/telegram/ui/amounts.ts';
import { readAmount } from '../../../platform/telegram/ui/read-amount.ts';
import { CONVERT_MINIMUM } from '../rules.ts';

const POINTS = z.object({ points: units });

/** Asks how many points are given. */
export function pointsForm(
  facts: {
    /** The person's points. Throws CONVERT_CLOSED. */
    readonly mayGive: (ctx: BotContext) => Promise<bigint>;
    readonly available: (ctx: BotContext) => Promise<bigint>;
  },
  taken: (ctx: BotContext, points: bigint) => Promise<void>,
) {
  return defineForm({
    id: 'convert_points',
    version: 2,
    act: 'points',
    draft: POINTS.partial(),
    whole: POINTS,
    steps: [
      {
        key: 'points',
        ask: async (ctx) => {
          const { turn } = ctx;
          const points = await facts.mayGive(ctx);
          return {
            text: turn.words.html('convert.ask', {
              min: amountText(turn.words, CONVERT_MINIMUM, 0),
              points: amountText(turn.words, points, 0),
            }),
            placeholder: turn.words.text('ask.convert'),
          };
        },
        read: async (ctx, typed) => {
          const amount = readAmount(typed, 0);
          const available = await facts.available(ctx);
          const points =
            amount.kind === 'exact'
              ? amount.units
              : amount.kind === 'max'
                ? available
                : bpsFloor(available, amount.bps);
          if (points > available) throw new AppError('POINTS_SHORT', { needed: points, available });
          if (points < CONVERT_MINIMUM) throw new AppError('CONVERT_MINIMUM', { min: CONVERT_MINIMUM });
          return { kind: 'taken', draft: { points } };
        },
      },
    ],
    finish: (ctx, { points }) => taken(ctx, points),
  });
}

import { z } from 'zod';
import { type ExitSet, isExitSet, withDevSells, withLiquidity } from '../rules/exit-set.ts';

/** Exits behind a button. A field that is absent is off, as in a row. */
export const WRITTEN_EXITS = z
  .object({
    takes: z.array(z.object({ atBps: z.int(), shareBps: z.int() })),
    stopBps: z.int().nullable(),
    trailBps: z.int().nullable(),
    devSells: z.literal(true).optional(),
    liquidityBps: z.int().optional(),
  })
  .transform(
    ({ devSells, liquidityBps, ...prices }): ExitSet =>
      withLiquidity(withDevSells(prices, devSells === true), liquidityBps ?? null),
  )
  .refine(isExitSet);

import { z } from 'zod';
import { units } from '../../../platform/telegram/dialog/fields.ts';
import { WRITTEN_EXITS } from '../../settings/chat/exits-written.ts';
import { ACCEPTABLE, type CopyRules } from '../rules/copy.ts';

/** The payload of a form's buttons: the rules as they are on the screen, and the copy that they would change. */
export const DRAFT = z.object({
  followId: z.string(),
  walletId: z.string(),
  /** Of the copy on the screen; null where there is none. */
  version: z.int().nullable(),
  rules: z.object({
    size: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('fixed'), lamports: units }),
      z.object({ kind: z.literal('share'), percent: z.int() }),
    ]),
    tradeLamports: units,
    dayLamports: units,
    totalLamports: units,
    leastLamports: units,
    each: z.boolean(),
    young: z.boolean(),
    accepted: z.array(z.enum(ACCEPTABLE)),
    exits: WRITTEN_EXITS,
  }),
});

export type Draft = {
  readonly followId: string;
  readonly walletId: string;
  readonly version: number | null;
  readonly rules: CopyRules;
};

/** The numbers of the rules that are typed. */
export const TYPED = ['size', 'trade', 'day', 'total', 'least'] as const;
export type Typed = (typeof TYPED)[number];

import { z } from 'zod';
import { ACCEPTABLE, type CopyRules } from '../../../modules/copying/rules/copy.ts';
import { SKIP_REASONS, type Skip } from '../../../modules/copying/rules/judge-copy.ts';
import { amount, change, exactly, flag, orNull, text } from './fields.ts';
import { jsonColumn } from './json-column.ts';
import { EXIT_SET } from './settings-json.ts';

const rules = exactly<CopyRules>({
  size: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('fixed'), lamports: amount }),
    z.strictObject({ kind: z.literal('share'), percent: z.int().min(1).max(100) }),
  ]),
  tradeLamports: amount,
  dayLamports: amount,
  totalLamports: amount,
  leastLamports: amount,
  each: flag,
  young: flag,
  accepted: z.array(z.enum(ACCEPTABLE)),
  exits: EXIT_SET,
});

const skip = exactly<Skip>({
  reason: z.enum(SKIP_REASONS),
  value: orNull(change),
  limit: orNull(change),
  code: orNull(text),
});

export const COPY_RULES = jsonColumn<CopyRules>('copies.rules', [rules, rules]);
/** The same two, of copies without money. */
export const PAPER_RULES = jsonColumn<CopyRules>('paper_copies.rules', [rules, rules]);
export const PAPER_SKIP = jsonColumn<Skip>('paper_copy_trades.skip', [skip, skip]);
export const COPY_SKIP = jsonColumn<Skip>('copy_trades.skip', [skip, skip]);

import { z } from 'zod';
import { address, amount, exactly, flag, tier } from '../../../../platform/db/json/fields.ts';
import type { WithdrawSolParams } from './params.ts';

export const row = exactly<WithdrawSolParams>({
  kind: z.literal('withdraw-sol'),
  destination: address,
  lamports: amount,
  everything: flag,
  tier,
});

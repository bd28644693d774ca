import { z } from 'zod';
import { address, amount, exactly, orAbsent, orNull, tier } from '../../../../platform/db/json/fields.ts';
import type { WithdrawTokenParams } from './params.ts';

export const row = exactly<WithdrawTokenParams>({
  kind: z.literal('withdraw-token'),
  mint: address,
  tokenProgram: address,
  decimals: z.int().min(0).max(255),
  destination: address,
  amount,
  tier,
  worth: orAbsent(orNull(amount)),
});

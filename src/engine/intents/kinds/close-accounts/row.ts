import { z } from 'zod';
import { address, amount, exactly, tier } from '../../../../platform/db/json/fields.ts';
import { type CloseAccountsParams, type EmptyAccount, MOST_CLOSED } from './params.ts';

export const row = exactly<CloseAccountsParams>({
  kind: z.literal('close-accounts'),
  accounts: z
    .array(exactly<EmptyAccount>({ account: address, tokenProgram: address, feeMint: address.optional() }))
    .min(1)
    .max(MOST_CLOSED),
  rentLamports: amount,
  tier,
});

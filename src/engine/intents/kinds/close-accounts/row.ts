import { z } from 'zod';
import { address, amount, exactly, tier } from '../../../../platform/db/json/fields.ts';
import { type CloseAccountsParams, type EmptyAccount, type ExcessAccount, MOST_CLOSED } from './params.ts';

export const row = exactly<CloseAccountsParams>({
  kind: z.literal('close-accounts'),
  accounts: z
    .array(exactly<EmptyAccount>({ account: address, tokenProgram: address, feeMint: address.optional() }))
    .max(MOST_CLOSED),
  excess: z
    .array(exactly<ExcessAccount>({ account: address, tokenProgram: address }))
    .min(1)
    .max(MOST_CLOSED)
    .optional(),
  rentLamports: amount,
  tier,
});

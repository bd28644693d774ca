import { z } from 'zod';
import { address, amount, exactly, text } from '../../../../platform/db/json/fields.ts';
import type { PayoutParams } from './params.ts';

export const row = exactly<PayoutParams>({
  kind: z.literal('payout'),
  items: z.array(
    exactly<PayoutParams['items'][number]>({ inviterId: text, recipient: address, lamports: amount }),
  ),
});

import { z } from 'zod';
import type { TipTerms } from '../../../engine/intents/rules/tip-terms.ts';
import { TIPPED_SENDERS } from '../../ports/sender.ts';
import { address, amount, exactly, flag } from './fields.ts';

/** The tip of a trade or a launch, as it was confirmed. */
export const TIP = exactly<TipTerms>({
  sender: z.enum(TIPPED_SENDERS),
  protects: flag,
  to: address,
  lamports: amount,
  atMost: amount,
});

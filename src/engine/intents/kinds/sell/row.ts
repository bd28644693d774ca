import { z } from 'zod';
import { address, amount, exactly, orAbsent, tier } from '../../../../platform/db/json/fields.ts';
import { ORDER_CHILD } from '../../../../platform/db/json/order-json.ts';
import { OLDER_TERMS, TERMS } from '../../../../platform/db/json/terms-json.ts';
import { TIP } from '../../../../platform/db/json/tip-json.ts';
import type { SellParams } from './params.ts';

const rowWith = (terms: typeof TERMS) =>
  exactly<SellParams>({
    kind: z.literal('sell'),
    mint: address,
    amountIn: amount,
    terms,
    tier,
    tip: orAbsent(TIP),
    quotedSlot: orAbsent(amount),
    order: ORDER_CHILD,
  });

export const row = rowWith(TERMS);
/** Rows from before a trade could pass through other tokens. */
export const unversionedRow = rowWith(OLDER_TERMS);

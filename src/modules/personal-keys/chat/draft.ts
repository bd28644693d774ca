import type { Address } from '@tradepost/solana';
import { z } from 'zod';
import { address, text, units } from '../../../platform/telegram/dialog/fields.ts';
import { KEY_DAYS, type KeyTerms, RIGHTS } from '../rules/personal-key.ts';

/** The payload of a form's buttons: the key as it is on the screen. */
export const DRAFT = z.object({
  walletId: text,
  publicKey: address,
  days: z.literal(KEY_DAYS),
  terms: z.object({
    rights: z.array(z.enum(RIGHTS)),
    orderLamports: units,
    dayLamports: units,
    tokens: z.array(address).nullable(),
    ips: z.array(text).nullable(),
  }),
});

export type Draft = {
  readonly walletId: string;
  readonly publicKey: Address;
  readonly days: (typeof KEY_DAYS)[number];
  readonly terms: KeyTerms;
};

/** The parts of a draft that are typed. */
export const TYPED = ['order', 'day', 'tokens', 'ips'] as const;
export type Typed = (typeof TYPED)[number];

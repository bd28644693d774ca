import { z } from 'zod';

/** How many tokens a list holds, and by default. */
export const limitField = (most: number, usual: number) => {
  const error = `expected a whole number from 1 to ${most}`;
  return z
    .string({ error })
    .regex(/^[1-9]\d{0,2}$/, { error })
    .refine((text) => Number(text) <= most, { error })
    .default(String(usual));
};

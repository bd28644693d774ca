import { z } from 'zod';
import { AppError } from '../../../core/errors/app-error.ts';
import { address, text, units } from '../../../platform/telegram/dialog/fields.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';

const flag = z.boolean();

/** The wallet that makes the token. */
const CREATOR = z.object({ walletId: text, wallet: address, walletName: text });

/** Where the token's picture and words come from: nowhere, a document of the creator's own, or a picture that is kept here. */
const PICTURE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('own'), uri: text }),
  z.object({ kind: z.literal('kept'), uri: text }),
]);

/**
 * The wizards' questions. An answer that the mint engine judges stays a request in a person's words (`draft.ts`), so that there is one
 * judge and one sentence for each fault. Every other answer is read once, at its question.
 */
export const DRAFT = CREATOR.extend({
  type: text,
  symbol: text,
  name: text,
  picture: PICTURE,
  /** The description came with the picture. */
  captioned: flag,
  description: text,
  links: text,
  decimals: z.int(),
  /** Whole tokens, as decimal digits. */
  supply: text,
  to: text,
  mint_authority: flag,
  freeze_authority: flag,
  update_authority: flag,
  fee: text,
  interest: text,
  delegate: text,
  close: text,
  frozen: flag,
  soulbound: flag,
})
  .partial()
  .required({ walletId: true, wallet: true, walletName: true });
export type Draft = z.infer<typeof DRAFT>;

/** A launch besides: the launchpads, the chosen one, and the first buy. */
export const LAUNCH_DRAFT = DRAFT.extend({
  pads: z.array(z.object({ name: text, label: text })),
  pad: text.optional(),
  firstBuyLamports: units.optional(),
});
export type LaunchDraft = z.infer<typeof LAUNCH_DRAFT>;

/** The draft in the row behind a button. A button without one is of another make: BUTTON_STALE. */
export function draftBehind<D>(state: TapState | null, schema: z.ZodType<D, unknown>): D {
  const found = z.object({ draft: schema }).safeParse(state?.payload);
  if (!found.success) throw new AppError('BUTTON_STALE', {});
  return found.data.draft;
}

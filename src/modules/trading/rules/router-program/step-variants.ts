import type { Instruction } from '@tradepost/solana';
import { type StepVariant, VENUES } from '@tradepost/venues/forms';

/** The kinds of step that the venues declare. A venue without one takes part in direct instructions alone. */
export const STEP_VARIANTS: readonly StepVariant[] = VENUES.flatMap(({ steps }) => steps);

/** A venue's swap instruction as a step: its kind and the bytes behind the tag. Null when it has no kind. */
export function variantOf({
  programId,
  accounts,
  data,
}: Instruction): { readonly variant: StepVariant; readonly fields: readonly number[] } | null {
  const variant = STEP_VARIANTS.find(
    ({ program, discriminator, dataBytes }) =>
      program === programId &&
      data.length === dataBytes &&
      discriminator.every((byte, index) => data[index] === byte),
  );
  if (variant === undefined) return null;
  const more = accounts.length - variant.accounts;
  if (more < 0 || more > variant.moreAccounts) return null;
  const fields = variant.fieldsOf(data);
  return fields === null ? null : { variant, fields };
}

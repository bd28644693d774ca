import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';
import type { CreateTokenParams } from '../create-token/params.ts';

/**
 * The first half of a creation that is more than one transaction holds: the mint with its extensions and metadata, and no
 * supply. When it is final the second half is an intent of its own, written in the same commit.
 */
export type PrepareTokenParams = {
  readonly kind: 'prepare-token';
  /** The whole creation as it was agreed. */
  readonly creation: CreateTokenParams;
  readonly tier: PriorityTier;
};

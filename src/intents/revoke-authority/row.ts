import { z } from 'zod';
import { address, exactly, orNull, tier } from '../../adapters/db/json/fields.ts';
import { REVOCABLE_AUTHORITIES } from '../../core/mint/instructions/revoke-authority.ts';
import type { RevokeAuthorityParams } from './params.ts';

export const row = exactly<RevokeAuthorityParams>({
  kind: z.literal('revoke-authority'),
  mint: address,
  tokenProgram: address,
  authority: z.enum(REVOCABLE_AUTHORITIES),
  record: orNull(address),
  tier,
});

import { z } from 'zod';
import { REVOCABLE_AUTHORITIES } from '../../../../modules/mint/rules/instructions/revoke-authority.ts';
import { address, exactly, orNull, tier } from '../../../../platform/db/json/fields.ts';
import type { RevokeAuthorityParams } from './params.ts';

export const row = exactly<RevokeAuthorityParams>({
  kind: z.literal('revoke-authority'),
  mint: address,
  tokenProgram: address,
  authority: z.enum(REVOCABLE_AUTHORITIES),
  record: orNull(address),
  tier,
});

import type { Address } from '@tradepost/solana';
import type { RevocableAuthority } from '../../../../modules/mint/rules/instructions/revoke-authority.ts';
import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';

export type RevokeAuthorityParams = {
  readonly kind: 'revoke-authority';
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly authority: RevocableAuthority;
  /** The mint's Metaplex record, where `update` means that; null for metadata inside the mint. */
  readonly record: Address | null;
  readonly tier: PriorityTier;
};

import type { Address, MetadataWay } from '@tradepost/solana';
import type { TokenSpec } from './token-spec.ts';

/**
 * A power over the people who hold the token, or a rule that acts on them, with its holder; `holder` null = the mint's own rule, no
 * person's choice. Each transport has one sentence per code.
 */
export type TokenPower = {
  readonly code: TokenPowerCode;
  readonly holder: Address | null;
};

export type TokenPowerCode =
  | 'MINT_MORE'
  | 'FREEZE'
  | 'CHANGE_METADATA'
  | 'CHANGE_TRANSFER_FEE'
  | 'COLLECT_TRANSFER_FEE'
  | 'TAKE_OR_BURN'
  | 'BORN_FROZEN'
  | 'CHANGE_INTEREST'
  | 'CLOSE_MINT'
  | 'NON_TRANSFERABLE';

/** Every power over holders that the finished token leaves with a holder, gravest first. */
export function tokenPowers(spec: TokenSpec, creator: Address, way: MetadataWay): readonly TokenPower[] {
  const { extensions } = spec;
  const powers: (readonly [TokenPowerCode, Address | null | false])[] = [
    ['TAKE_OR_BURN', extensions.permanentDelegate ?? false],
    ['BORN_FROZEN', extensions.defaultAccountState === 'frozen' && creator],
    ['FREEZE', spec.freezeAuthority && creator],
    ['MINT_MORE', spec.mintAuthority && creator],
    ['CHANGE_TRANSFER_FEE', extensions.transferFee?.configAuthority ?? false],
    ['COLLECT_TRANSFER_FEE', extensions.transferFee?.withdrawalAuthority ?? false],
    ['CHANGE_INTEREST', extensions.interest?.authority ?? false],
    ['CLOSE_MINT', extensions.mintCloseAuthority ?? false],
    ['CHANGE_METADATA', way !== 'none' && spec.updateAuthority && creator],
    ['NON_TRANSFERABLE', extensions.nonTransferable ? null : false],
  ];
  return powers.flatMap(([code, holder]) => (holder === false ? [] : [{ code, holder }]));
}

import type { Address } from '@tradepost/solana';
import type { TokenMetadataRecord, TokenRecord } from '../../../platform/ports/token-records.ts';
import type { SafetyLevel } from '../../tokens/rules/safety.ts';

/** The three that a creator keeps or gives up. */
export const PASSPORT_AUTHORITIES = ['mint', 'freeze', 'update'] as const;
export type PassportAuthority = (typeof PASSPORT_AUTHORITIES)[number];

/** A transaction that proves something, and when it was. */
export type Proof = { readonly signature: string; readonly at: number };

export type AuthorityState = {
  /** The address that may use it now; null = none, for good. */
  readonly holder: Address | null;
  /** The transaction that gave it up, where this desk sent it or found it on the chain. */
  readonly revoked: Proof | null;
};

/** One thing that a person can do to holders, or that the token does by itself. `holder` null = its own rule. */
export type PassportPower =
  | { readonly code: 'TAKE_OR_BURN'; readonly holder: Address }
  | { readonly code: 'RUN_HOOK'; readonly holder: Address }
  | { readonly code: 'BORN_FROZEN'; readonly holder: null }
  | { readonly code: 'NON_TRANSFERABLE'; readonly holder: null }
  | {
      readonly code: 'TRANSFER_FEE';
      readonly holder: null;
      readonly bps: number;
      readonly nextBps: number | null;
    }
  | { readonly code: 'CHANGE_TRANSFER_FEE'; readonly holder: Address }
  | { readonly code: 'COLLECT_TRANSFER_FEE'; readonly holder: Address }
  | { readonly code: 'INTEREST'; readonly holder: null; readonly bps: number }
  | { readonly code: 'CHANGE_INTEREST'; readonly holder: Address }
  | { readonly code: 'CLOSE_MINT'; readonly holder: Address }
  | { readonly code: 'PAUSE'; readonly holder: Address | null }
  | { readonly code: 'CONFIDENTIAL_TRANSFER'; readonly holder: null };

/** This desk's own facts, beside the chain, about tokens that were made or launched here. */
export type TokenOrigin = {
  readonly creator: Address;
  /** Has the shop's badge. Bought with points: it says nothing about the token. */
  readonly hasBadge: boolean;
  readonly created: Proof;
  /** The link that it was made with, and the hash of the document behind it where we store that. */
  readonly uri: string;
  readonly metadataHash: string | null;
  readonly revocations: Readonly<Partial<Record<PassportAuthority, Proof>>>;
  readonly launch: { readonly pad: string; readonly firstBuyLamports: bigint } | null;
  /** Newest first. */
  readonly otherTokens: readonly { readonly mint: Address; readonly symbol: string; readonly name: string }[];
};

/** How far a launch came; null where it was not launched, or is not known here. */
export type LaunchState = { readonly pad: string; readonly percent: number; readonly graduated: boolean };

/** The stored document behind the token's link, as far as it can be trusted to be text and links. */
export type PassportDocument = {
  /** Of the document's bytes. */
  readonly sha256: string;
  readonly description: string;
  readonly links: readonly { readonly name: string; readonly url: string }[];
  /** Path of a picture that we serve, or null. */
  readonly picture: string | null;
};

export type Passport = {
  readonly record: TokenRecord;
  readonly level: SafetyLevel;
  readonly authorities: Readonly<Record<PassportAuthority, AuthorityState>>;
  readonly metadata: TokenMetadataRecord | null;
  readonly document: PassportDocument | null;
  readonly powers: readonly PassportPower[];
  readonly origin: TokenOrigin | null;
  readonly launch: LaunchState | null;
};

/** Every power of the mint over its holders as it is now, gravest first. */
export function passportPowers(record: TokenRecord, epoch: bigint): readonly PassportPower[] {
  const { extensions } = record.token;
  const powers: PassportPower[] = [];
  const held = (
    code:
      | 'TAKE_OR_BURN'
      | 'RUN_HOOK'
      | 'CHANGE_TRANSFER_FEE'
      | 'COLLECT_TRANSFER_FEE'
      | 'CHANGE_INTEREST'
      | 'CLOSE_MINT',
    holder: Address | null | undefined,
  ): void => {
    if (holder !== null && holder !== undefined) powers.push({ code, holder });
  };
  held('TAKE_OR_BURN', extensions.permanentDelegate);
  held('RUN_HOOK', extensions.transferHook);
  if (extensions.defaultFrozen) powers.push({ code: 'BORN_FROZEN', holder: null });
  if (extensions.nonTransferable) powers.push({ code: 'NON_TRANSFERABLE', holder: null });
  if (extensions.transferFee !== null) {
    const { older, newer, newerEpoch, authority } = extensions.transferFee;
    const now = epoch >= newerEpoch ? newer : older;
    const nextBps = epoch < newerEpoch && newer.bps !== older.bps ? newer.bps : null;
    powers.push({ code: 'TRANSFER_FEE', holder: null, bps: now.bps, nextBps });
    held('CHANGE_TRANSFER_FEE', authority);
    held('COLLECT_TRANSFER_FEE', record.feeCollector);
  }
  if (extensions.pausable) powers.push({ code: 'PAUSE', holder: record.pauser });
  held('CLOSE_MINT', extensions.mintCloseAuthority);
  if (record.interest !== null) {
    powers.push({ code: 'INTEREST', holder: null, bps: record.interest.bps });
    held('CHANGE_INTEREST', record.interest.authority);
  }
  if (extensions.confidentialTransfer) powers.push({ code: 'CONFIDENTIAL_TRANSFER', holder: null });
  return powers;
}

/** The three authorities as the chain says now, with proofs of those that are gone. The chain wins over notes from elsewhere. */
export function passportAuthorities(
  record: TokenRecord,
  proofs: TokenOrigin['revocations'],
): Passport['authorities'] {
  const state = (authority: PassportAuthority, holder: Address | null): AuthorityState => ({
    holder,
    revoked: holder === null ? (proofs[authority] ?? null) : null,
  });
  return {
    mint: state('mint', record.token.mintAuthority),
    freeze: state('freeze', record.token.freezeAuthority),
    update: state('update', record.metadata?.updateAuthority ?? null),
  };
}

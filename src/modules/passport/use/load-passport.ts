import type { Address } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { MetadataStore } from '../../../platform/ports/metadata-store.ts';
import type { TokenRecords } from '../../../platform/ports/token-records.ts';
import { tokenSafety, type WellKnownToken } from '../../tokens/rules/safety.ts';
import {
  type LaunchState,
  PASSPORT_AUTHORITIES,
  type Passport,
  passportAuthorities,
  passportPowers,
  type TokenOrigin,
} from '../rules/passport.ts';
import type { FindRevocations } from './find-revocations.ts';
import { documentHash, storedDocument } from './stored-document.ts';

export type PassportDeps = {
  readonly records: TokenRecords;
  readonly chain: Pick<Chain, 'epoch'>;
  readonly metadata: Pick<MetadataStore, 'find'>;
  readonly wellKnown: readonly WellKnownToken[];
  /** This desk's facts about a token that was made here. */
  readonly origin: (mint: Address) => Promise<TokenOrigin | null>;
  /** How far its launch came. */
  readonly launch: (mint: Address) => Promise<LaunchState | null>;
  /** The transactions that gave authorities up and of which this desk has no note. */
  readonly revocations: FindRevocations;
};

/**
 * The passport of any mint: facts from the chain as they are now, with proofs of the authorities given up. The proofs are those kept, for
 * tokens made here, and those that can be found. Null when the address is no mint. No link of the token is ever followed: a document or
 * picture counts when we store it. Throws CHAIN_UNREACHABLE.
 */
export async function loadPassport(deps: PassportDeps, mint: Address): Promise<Passport | null> {
  const [record, epoch, origin] = await Promise.all([
    deps.records.find(mint),
    deps.chain.epoch(),
    deps.origin(mint),
  ]);
  if (record === null) return null;
  const noted = passportAuthorities(record, origin?.revocations ?? {});
  const unproven = PASSPORT_AUTHORITIES.filter(
    (one) =>
      noted[one].holder === null &&
      noted[one].revoked === null &&
      (one !== 'update' || record.metadata !== null),
  );
  const [document, launch, found] = await Promise.all([
    storedDocument(deps.metadata, documentHash(record.metadata?.uri ?? '', origin)),
    deps.launch(mint),
    deps.revocations(mint, unproven),
  ]);
  return {
    record,
    level: tokenSafety(record.token, { epoch, wellKnown: deps.wellKnown }).level,
    authorities: passportAuthorities(record, { ...found, ...origin?.revocations }),
    metadata: record.metadata,
    document,
    powers: passportPowers(record, epoch),
    origin,
    launch,
  };
}

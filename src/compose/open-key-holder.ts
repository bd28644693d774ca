import type { Address } from '@tradepost/solana';
import type { TipRules } from '../engine/signing/rules/kind-policy.ts';
import { createBackups } from '../platform/backup/create-backups.ts';
import { createGameSeeds } from '../platform/games/game-seeds.ts';
import { loadGameSecret } from '../platform/games/load-game-secret.ts';
import { openBox, sealBox } from '../platform/gcm-box.ts';
import { createArgon2Pins } from '../platform/pin/argon2-pins.ts';
import { loadPepper } from '../platform/pin/pepper.ts';
import { createTotpCodes } from '../platform/pin/totp-codes.ts';
import type { Backups } from '../platform/ports/backups.ts';
import type { Certifier } from '../platform/ports/certificates.ts';
import type { Chain } from '../platform/ports/chain.ts';
import type { ConfirmationSeals } from '../platform/ports/confirmation-seals.ts';
import type { GameSeeds } from '../platform/ports/game-seeds.ts';
import type { KeyHolder } from '../platform/ports/key-holder.ts';
import type { LookupTables } from '../platform/ports/lookup-tables.ts';
import type { OneTimeCodes } from '../platform/ports/one-time-codes.ts';
import type { Pins } from '../platform/ports/pins.ts';
import type { Stores } from '../platform/ports/stores.ts';
import { loadSealedSecret, type SealedSecretDeps } from '../platform/sealed-secret.ts';
import { createCertifier } from '../platform/vault/certifier.ts';
import { createConfirmationSeals } from '../platform/vault/confirmation-seals.ts';
import { createVault } from '../platform/vault/create-vault.ts';
import type { Keyring } from '../platform/vault/kek.ts';
import { createKeyTransfer } from '../platform/vault/key-transfer.ts';

/** Authenticators show a code under this name. */
const ISSUER = 'Tradepost';

/** The secret behind the codes over confirmed intents: without it no row of an intent can be forged or changed. */
export function loadConfirmationSecret(deps: SealedSecretDeps): Promise<Uint8Array> {
  return loadSealedSecret(deps, 'confirmations');
}

export type KeyHolderOptions = {
  readonly keyring: Keyring;
  readonly db: Pick<Stores, 'wallets' | 'sealedSecrets'>;
  /** The signing policy's knowledge of this operator's exchanges. */
  readonly venuePrograms: readonly Address[];
  readonly aggregatorPrograms: readonly Address[];
  readonly routerProgram: boolean;
  /** Accounts that a tip may go to, and how much. */
  readonly tips: TipRules;
  readonly lookupTables: Pick<LookupTables, 'verified'>;
  /** Shows a wallet's holdings. */
  readonly chain: Pick<Chain, 'accounts' | 'rentExemption'>;
};

/** Everything that the master key opens. */
export type OpenedKeys = {
  readonly keys: KeyHolder;
  readonly pins: Pins;
  readonly codes: OneTimeCodes;
  readonly seals: ConfirmationSeals;
  readonly certifier: Certifier;
  readonly seeds: Pick<GameSeeds, 'seedOf'>;
  readonly backups: Backups;
};

/**
 * Opens the secrets that only the master key opens, for the one process that has it. Nothing in here reaches web3.js. Throws
 * SECRET_UNREADABLE when a secret of the service is under a key that is not on the ring, KEK_UNAVAILABLE.
 */
export async function openKeyHolder({ keyring, db, ...policy }: KeyHolderOptions): Promise<OpenedKeys> {
  const sealed = { keyring, store: db.sealedSecrets };
  const [pepper, games, confirmations] = await Promise.all([
    loadPepper(sealed),
    loadGameSecret(sealed),
    loadConfirmationSecret(sealed),
  ]);
  return {
    keys: createVault({ keyring, secrets: db.wallets, ...policy }),
    pins: createArgon2Pins({ pepper }),
    codes: createTotpCodes({ pepper, issuer: ISSUER, seal: sealBox, open: openBox }),
    seals: createConfirmationSeals(confirmations),
    certifier: createCertifier(confirmations),
    seeds: createGameSeeds(games),
    backups: createBackups({ keys: createKeyTransfer({ keyring, secrets: db.wallets }) }),
  };
}

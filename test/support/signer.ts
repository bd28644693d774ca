import { feesOf } from '../../src/engine/fees/rules/fee-table.ts';
import { confirmationText } from '../../src/engine/intents/rules/confirmation.ts';
import type { TipRules } from '../../src/engine/signing/rules/kind-policy.ts';
import { createSigner } from '../../src/engine/signing/use/create-signer.ts';
import type { SignerDeps } from '../../src/engine/signing/use/deps.ts';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { createBackups } from '../../src/platform/backup/create-backups.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import { createGameSeeds } from '../../src/platform/games/game-seeds.ts';
import type { Chain } from '../../src/platform/ports/chain.ts';
import type { Clock } from '../../src/platform/ports/clock.ts';
import type { KeyHolder, SigningRequest } from '../../src/platform/ports/key-holder.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import { createConfirmationSeals } from '../../src/platform/vault/confirmation-seals.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { type Keyring, keyring } from '../../src/platform/vault/kek.ts';
import { createKeyTransfer } from '../../src/platform/vault/key-transfer.ts';
import { localKek } from '../../src/platform/vault/local-kek.ts';
import { testCodes } from './fakes/codes.ts';
import { fakeJournal } from './fakes/journal.ts';
import { fakePins } from './fakes/pins.ts';
import { testSigning } from './fakes/signing.ts';

/** The codes of every `testSigner`. */
export const TEST_SEALS = createConfirmationSeals(new Uint8Array(32).fill(11));

/** The certificates of every `testSigner`. */
export const TEST_CERTIFIER = createCertifier(new Uint8Array(32).fill(11));

/** The real signer in this process, with keys of the tests' own and a fast hash for PINs; `given` comes last. */
export function testSigner(
  world: { readonly db: Database; readonly clock: Clock },
  given: Partial<SignerDeps> & {
    readonly ring?: Keyring;
    readonly chain?: Pick<Chain, 'accounts' | 'rentExemption'>;
    readonly tips?: TipRules;
  } = {},
): Vault {
  const { db, clock } = world;
  const { ring = keyring(localKek(new Uint8Array(32).fill(7))), chain, tips, ...deps } = given;
  const { signing, tries } = testSigning({ db, clock });
  return createSigner({
    signing,
    tries,
    keybook: fakeJournal(),
    db,
    clock,
    ids: randomIds(() => clock.now()),
    log: { error: () => undefined, warn: () => undefined },
    keys: createVault({
      keyring: ring,
      secrets: db.wallets,
      venuePrograms: [],
      ...(chain === undefined ? {} : { chain }),
      ...(tips === undefined ? {} : { tips }),
    }),
    pins: fakePins(),
    codes: testCodes(),
    seals: TEST_SEALS,
    signatureChecks: createSignatureChecks(),
    fees: feesOf(),
    certifier: TEST_CERTIFIER,
    guardRules: {
      ...LOCAL_RULES,
      payoutsLamports: 10n ** 15n,
      unprovedLamports: 10n ** 15n,
      dailyCapLamports: 10n ** 15n,
      allSpendingLamports: 10n ** 15n,
    },
    seeds: createGameSeeds(new Uint8Array(32).fill(3)),
    backups: createBackups({
      keys: createKeyTransfer({ keyring: ring, secrets: db.wallets }),
      cost: { n: 1_024, r: 8, p: 1 },
    }),
    ...deps,
  });
}

/** A vault for one intent that is stored nowhere: what the signer does after its own checks. */
export function signerOf(
  keys: Pick<KeyHolder, 'sign'>,
  request: Omit<SigningRequest, 'message'>,
): Pick<Vault, 'sign'> {
  return { sign: ({ message }) => keys.sign({ ...request, message }) };
}

type Confirming = Pick<Vault, 'confirm' | 'certifyOrders' | 'confirmFire'>;

const certifyOrders: Confirming['certifyOrders'] = async ({ orders }) =>
  orders.map((order) => TEST_CERTIFIER.order(order));

/** Confirms like a `testSigner`, and asks for nobody's PIN. */
export const WITHOUT_PIN: Confirming = {
  confirm: async (request) => TEST_SEALS.seal(confirmationText(request)),
  confirmFire: async (request) => TEST_SEALS.seal(confirmationText(request)),
  certifyOrders,
};

/** Says that everything was confirmed, for worlds whose signatures are no signatures. */
export const CONFIRMS: Confirming = {
  confirm: async () => 'confirmed',
  confirmFire: async () => 'confirmed',
  certifyOrders,
};

import { AppError } from '../../../core/errors/app-error.ts';
import { COPY_PREFIX } from '../../../modules/copying/rules/copy-trade.ts';
import { isKeyed } from '../../../modules/personal-keys/rules/key-use.ts';
import type { CertifiedKey, WalletOrigin, WalletSecret } from '../../../modules/wallets/rules/wallet.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { orderOf, rulesOf } from '../../intents/kinds/rules.ts';
import { confirmationText } from '../../intents/rules/confirmation.ts';
import { certifyAddress, certifyGuard, certifyStop } from './certify-guard.ts';
import { certifyKeyedOrder } from './certify-keyed-order.ts';
import { certifyOrders } from './certify-orders.ts';
import { certifyPersonalKey } from './certify-personal-key.ts';
import { certifyReceiving } from './certify-receiving.ts';
import { checkPin } from './check-pin.ts';
import { confirmCopy } from './confirm-copy.ts';
import { confirmFire } from './confirm-fire.ts';
import { confirmKeyed } from './confirm-keyed.ts';
import { confirmSecondFactor } from './confirm-second-factor.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';
import { endPersonalKey } from './end-personal-key.ts';
import { createKeyExports } from './key-exports.ts';
import { mandateCopy } from './mandate-copy.ts';
import { createSignIntent } from './sign-intent.ts';
import { withKeybook } from './write-key.ts';

/** Drafts are hashed under a name that no person has, so that no stored PIN can be compared as one. */
const draftOwner = (userId: string): string => `draft/${userId}`;

/** The key with the word for whose it is: this process made or opened it a moment ago. */
function certified(
  { certifier }: Pick<SignerDeps, 'certifier'>,
  secret: WalletSecret,
  origin: WalletOrigin,
): CertifiedKey {
  const { walletId: id, userId, publicKey: address } = secret;
  return { ...secret, certificate: certifier.wallet({ id, userId, address, origin }) };
}

/**
 * The signer: the `Vault` of the process that holds the master key. Everything that it is asked is checked against the
 * database here. Its journal holds the rest: signatures, and wrong PINs.
 */
export function createSigner(deps: SignerDeps): Vault {
  const { keys, pins, codes, seals, certifier, seeds, backups } = deps;
  const verifyPin: Vault['verifyPin'] = (input) => checkPin(deps, input);
  return {
    openPerson: async ({ telegramId, inviterId }) => {
      const userId = deps.ids.ulid();
      return { userId, certificate: certifier.person({ id: userId, telegramId, inviterId }) };
    },
    certificateKey: async () => certifier.publicKey,
    create: async ({ walletId, userId }) =>
      certified(deps, await withKeybook(deps, await keys.create({ walletId, userId })), 'made'),
    adopt: async (input) => certified(deps, await withKeybook(deps, await backups.adopt(input)), 'imported'),
    ...createKeyExports({ ...deps, verifyPin }),
    confirm: async (request, pin) => {
      const by = rulesOf(request.params.kind).confirmedBy;
      if (by === 'nobody') denySignature('unconfirmed');
      // Its order decides, not the caller.
      if (orderOf(request.params) !== null) denySignature('order-fire');
      if (request.idemKey.startsWith(COPY_PREFIX)) denySignature('copy-mandate');
      if (isKeyed(request.idemKey)) denySignature('personal-key');
      if (by === 'pin') {
        if (pin === null) throw new AppError('PIN_REQUIRED', {});
        await verifyPin({ userId: request.userId, pin });
      }
      return seals.seal(confirmationText(request));
    },
    certifyReceiving: (input) => certifyReceiving({ ...deps, verifyPin }, input),
    certifyGuard: (input) => certifyGuard(deps, input),
    certifyStop: (input) => certifyStop(deps, input),
    certifyAddress: (facts) => certifyAddress(deps, facts),
    certifyOrders: (input) => certifyOrders(deps, input),
    confirmFire: (request) => confirmFire(deps, request),
    mandateCopy: (input) => mandateCopy({ ...deps, verifyPin }, input),
    confirmCopy: (input) => confirmCopy(deps, input),
    certifyPersonalKey: (input) => certifyPersonalKey({ ...deps, verifyPin }, input),
    endPersonalKey: (input) => endPersonalKey(deps, input),
    confirmKeyed: (input) => confirmKeyed(deps, input),
    certifyKeyedOrder: (input) => certifyKeyedOrder(deps, input),
    sign: createSignIntent(deps),
    verifyPin,
    draft: ({ userId, text }) => pins.hash(text, draftOwner(userId)),
    isDrafted: ({ userId, draft, text }) => pins.verify(draft, text, draftOwner(userId)),
    pinOfDraft: async ({ userId, draft, pin }) =>
      (await pins.verify(draft, pin, draftOwner(userId))) ? pins.hash(pin, userId) : null,
    createSecondFactor: async ({ userId }) => codes.create(userId),
    showSecondFactor: async ({ userId, box, codes: recovery }) => ({
      uri: box === null ? null : codes.uri(box, userId),
      digests: recovery.map((code) => codes.recoveryDigest(userId, code)),
    }),
    confirmSecondFactor: (input) => confirmSecondFactor(deps, input),
    gameSeed: async (round) => seeds.seedOf(round),
  };
}

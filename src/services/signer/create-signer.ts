import { ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { assertNotFrozen } from '../../core/guard/freeze.ts';
import { confirmationText } from '../../core/intents/confirmation.ts';
import type { Vault } from '../../core/ports/vault.ts';
import { rulesOf } from '../../intents/rules.ts';
import { ownWallet } from '../wallets/own-wallet.ts';
import { checkPin } from './check-pin.ts';
import { confirmSecondFactor } from './confirm-second-factor.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';
import { createExportProofs } from './export-proof.ts';
import { createPinTries } from './pin-tries.ts';
import { createSignIntent } from './sign-intent.ts';

/** Drafts are hashed under a name that no person has, so that no stored PIN can be compared as one. */
const draftOwner = (userId: string): string => `draft/${userId}`;

/**
 * The signer: the `Vault` of the process that holds the master key. Everything that it is asked is checked against the
 * database here. Its only state is memory that may be lost: wrong PINs and used proofs.
 */
export function createSigner(deps: SignerDeps): Vault {
  const { keys, pins, codes, seals, seeds, backups } = deps;
  const tries = createPinTries(deps.clock);
  const proofs = createExportProofs(deps);
  const verifyPin: Vault['verifyPin'] = (input) => checkPin({ ...deps, tries }, input);
  return {
    create: ({ walletId, userId }) => keys.create({ walletId, userId }),
    adopt: (input) => backups.adopt(input),
    ...exporting(deps, { proofs, verifyPin }),
    confirm: async (request, pin) => {
      const by = rulesOf(request.params.kind).confirmedBy;
      if (by === 'nobody') denySignature('unconfirmed');
      if (by === 'pin') {
        if (pin === null) throw new AppError('PIN_REQUIRED', {});
        await verifyPin({ userId: request.userId, pin });
      }
      return seals.seal(confirmationText(request));
    },
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
    confirmSecondFactor: (input) => confirmSecondFactor({ ...deps, tries }, input),
    gameSeed: async (round) => seeds.seedOf(round),
  };
}

/** The way of a key out of the signer: the PIN, then once the file. */
function exporting(
  { db, clock, backups }: SignerDeps,
  {
    proofs,
    verifyPin,
  }: { readonly proofs: ReturnType<typeof createExportProofs>; readonly verifyPin: Vault['verifyPin'] },
): Pick<Vault, 'authorizeExport' | 'export'> {
  const actOf = async (input: { readonly userId: string; readonly walletId: string }) => {
    const guard = await db.guards.find(input.userId);
    if (guard.pinHash === null) throw new AppError('PIN_REQUIRED', {});
    assertNotFrozen(guard, clock.now());
    const wallet = await ownWallet(db.wallets, input);
    return { wallet, act: { userId: input.userId, walletId: wallet.id, pinHash: guard.pinHash } };
  };
  return {
    authorizeExport: async (input) => {
      await verifyPin(input);
      return proofs.make((await actOf(input)).act);
    },
    export: async (input) => {
      const { wallet, act } = await actOf(input);
      if (!proofs.use(input.proof, act)) throw new AppError('PIN_REQUIRED', {});
      const file = await backups.seal(wallet, input.passphrase);
      const details = { walletId: wallet.id, address: wallet.address };
      // Before anybody has it: a file that left without a line in the trail would be what the trail is for.
      await db.auditLog.record(ownAct(input.userId, clock.now(), 'wallet-exported', details));
      return file;
    },
  };
}

import { AppError } from '../../../core/errors/app-error.ts';
import type { Vault } from '../../../platform/ports/vault.ts';

/** The same vault, which signs nothing while `assertSafe` throws: a commit that is not safe allows no signature. */
export function guardSigning(vault: Vault, assertSafe: () => void): Vault {
  return {
    ...vault,
    sign: async (request) => {
      assertSafe();
      return vault.sign(request);
    },
  };
}

/**
 * The same vault, whose signatures leave only while `isHeld`, before the signing and after it: a process that slept past its lease keeps what
 * it signed. Throws SIGNER_UNAVAILABLE then.
 */
export function leasedSigning(vault: Vault, isHeld: () => boolean): Vault {
  const assertHeld = (): void => {
    if (!isHeld()) throw new AppError('SIGNER_UNAVAILABLE', { cause: 'the lease of this signer is over' });
  };
  return {
    ...vault,
    sign: async (request) => {
      assertHeld();
      const signature = await vault.sign(request);
      assertHeld();
      return signature;
    },
  };
}

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

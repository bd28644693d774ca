import { loadSealedSecret, type SealedSecretDeps } from '../sealed-secret.ts';

/** The pepper of all PINs: without it a dump would let anybody try the million PINs. */
export function loadPepper(deps: SealedSecretDeps): Promise<Uint8Array> {
  return loadSealedSecret(deps, 'pin-pepper');
}

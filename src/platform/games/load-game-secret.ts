import { loadSealedSecret, type SealedSecretDeps } from '../sealed-secret.ts';

/** What all seeds of games are derived from: without it the database does not tell how an open round will end. */
export function loadGameSecret(deps: SealedSecretDeps): Promise<Uint8Array> {
  return loadSealedSecret(deps, 'game-seeds');
}

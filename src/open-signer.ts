import { sha256 } from './adapters/games/game-seeds.ts';
import type { Adapters } from './adapters/index.ts';
import { openKeyHolder } from './adapters/open-key-holder.ts';
import { kekOptions, openKeyring } from './adapters/open-keyring.ts';
import { createSocketVault, type SocketVault } from './adapters/signer/socket-vault.ts';
import type { Config } from './config.ts';
import type { GameSeeds } from './core/ports/game-seeds.ts';
import type { Logger } from './core/ports/logger.ts';
import type { Vault } from './core/ports/vault.ts';
import { createSigner } from './services/signer/create-signer.ts';

/** How long a signer that starts at the same time is waited for. */
const PATIENCE_MS = 60_000;

/** The keys in this process, or the way to the process that has them. */
export type Keys = {
  readonly held:
    | { readonly keyring: Awaited<ReturnType<typeof openKeyring>> }
    | { readonly line: SocketVault };
  readonly close: () => void;
};

/** What of the rest of the program needs the master key. */
export type OpenedSigner = { readonly vault: Vault; readonly gameSeeds: GameSeeds };

/**
 * Opens the configured master key, or reaches the signer that holds it. Throws KEK_UNAVAILABLE, or SIGNER_UNAVAILABLE when no
 * signer answers within a minute.
 */
export async function openKeys(
  config: Config,
  { print, stopping }: { readonly print: (line: string) => void; readonly stopping: AbortSignal },
): Promise<Keys> {
  if (config.kek !== null || config.signerSocket === null) {
    const [current, ...older] = kekOptions(config);
    return { held: { keyring: await openKeyring(current, older) }, close: () => undefined };
  }
  const line = createSocketVault({ path: config.signerSocket });
  await line.ready(0).catch(async () => {
    print(`Waiting for the signer at ${config.signerSocket}…`);
    await line.ready(PATIENCE_MS, stopping);
  });
  return { held: { line }, close: line.close };
}

/** The vault as every role asks it. Throws SECRET_UNREADABLE when a secret of the service is under no key of the ring. */
export async function openSigner(keys: Keys, adapters: Adapters, log: Logger): Promise<OpenedSigner> {
  const vault =
    'line' in keys.held
      ? keys.held.line.vault
      : createSigner({
          ...adapters,
          log,
          ...(await openKeyHolder({
            ...adapters,
            keyring: keys.held.keyring,
            aggregatorPrograms: adapters.aggregators.flatMap(({ programs }) => programs),
          })),
        });
  return { vault, gameSeeds: { seedOf: (round) => vault.gameSeed(round), sha256 } };
}

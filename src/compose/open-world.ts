import { relative, resolve } from 'node:path';
import type { Config } from '../config/index.ts';

/** The embedded stand-ins that run beside the product. */
export type LocalWorld = Awaited<ReturnType<typeof import('../local/world.ts')['startWorld']>>;
type WorldOptions = Parameters<typeof import('../local/world.ts')['startWorld']>[0];

/**
 * Begins to start the embedded defaults that the configuration did not replace, or to attach to those of LOCAL_WORLD. Resolves when that is under way, so that the
 * caller can do other work meanwhile; `ready` resolves when they answer, to null when the configuration replaced them all.
 */
export async function openWorld(
  config: Config,
  print: (line: string) => void,
): Promise<{ readonly ready: Promise<LocalWorld | null> }> {
  // A role that needs no bot token has none to replace: in production nothing is played.
  if (config.production) return { ready: Promise.resolve(null) };
  const missing = {
    chain: config.rpcUrls === null,
    postgres: config.databaseUrl === null,
    telegram: config.telegramToken === null,
  };
  if (!missing.chain && !missing.postgres && !missing.telegram) return { ready: Promise.resolve(null) };
  const { startWorld, assertNotRunning } = await import('../local/world.ts');
  assertNotRunning(config.local.dir);
  print('Starting…');
  const options: WorldOptions = {
    dir: config.local.dir,
    nodeEnv: 'development',
    chain: missing.chain
      ? {
          port: config.local.chainPort,
          slotMs: config.local.slotMs,
          network: config.local.network,
          programsDir: config.local.programsDir,
          provider: config.local.provider,
        }
      : null,
    postgres: missing.postgres,
    cluster: { rpcUrl: config.rpcUrls?.[0] ?? null, mayBeMainnet: config.local.mayHoldRealKeys },
    mail: config.mail === null,
    telegram: missing.telegram
      ? {
          port: config.local.chatPort,
          databaseUrl: config.databaseUrl,
          rpcUrl: config.rpcUrls?.[0] ?? null,
          hasProductionMasterKey: !hasLocalKeys(config),
        }
      : null,
  };
  const { world } = config.local;
  if (world === null) return { ready: startWorld(options) };
  const { attachWorld } = await import('../local/attach-world.ts');
  return { ready: attachWorld(options, world) };
}

/** The key file of the local world, or a signer that listens inside its folder. */
function hasLocalKeys({ kek, signerSocket, local }: Config): boolean {
  if (kek !== null || signerSocket === null) return kek?.kind === 'local';
  const path = relative(resolve(local.dir), resolve(signerSocket));
  return path !== '' && !path.startsWith('..');
}

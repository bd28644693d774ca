import { join } from 'node:path';
import { CALLERS, type Caller, callsOf } from './callers.ts';
import type { ConnectionLog, VaultHolder } from './serve-connection.ts';
import { serveVault } from './serve-vault.ts';

/** Where a process finds the signer, below the folder of the sockets. */
function socketOf(folder: string, caller: Caller): string {
  return join(folder, caller, 'signer.sock');
}

/**
 * Serves a vault at a socket for each caller, in a folder of the caller's; its rights identify the caller. A call that is not the caller's
 * is refused. Throws the errors of `serveVault`, with none of the sockets left open.
 */
export async function serveCallers(
  holder: VaultHolder,
  { folder, log }: { readonly folder: string; readonly log: ConnectionLog },
): Promise<{ readonly stop: () => Promise<void> }> {
  const servers: { readonly stop: () => Promise<void> }[] = [];
  const stop = async (): Promise<void> =>
    void (await Promise.all(servers.splice(0).map((one) => one.stop())));
  try {
    for (const caller of CALLERS)
      servers.push(
        await serveVault(holder, {
          path: socketOf(folder, caller),
          log,
          only: { caller, calls: callsOf(caller) },
        }),
      );
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

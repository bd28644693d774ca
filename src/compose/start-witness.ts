import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { AppError } from '../core/errors/app-error.ts';
import { runBeat } from '../core/time/run-beat.ts';
import { pause } from '../platform/clock/clock.ts';
import { prepareFolder } from '../platform/journal/file-journal.ts';
import { lockFolder } from '../platform/journal/lock.ts';
import { createMirrorServer } from '../platform/journal/mirror/serve-mirror.ts';
import { createLogger } from '../platform/log/create-logger.ts';
import type { Logger } from '../platform/ports/logger.ts';
import { nameOf } from '../platform/signer/dial.ts';
import { onHangUp } from '../platform/signer/on-hang-up.ts';
import { serveTls } from '../platform/signer/serve-tls.ts';
import { nameIn } from '../platform/signer/tls-identity.ts';
import { serveProbes } from './serve-probes.ts';

/** Between two looks at the signer's silence, and the longest silence without a log line. */
const LOOK_MS = 5_000;
const MOST_SILENT_MS = 15_000;

/**
 * A copy of the signer's journal on a machine without the master key and without the database. It answers signers with a certificate of the
 * authority alone, and each line is on its disk before it is acknowledged. When it resolves, it answers. Throws CONFIG_INVALID, JOURNAL_TAKEN,
 * or the reason of `stopping` when it is aborted meanwhile.
 */
export async function startWitness(
  config: Config,
  tell: (line: string) => void,
  stopping: AbortSignal,
): Promise<{ readonly stop: () => Promise<void> }> {
  const { signerListen: listen, journalDir: folder } = config;
  if (listen === null)
    throw new AppError('CONFIG_INVALID', { problems: ['ROLES=witness needs SIGNER_LISTEN.'] });
  const root = createLogger(config.logLevel);
  const log = root.child({ module: 'witness' });
  const print = config.production ? (line: string): void => root.info({}, line) : tell;
  stopping.addEventListener('abort', () => print('Stopping…'), { once: true });
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const steadyMs = (): number => performance.now();
    const probes = config.health === null ? null : await serveProbes({ ...config.health, steadyMs });
    if (probes !== null) stops.push(probes.stop);
    await prepareFolder(folder);
    const lock = await lockFolder(folder);
    stops.push(lock.release);
    const mirror = createMirrorServer({
      name: await nameIn(listen.files),
      folder,
      refusal: () => null,
      steadyMs,
      now: Date.now,
      log,
    });
    stops.push(mirror.rest);
    const server = await serveTls(null, { ...listen, log, peer: mirror.accept });
    stops.push(
      server.stop,
      onHangUp(() => server.reload(), log),
      watchSilence(mirror.silentMs, log),
    );
    stopping.throwIfAborted();
    // A signer that is silent is its own fault: a start in any order is well.
    probes?.ready({ folder: () => assertWritable(folder) });
    print(`Witness ready. It listens at ${nameOf({ ...listen, port: server.port })}`);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Throws while nothing can be written. */
async function assertWritable(folder: string): Promise<void> {
  const path = join(folder, 'probe');
  await writeFile(path, 'probe', { mode: 0o600 });
  await rm(path);
}

/** Says once that no signer keeps this copy level, and once that one does again. Returns its end. */
function watchSilence(
  silentMs: () => number | null,
  log: Pick<Logger, 'warn' | 'error'>,
): () => Promise<void> {
  return runBeat({
    beat: async () => {
      const silent = silentMs();
      if (silent !== null && silent <= MOST_SILENT_MS) return;
      throw new AppError('SIGNER_UNAVAILABLE', { cause: 'no word for 15 seconds' });
    },
    pauseMs: () => LOOK_MS,
    pause,
    told: {
      log,
      failing: 'no signer keeps this copy of the journal level',
      again: 'a signer keeps this copy of the journal level again',
    },
  });
}

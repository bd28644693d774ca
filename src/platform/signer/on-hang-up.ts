import type { Logger } from '../ports/logger.ts';

/** Runs `work`, which reads the certificates anew, at each SIGHUP. The result ends that. */
export function onHangUp(
  work: () => Promise<void>,
  log: Pick<Logger, 'info' | 'error'>,
): () => Promise<void> {
  const run = (): void =>
    void work().then(
      () => log.info({}, 'the certificates of the signer were read anew'),
      (err: unknown) => log.error({ err }, 'the certificates of the signer stay as they were'),
    );
  process.on('SIGHUP', run);
  return async () => void process.off('SIGHUP', run);
}

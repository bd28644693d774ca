/** Longer than any handler or job needs, shorter than the ten seconds after which a supervisor kills. */
const STOP_MS = 8_500;

/** Where each provider's key is named. A key beside the embedded database is replaced by naming another. */
const KEK_VARIABLES = {
  local: 'KEK_FILE',
  missing: 'KEK_FILE',
  file: 'KEK_FILE',
  env: 'KEK',
  'vault-transit': 'VAULT_TRANSIT_KEY',
  'aws-kms': 'AWS_KMS_KEY_ARN',
} as const;
/** Known once the configuration is. */
let kekVariable: (typeof KEK_VARIABLES)[keyof typeof KEK_VARIABLES] | undefined;

/**
 * Starts the roles of the configuration; stops cleanly on Ctrl-C or SIGTERM, at once on the second. The signals are heard
 * from the first moment on: everything else is loaded behind the handlers, because a program that is still starting must
 * end as well as one that runs.
 */
async function main(): Promise<void> {
  const stopping = new AbortController();
  const started = run(stopping.signal);
  const stop = (): void => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
    // Whatever is still under way is repeated safely at the next start: the database decides, not this process.
    setTimeout(() => process.exit(0), STOP_MS).unref();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    const app = await started;
    if (!stopping.signal.aborted) await once(stopping.signal);
    await app.stop();
  } catch (error) {
    // A start that was called off fails wherever it was; that is no failure.
    if (!stopping.signal.aborted) throw error;
  }
  process.exit(0);
}

async function run(stopping: AbortSignal): Promise<{ readonly stop: () => Promise<void> }> {
  const { loadProcessConfig } = await import('./config/index.ts');
  stopping.throwIfAborted();
  const config = loadProcessConfig();
  if (config.kek !== null) kekVariable = KEK_VARIABLES[config.kek.kind];
  const tell = (line: string): void => void process.stdout.write(`${line}\n`);
  // The signer loads nothing of the rest: no client of a chain, of Telegram or of the queue is in the process with the keys.
  if (config.roles.includes('signer')) {
    return (await import('./compose/start-signer.ts')).startSigner(config, tell, stopping);
  }
  if (config.roles.includes('witness')) {
    return (await import('./compose/start-witness.ts')).startWitness(config, tell, stopping);
  }
  return (await import('./app.ts')).startApp(config, tell, stopping);
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

main().catch(async (error: unknown) => {
  const { describeStartFailure } = await import('./compose/start-failure.ts');
  process.stderr.write(`${describeStartFailure(error, kekVariable)}\n`);
  process.exit(1);
});

export {};

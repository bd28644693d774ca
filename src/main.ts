import { startApp } from './app.ts';
import { loadProcessConfig } from './config.ts';
import { describeStartFailure } from './start-failure.ts';

/** Starts the roles of the configuration; stops cleanly on Ctrl-C or SIGTERM, at once on the second. */
async function main(): Promise<void> {
  const app = await startApp(loadProcessConfig(), (line) => process.stdout.write(`${line}\n`));
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    process.stdout.write('\nStopping…\n');
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${describeStartFailure(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
});

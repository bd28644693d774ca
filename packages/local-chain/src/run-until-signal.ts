/** Runs `stop` at the first SIGINT or SIGTERM, then ends the process; `fail` gets the error of a stop that rejects. */
export function runUntilSignal(stop: () => Promise<void>, fail: (error: unknown) => never): void {
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below every range from which systems give ports to outgoing connections: 32768 and up on Linux, 16000 and up in some sandboxes. */
const [FIRST, END] = [10_240, 12_500];
/** A port is kept for this process by listening this much above it, so a process that dies gives all of its ports back. */
const CLAIM = 2_500;

/**
 * A port of the loopback interface that nobody listens at, and that no other caller gets while this process lives: between this
 * look and the start of its server another test, or any outgoing connection, would take one that the system chose.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const claim = await listen(port + CLAIM);
    if (claim === null) continue;
    const server = await listen(port);
    if (server !== null) {
      await new Promise((resolve) => server.close(resolve));
      return port;
    }
    claim.close();
  }
}

async function listen(port: number) {
  const server = createServer();
  const isOurs = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  return isOurs ? server.unref() : null;
}

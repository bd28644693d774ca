/**
 * Loaded into a child before its own module. The child ends by `kill -9` once its standard input closes: the parent holds the other end, and
 * the system closes that however the parent ends.
 */
const { stdin } = process;
stdin.once('close', () => process.kill(process.pid, 'SIGKILL'));
stdin.on('error', () => undefined);
stdin.resume();
// A child that has nothing left to do ends by itself, as without this.
stdin.unref?.();

import type { IncomingMessage } from 'node:http';

/** The addresses a local stand-in may listen on: nothing off this machine may reach an open faucet or a fake Telegram. */
const LOOPBACK = new Set(['127.0.0.1', '::1']);
const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Throws unless `host` is a loopback address. Names are refused too: `localhost` can resolve to anything. */
export function assertLoopback(host: string, what: string): void {
  if (!LOOPBACK.has(host)) {
    throw new Error(`${what} listens on 127.0.0.1 or ::1 only, never on "${host}": it is a test tool.`);
  }
}

/** Throws in production, saying which stand-in was asked for. */
export function assertNotProduction(nodeEnv: string | undefined, what: string): void {
  if (nodeEnv === 'production') throw new Error(`${what} never runs with NODE_ENV=production.`);
}

/**
 * True when the request names this machine and this port in its Host header. A page on another site that points its own name at 127.0.0.1
 * (DNS rebinding) sends its own name here. It is refused before anything else is looked at.
 */
export function hostIsLocal(request: Pick<IncomingMessage, 'headers'>, port: number): boolean {
  const host = request.headers.host;
  if (host === undefined) return false;
  const match = /^(.*):(\d+)$/.exec(host);
  return match !== null && LOOPBACK_NAMES.has((match[1] ?? '').toLowerCase()) && Number(match[2]) === port;
}

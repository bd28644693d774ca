import { type DestinationStream, pino } from 'pino';
import type { Logger } from '../ports/logger.ts';

/** Names under which a secret could travel by mistake. The values of such keys are replaced everywhere. */
const SECRET_KEYS = [
  'token',
  'secret',
  'seed',
  'pin',
  'password',
  'kek',
  'secretKey',
  'privateKey',
  'authorization',
];

/**
 * One JSON line per event, on stdout unless a destination is given. Bytes are never printed (a key is bytes), secrets are redacted by name at the first
 * three levels, and a bigint is printed as its digits.
 */
export function createLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object): Record<string, unknown> => ({
        ...JSON.parse(JSON.stringify(fields, printable)),
      }),
    },
  };
  return pino(options, destination);
}

function printable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer')
    return '[bytes]';
  if (value instanceof Error)
    return { name: value.name, message: value.message, stack: value.stack, cause: String(value.cause ?? '') };
  return value;
}

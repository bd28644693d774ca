import { z } from 'zod';
import { NETWORK_NAMES } from './networks.ts';

const port = z.int().min(0).max(65_535);
const amount = z.int().min(1);

/** `clock`, `plugin`, `log` and `faults` are checked by who uses them. */
const options = z.strictObject({
  host: z.string().optional(),
  port: port.optional(),
  wsPort: port.nullable().optional(),
  dir: z.string().min(1).optional(),
  programsDir: z.string().min(1).optional(),
  slotMs: z.int().min(0).optional(),
  seed: z.string().optional(),
  clock: z.unknown().optional(),
  historyLimit: amount.optional(),
  historyBytes: amount.optional(),
  snapshotEvery: amount.optional(),
  log: z.unknown().optional(),
  faults: z.unknown().optional(),
  network: z.enum(NETWORK_NAMES).optional(),
  networkIfNew: z.enum(NETWORK_NAMES).optional(),
  version1: z.boolean().optional(),
  plugin: z.object({ name: z.string().regex(/^[a-z0-9-]+$/i) }).optional(),
  resetHint: z.string().optional(),
});

/** Throws a RangeError that names each wrong option and the expected value. */
export function checkOptions(given: object): void {
  const { error } = options.safeParse(given);
  if (error === undefined) return;
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'options'}: ${message}`);
  throw new RangeError(`The local chain cannot start: ${problems.join('; ')}`);
}

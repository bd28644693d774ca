import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from '../core/errors/app-error.ts';
import { isAlive } from './run-file.ts';

/** Changes whenever an older file could be misread. */
const FORMAT = 1;

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** A URL of this machine: the holder of the other end is asked for everything. */
const localUrl = z
  .url()
  .refine((text) => LOOPBACK.has(new URL(text).hostname), { error: 'is not on this machine' });

const worldFile = z.strictObject({
  format: z.literal(FORMAT),
  pid: z.int().positive(),
  /** Where products ask for a Telegram of their own, and the secret that they show there. */
  controlUrl: localUrl,
  secret: z.string().min(32),
  genesisHash: z.string(),
  smtpUrl: localUrl,
  chain: z.strictObject({
    rpcUrl: localUrl,
    wsUrl: localUrl,
    deskUrl: localUrl,
    usdMint: z.string(),
    tokens: z.array(z.string()),
  }),
});

/** Facts of `npm run world` for products. */
export type WorldFile = Omit<z.infer<typeof worldFile>, 'format'>;

/** Replaced in one step, so that a reader never sees half of it. Mode 0600: it holds the secret. */
export function writeWorldFile(path: string, world: WorldFile): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify({ format: FORMAT, ...world }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeWorldFile(path: string): void {
  rmSync(path, { force: true });
}

/** Throws CONFIG_INVALID, one sentence with its mend, when there is no such world or it runs no more. */
export function readWorldFile(path: string): WorldFile {
  const file = resolve(path);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw worldProblem(
      `there is no world file ${file}. Start a world with "npm run world": it says which file to name.`,
    );
  }
  const parsed = worldFile.safeParse(jsonOf(text));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place =
      issue === undefined || issue.path.length === 0 ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    throw worldProblem(
      `${file} is no world file of this release${place}. Start a world with "npm run world".`,
    );
  }
  const { format: _, ...world } = parsed.data;
  if (!isAlive(world.pid))
    throw worldProblem(
      `the world of ${file} (process ${world.pid}) runs no more. Start it again with "npm run world".`,
    );
  return world;
}

export function worldProblem(problem: string, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', { problems: [`LOCAL_WORLD: ${problem}`] }, { cause });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

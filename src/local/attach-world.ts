import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { assertLocalSettings } from '@tradepost/local-telegram';
import { z } from 'zod';
import { AppError } from '../core/errors/app-error.ts';
import { makeLocalSecrets } from './make-secrets.ts';
import { startLocalPostgres } from './postgres/index.ts';
import { removeRunFile } from './run-file.ts';
import { directUrl, rpc } from './stand-ins.ts';
import {
  chainOf,
  publishWorld,
  refuseMainnet,
  refuseSettings,
  type World,
  type WorldOptions,
} from './world.ts';
import { readWorldFile, type WorldFile, worldProblem } from './world-file.ts';

const ANSWER_MS = 20_000;

const telegramAnswer = z.object({
  botApiUrl: z.string(),
  chatUrl: z.string(),
  token: z.string(),
  operator: z.string().regex(/^\d+$/).transform(BigInt),
});

/**
 * The stand-ins of a world that runs in a process of its own (`npm run world`), as far as the configuration asks for them; only the
 * database is this product's. Throws CONFIG_INVALID, one sentence, when the world is gone, old or not on this machine, or when
 * anything of this product looks like production.
 */
export async function attachWorld(options: WorldOptions, file: string): Promise<World> {
  const dir = resolve(options.dir);
  await refuseMainnet(options);
  const world = readWorldFile(file);
  await assertSameChain(world, file);
  if (options.telegram !== null) {
    const rpcUrl = options.chain === null ? options.telegram.rpcUrl : world.chain.rpcUrl;
    refuseProduction(await refuseSettings(options.nodeEnv, options.telegram, rpcUrl));
  }
  const telegram = options.telegram === null ? null : await telegramOf(world, file, dir);
  const postgres = options.postgres ? await startLocalPostgres({ dir: join(dir, 'postgres') }) : null;
  if (postgres !== null) await makeLocalSecrets(dir);
  const parts = {
    chain: options.chain === null ? null : chainOf(world.chain),
    databaseUrl: postgres?.url ?? null,
    telegram,
    mail:
      options.mail && telegram !== null
        ? { smtpUrl: world.smtpUrl, mailUrl: `${telegram.chatUrl}mail` }
        : null,
  };
  return {
    ...parts,
    publish: (api) => publishWorld(dir, parts, api),
    stop: async () => {
      removeRunFile(dir);
      await postgres?.stop();
    },
  };
}

/** Another chain may answer at the port of one that is gone: its accounts are not those that this product knows. */
async function assertSameChain(world: WorldFile, file: string): Promise<void> {
  const { rpcUrl } = world.chain;
  const hash = await rpc<string>(directUrl(rpcUrl), 'getGenesisHash', []).catch((error: unknown) => {
    throw worldProblem(
      `the chain of ${resolve(file)} does not answer at ${rpcUrl}. Start the world again.`,
      error,
    );
  });
  if (hash !== world.genesisHash)
    throw worldProblem(
      `at ${rpcUrl} answers another chain than ${resolve(file)} names. Start the world again.`,
    );
}

function refuseProduction(settings: Parameters<typeof assertLocalSettings>[0]): void {
  try {
    assertLocalSettings(settings);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new AppError('CONFIG_INVALID', { problems: [problem] }, { cause: error });
  }
}

/** The bot of this product, known by its state folder. */
async function telegramOf(
  world: WorldFile,
  file: string,
  dir: string,
): Promise<NonNullable<World['telegram']>> {
  const product = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  const response = await fetch(`${world.controlUrl}/telegram`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.secret}` },
    body: JSON.stringify({ product }),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => {
    throw worldProblem(
      `the world of ${resolve(file)} does not answer at ${world.controlUrl}. Start it again.`,
      error,
    );
  });
  const body: unknown = await response.json().catch(() => null);
  const answer = telegramAnswer.safeParse(body);
  if (response.ok && answer.success) return answer.data;
  const reason = z.object({ error: z.string() }).safeParse(body).data?.error ?? `status ${response.status}`;
  throw worldProblem(`the world of ${resolve(file)} gives no Telegram: ${reason}. Start it again.`);
}

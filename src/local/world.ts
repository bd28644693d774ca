import { join, resolve } from 'node:path';
import type { RefuseSettings } from '@tradepost/local-telegram';
import { AppError } from '../core/errors/app-error.ts';
import { MAINNET_GENESIS } from '../modules/tokens/rules/well-known.ts';
import { startLocalMail } from './mail/index.ts';
import { makeLocalSecrets } from './make-secrets.ts';
import { startLocalPostgres } from './postgres/index.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import {
  addressesOf,
  airdrop,
  type ChainAddresses,
  type ChainSettings,
  directUrl,
  rpc,
  startChain,
  startTelegram,
} from './stand-ins.ts';
import { prepareStateFolder } from './state-folder.ts';

export type WorldOptions = {
  readonly dir: string;
  readonly nodeEnv: string;
  /** Which stand-ins the configuration did not replace. */
  readonly chain: ChainSettings | null;
  readonly postgres: boolean;
  /** The operator's cluster beside the embedded database, and whether real money there is meant. */
  readonly cluster: { readonly rpcUrl: string | null; readonly mayBeMainnet: boolean };
  /** The inbox is served beside the chat page: without that one there is no local mail. */
  readonly mail: boolean;
  readonly telegram: {
    readonly port: number;
    /** The settings that could show this is not a local installation. */
    readonly databaseUrl: string | null;
    readonly rpcUrl: string | null;
    readonly hasProductionMasterKey: boolean;
  } | null;
};

/** Where the REST API answers, for `run.json`; null when this process does not serve it. */
export type ApiUrls = {
  readonly openApiUrl: string | null;
  readonly proApiUrl: string | null;
  readonly chartUrl: string | null;
};

/** The stand-ins that were started; null where the configuration names the real thing. */
export type World = {
  readonly chain:
    | (ChainAddresses & {
        /** Play SOL for any address; resolves when it is confirmed. Throws a sentence when the faucet refuses. */
        readonly airdrop: (address: string, lamports: bigint) => Promise<{ readonly signature: string }>;
      })
    | null;
  readonly databaseUrl: string | null;
  readonly telegram: {
    readonly botApiUrl: string;
    readonly token: string;
    readonly chatUrl: string;
    /** The person of the chat page who reviews requests when no operator is configured. */
    readonly operator: bigint;
  } | null;
  readonly mail: { readonly smtpUrl: string; readonly mailUrl: string } | null;
  /** Writes `run.json`, for other programs on this machine: call it when everything answers. */
  readonly publish: (api: ApiUrls) => void;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the requested parts, side by side, each with its state under `dir`. When one cannot start, the others are stopped again and the
 * reason is thrown: half a world is never left running.
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  const dir = resolve(options.dir);
  await refuseMainnet(options);
  if (options.chain !== null || options.postgres || options.telegram !== null) await prepareStateFolder(dir);
  const stops: (() => Promise<void>)[] = [];
  const track = <T extends { stop(): Promise<void> }>(server: T): T => {
    stops.push(() => server.stop());
    return server;
  };
  const stop = async (): Promise<void> => {
    removeRunFile(dir);
    await Promise.all(stops.map((end) => end()));
  };

  const started = await Promise.allSettled([
    options.chain === null ? null : startChain(options.chain, join(dir, 'chain')).then(track),
    options.postgres ? startLocalPostgres({ dir: join(dir, 'postgres') }).then(track) : null,
    options.postgres ? makeLocalSecrets(dir) : null,
  ]);
  try {
    const [chain, postgres] = [settled(started[0]), settled(started[1])];
    settled(started[2]);
    const world = chain === null ? null : chainOf(addressesOf(chain));
    const localMail =
      options.mail && options.telegram !== null
        ? track(await startLocalMail({ nodeEnv: options.nodeEnv }))
        : null;
    const telegram =
      options.telegram === null
        ? null
        : track(
            await startTelegram({
              port: options.telegram.port,
              dir: join(dir, 'telegram'),
              refuse: await refuseSettings(
                options.nodeEnv,
                options.telegram,
                world === null ? options.telegram.rpcUrl : directUrl(world.rpcUrl),
              ),
              rpcUrl: world?.rpcUrl ?? null,
              mail: localMail,
            }),
          );
    const mail =
      localMail === null || telegram === null
        ? null
        : { smtpUrl: localMail.smtpUrl, mailUrl: `${telegram.chatUrl}mail` };
    const parts = { chain: world, databaseUrl: postgres?.url ?? null, telegram, mail };
    return { ...parts, publish: (api) => publishWorld(dir, parts, api), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Writes `run.json` into `dir`. */
export function publishWorld(dir: string, world: Omit<World, 'publish' | 'stop'>, api: ApiUrls): void {
  writeRunFile(dir, {
    pid: process.pid,
    chatUrl: world.telegram?.chatUrl ?? null,
    rpcUrl: world.chain?.rpcUrl ?? null,
    wsUrl: world.chain?.wsUrl ?? null,
    botApiUrl: world.telegram?.botApiUrl ?? null,
    ...api,
    databaseUrl: world.databaseUrl,
    mailUrl: world.mail?.mailUrl ?? null,
    smtpUrl: world.mail?.smtpUrl ?? null,
  });
}

/** A chain with its faucet. */
export function chainOf(addresses: ChainAddresses): NonNullable<World['chain']> {
  return { ...addresses, airdrop: (address, lamports) => airdrop(addresses.rpcUrl, address, lamports) };
}

/** The facts by which a local Telegram refuses a program that is not a local one. */
export async function refuseSettings(
  nodeEnv: string,
  telegram: NonNullable<WorldOptions['telegram']>,
  rpcUrl: string | null,
): Promise<RefuseSettings> {
  return {
    nodeEnv,
    databaseUrl: telegram.databaseUrl ?? undefined,
    hasProductionMasterKey: telegram.hasProductionMasterKey,
    genesisHash: rpcUrl === null ? undefined : await askGenesisHash(rpcUrl),
  };
}

/**
 * Throws CONFIG_INVALID when the keys of real money would lie in an embedded database: one folder, no backup, and `npm run reset` beside it.
 * Throws CHAIN_UNREACHABLE.
 */
export async function refuseMainnet({ postgres, cluster }: Pick<WorldOptions, 'postgres' | 'cluster'>) {
  if (!postgres || cluster.rpcUrl === null || cluster.mayBeMainnet) return;
  if ((await askGenesisHash(cluster.rpcUrl)) !== MAINNET_GENESIS) return;
  const problem =
    'EMBEDDED_MAINNET: SOLANA_RPC_URL leads to mainnet, and the database is the embedded one: one folder, without backups. Set DATABASE_URL, or EMBEDDED_DATABASE=real-keys-here if you mean it.';
  throw new AppError('CONFIG_INVALID', { problems: [problem] });
}

/** Throws when another program runs on `dir`: two would write over each other's chain. */
export function assertNotRunning(dir: string): void {
  const running = readRunFile(resolve(dir));
  if (running === null || running.pid === process.pid) return;
  const where = running.chatUrl === null ? '' : ` at ${running.chatUrl}`;
  const problem = `LOCAL_DIR: another Tradepost (process ${running.pid}) already runs on ${resolve(dir)}${where}. Use that one, stop it, or set LOCAL_DIR to another folder.`;
  throw new AppError('CONFIG_INVALID', { problems: [problem] });
}

function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Of the cluster that the operator named. Throws CHAIN_UNREACHABLE: this is the first that is asked of it. */
async function askGenesisHash(url: string): Promise<string> {
  try {
    return await rpc<string>(url, 'getGenesisHash', []);
  } catch (error) {
    const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const cause = inner instanceof Error ? inner.message : String(inner);
    throw new AppError('CHAIN_UNREACHABLE', { endpoint: new URL(url).host, cause }, { cause: error });
  }
}

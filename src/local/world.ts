import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, isAppError } from '../core/errors/app-error.ts';
import { startLocalChain } from './chain/index.ts';
import { type LocalMail, startLocalMail } from './mail/index.ts';
import { startLocalPostgres } from './postgres/index.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { startLocalTelegram } from './telegram/index.ts';

export type WorldOptions = {
  readonly dir: string;
  readonly nodeEnv: string;
  /** Which stand-ins the configuration did not replace. */
  readonly chain: {
    readonly port: number;
    readonly slotMs: number;
    readonly programsDir: string | null;
  } | null;
  readonly postgres: boolean;
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
  readonly chain: {
    readonly rpcUrl: string;
    readonly wsUrl: string;
    readonly deskUrl: string;
    readonly usdMint: string;
    /** Mints that the chain came with. */
    readonly tokens: readonly string[];
    /** Play SOL for any address; resolves when it is confirmed. Throws a sentence when the faucet refuses. */
    readonly airdrop: (address: string, lamports: bigint) => Promise<{ readonly signature: string }>;
  } | null;
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
 * Starts what is asked for, side by side, each with its state under `dir`. When one cannot start, the others are stopped
 * again and the reason is thrown: half a world is never left running.
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  const dir = resolve(options.dir);
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
  ]);
  try {
    const [chain, postgres] = [settled(started[0]), settled(started[1])];
    const world = chain === null ? null : chainWorld(chain);
    const localMail =
      options.mail && options.telegram !== null
        ? track(await startLocalMail({ nodeEnv: options.nodeEnv }))
        : null;
    const telegram =
      options.telegram === null
        ? null
        : track(await startTelegram(options, join(dir, 'telegram'), world, localMail));
    const mail =
      localMail === null || telegram === null
        ? null
        : { smtpUrl: localMail.smtpUrl, mailUrl: `${telegram.chatUrl}mail` };
    const publish: World['publish'] = (api) =>
      writeRunFile(dir, {
        pid: process.pid,
        chatUrl: telegram?.chatUrl ?? null,
        rpcUrl: world?.rpcUrl ?? null,
        wsUrl: world?.wsUrl ?? null,
        botApiUrl: telegram?.botApiUrl ?? null,
        ...api,
        databaseUrl: postgres?.url ?? null,
        mailUrl: mail?.mailUrl ?? null,
        smtpUrl: mail?.smtpUrl ?? null,
      });
    return { chain: world, databaseUrl: postgres?.url ?? null, telegram, mail, publish, stop };
  } catch (error) {
    await stop();
    throw error;
  }
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

type RunningChain = Awaited<ReturnType<typeof startLocalChain>>;

async function startChain(options: NonNullable<WorldOptions['chain']>, dir: string): Promise<RunningChain> {
  try {
    return await startLocalChain({
      dir,
      port: options.port,
      slotMs: options.slotMs,
      ...(options.programsDir === null ? {} : { programsDir: options.programsDir }),
    });
  } catch (error) {
    throw standInFailure(error, options.port, 'the local chain', 'LOCALNET_PORT');
  }
}

function chainWorld(chain: RunningChain): NonNullable<World['chain']> {
  return {
    rpcUrl: chain.rpcUrl,
    wsUrl: chain.wsUrl,
    deskUrl: chain.deskUrl,
    usdMint: chain.world.tokens.find((token) => token.symbol === 'USDC')?.mint ?? '',
    tokens: chain.world.tokens.map(({ mint }) => mint),
    airdrop: async (address, lamports) => {
      const signature = await rpc<string>(chain.rpcUrl, 'requestAirdrop', [address, Number(lamports)]);
      for (let tries = 0; tries < 100; tries += 1) {
        const { value } = await rpc<{ value: ({ confirmationStatus: string } | null)[] }>(
          chain.rpcUrl,
          'getSignatureStatuses',
          [[signature]],
        );
        if (value[0] !== null && value[0]?.confirmationStatus !== 'processed') return { signature };
        await pause(100);
      }
      throw new Error('the play SOL is on its way but not confirmed yet');
    },
  };
}

async function startTelegram(
  world: Pick<WorldOptions, 'nodeEnv' | 'telegram'>,
  dir: string,
  chain: World['chain'],
  mail: LocalMail | null,
) {
  const { nodeEnv, telegram: options } = world;
  if (options === null) throw new Error('the local Telegram was not asked for');
  const rpcUrl = chain?.rpcUrl ?? options.rpcUrl;
  try {
    return await startLocalTelegram({
      dir,
      port: options.port,
      refuse: {
        nodeEnv,
        databaseUrl: options.databaseUrl ?? undefined,
        hasProductionMasterKey: options.hasProductionMasterKey,
        genesisHash: rpcUrl === null ? undefined : await rpc<string>(rpcUrl, 'getGenesisHash', []),
      },
      ...(mail === null ? {} : { pages: mail.serve }),
      panel: {
        ...(chain === null
          ? {}
          : {
              faucet: (address: string, sol: number) => chain.airdrop(address, BigInt(Math.round(sol * 1e9))),
              lookup: (signature: string) =>
                rpc<unknown>(chain.rpcUrl, 'getTransaction', [
                  signature,
                  { commitment: 'confirmed', encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 },
                ]),
            }),
        links: [
          ...(mail === null ? [] : [{ label: 'Mail', url: '/mail' }]),
          ...(chain === null ? [] : [{ label: 'RPC', url: chain.rpcUrl }]),
        ],
      },
    });
  } catch (error) {
    throw standInFailure(error, options.port, 'the chat page', 'CHAT_PORT');
  }
}

/**
 * The stand-ins explain their refusals in a sentence with its mend (a damaged state folder, a folder in use, a setting that looks
 * like production); it is passed on as one line. A taken port is worded here, because only here the variable is known.
 */
function standInFailure(error: unknown, port: number, what: string, variable: string): unknown {
  // A TypeError and its kind are faults of ours: their stack is wanted.
  if (!(error instanceof Error) || isAppError(error) || FAULTS.some((kind) => error instanceof kind))
    return error;
  const problem = isPortTaken(error)
    ? `${variable}: port ${port} is taken, so ${what} cannot start. Stop the other program or set ${variable} to another port (0 = any).`
    : error.message;
  return new AppError('CONFIG_INVALID', { problems: [problem] }, { cause: error });
}

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError];

function isPortTaken(error: Error): boolean {
  return [error, error.cause].some(
    (one) => one instanceof Error && 'code' in one && one.code === 'EADDRINUSE',
  );
}

async function rpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = (await response.json()) as { result?: T; error?: { message: string } };
  if (body.error !== undefined) throw new Error(body.error.message);
  return body.result as T;
}

import { setTimeout as pause } from 'node:timers/promises';
import { type NetworkName, type ProviderName, providerPlan } from '@tradepost/local-chain';
import { type LocalTelegram, type RefuseSettings, startLocalTelegram } from '@tradepost/local-telegram';
import { AppError, isAppError } from '../core/errors/app-error.ts';
import { fileProblem } from '../core/errors/file-problem.ts';
import { type DeskChain, startDeskChain } from './desk/index.ts';
import type { LocalMail } from './mail/index.ts';
import { RESET_HINT } from './reset-hint.ts';
import { STATE_VARIABLE } from './state-folder.ts';

/** A chain of an earlier release keeps its own. */
const NETWORK_OF_TODAY: NetworkName = 'mainnet-2026-11';

export type ChainSettings = {
  readonly port: number;
  /** Null: as on the network. */
  readonly slotMs: number | null;
  /** Null: that of the folder, and the one of today for a new chain. */
  readonly network: NetworkName | null;
  readonly programsDir: string | null;
  readonly provider: ProviderName | null;
};

/** Starts the local chain with the desk. Throws CONFIG_INVALID with one sentence for a fault that a person can mend. */
export async function startChain(options: ChainSettings, dir: string): Promise<DeskChain> {
  try {
    return await startDeskChain({
      dir,
      resetHint: RESET_HINT,
      port: options.port,
      ...(options.slotMs === null ? {} : { slotMs: options.slotMs }),
      ...(options.network === null ? { networkIfNew: NETWORK_OF_TODAY } : { network: options.network }),
      ...(options.programsDir === null ? {} : { programsDir: options.programsDir }),
      ...(options.provider === null ? {} : { faults: providerPlan(options.provider) }),
    });
  } catch (error) {
    throw standInFailure(error, {
      port: options.port,
      dir,
      what: 'the local chain',
      variable: 'LOCALNET_PORT',
    });
  }
}

/** The facts of a chain that other programs of this machine need. */
export type ChainAddresses = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly deskUrl: string;
  readonly usdMint: string;
  /** Mints that the chain came with. */
  readonly tokens: readonly string[];
};

export function addressesOf(chain: DeskChain): ChainAddresses {
  return {
    rpcUrl: chain.rpcUrl,
    wsUrl: chain.wsUrl,
    deskUrl: chain.deskUrl,
    usdMint: chain.world.tokens.find((token) => token.symbol === 'USDC')?.mint ?? '',
    tokens: chain.world.tokens.map(({ mint }) => mint),
  };
}

/** Where the local chain answers without the provider that it plays: a faucet and an explorer are no customers of it. */
export function directUrl(rpcUrl: string): string {
  return `${rpcUrl}/direct`;
}

/** Play SOL for any address; resolves when it is confirmed. Throws a sentence when the faucet refuses. */
export async function airdrop(
  rpcUrl: string,
  address: string,
  lamports: bigint,
): Promise<{ readonly signature: string }> {
  const url = directUrl(rpcUrl);
  const signature = await rpc<string>(url, 'requestAirdrop', [address, Number(lamports)]);
  for (let tries = 0; tries < 100; tries += 1) {
    const { value } = await rpc<{ value: ({ confirmationStatus: string } | null)[] }>(
      url,
      'getSignatureStatuses',
      [[signature]],
    );
    if (value[0] !== null && value[0]?.confirmationStatus !== 'processed') return { signature };
    await pause(100);
  }
  throw new Error('the play SOL is on its way but not confirmed yet');
}

export type TelegramSettings = {
  readonly port: number;
  readonly dir: string;
  readonly refuse: RefuseSettings;
  /** The local chain's RPC, for the faucet and the explorer of the chat page; null = the chain is a real one. */
  readonly rpcUrl: string | null;
  readonly mail: LocalMail | null;
};

/** Starts a local Telegram with its chat page. Throws CONFIG_INVALID with one sentence for a fault that a person can mend. */
export async function startTelegram({
  port,
  dir,
  refuse,
  rpcUrl,
  mail,
}: TelegramSettings): Promise<LocalTelegram> {
  try {
    return await startLocalTelegram({
      dir,
      port,
      refuse,
      ...(mail === null ? {} : { pages: mail.serve }),
      panel: {
        ...(rpcUrl === null
          ? {}
          : {
              faucet: (address: string, sol: number) =>
                airdrop(rpcUrl, address, BigInt(Math.round(sol * 1e9))),
              lookup: (signature: string) =>
                rpc<unknown>(directUrl(rpcUrl), 'getTransaction', [
                  signature,
                  { commitment: 'confirmed', encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 },
                ]),
            }),
        links: [
          ...(mail === null ? [] : [{ label: 'Mail', url: '/mail' }]),
          ...(rpcUrl === null ? [] : [{ label: 'RPC', url: rpcUrl }]),
        ],
      },
    });
  } catch (error) {
    throw standInFailure(error, { port, dir, what: 'the chat page', variable: 'CHAT_PORT' });
  }
}

/**
 * The stand-ins explain their refusals in a sentence with its mend (a damaged state folder, a folder in use, a setting that looks
 * like production); it is passed on as one line. A taken port is worded here, because only here the variable is known.
 */
function standInFailure(
  error: unknown,
  {
    port,
    dir,
    what,
    variable,
  }: {
    readonly port: number;
    readonly dir: string;
    readonly what: string;
    readonly variable: string;
  },
): unknown {
  // A TypeError and its kind are faults of ours: their stack is wanted.
  if (!(error instanceof Error) || isAppError(error) || FAULTS.some((kind) => error instanceof kind))
    return error;
  const problem = isPortTaken(error)
    ? `${variable}: port ${port} is taken, so ${what} cannot start. Stop the other program or set ${variable} to another port (0 = any).`
    : (fileProblem(error, { path: dir, variable: STATE_VARIABLE }) ?? error.message);
  return new AppError('CONFIG_INVALID', { problems: [problem] }, { cause: error });
}

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError];

function isPortTaken(error: Error): boolean {
  return [error, error.cause].some(
    (one) => one instanceof Error && 'code' in one && one.code === 'EADDRINUSE',
  );
}

/** One JSON-RPC call; throws the node's own sentence. */
export async function rpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = (await response.json()) as { result: T; error?: { message: string } };
  if (body.error !== undefined) throw new Error(body.error.message);
  return body.result;
}

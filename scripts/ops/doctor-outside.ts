import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { NodeAnswer } from '../../src/modules/operations/rules/check-up.ts';
import { OpsError } from './ops-error.ts';

const PATIENCE_MS = 5_000;

/** A node's answers about itself. Throws an Error with the reason when it does not answer; the URL's key is in no message. */
export async function askNode(url: string): Promise<NodeAnswer> {
  const { host } = new URL(url);
  const ask = async (method: string): Promise<Reply> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new OpsError(`it answers ${response.status}`);
    return (await response.json()) as Reply;
  };
  const [health, version, genesis] = await Promise.all([
    ask('getHealth'),
    ask('getVersion'),
    ask('getGenesisHash'),
  ]);
  if (typeof genesis.result !== 'string') throw new OpsError(`it names no network: ${wordsOf(genesis)}`);
  return {
    host,
    health: health.result === 'ok' ? 'ok' : wordsOf(health),
    version: versionOf(version.result),
    genesis: genesis.result,
  };
}

type Reply = { readonly result?: unknown; readonly error?: { readonly message?: unknown } };

const wordsOf = ({ error }: Reply): string => String(error?.message ?? 'no result').slice(0, 200);

function versionOf(result: unknown): string {
  const core = (result as { readonly 'solana-core'?: unknown } | null | undefined)?.['solana-core'];
  return `solana-core ${typeof core === 'string' ? core.slice(0, 40) : 'unknown'}`;
}

export type WebhookInfo = {
  readonly url: string;
  readonly pending: number;
  readonly lastError: string | null;
};

/** How Telegram delivers to this bot. Throws an Error with its words when it refuses; the token is in no message. */
export async function askWebhook(apiRoot: string, token: string): Promise<WebhookInfo> {
  const response = await fetch(`${apiRoot.replace(/\/+$/, '')}/bot${token}/getWebhookInfo`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { ok, description, result } = (await response.json()) as {
    readonly ok?: boolean;
    readonly description?: string;
    readonly result?: {
      readonly url?: string;
      readonly pending_update_count?: number;
      readonly last_error_message?: string;
    };
  };
  if (ok !== true)
    throw new OpsError(`Telegram answers ${response.status}: ${String(description).slice(0, 200)}`);
  return {
    url: result?.url ?? '',
    pending: result?.pending_update_count ?? 0,
    lastError: result?.last_error_message ?? null,
  };
}

/** The first line of a mail server. Throws an Error when there is none within five seconds. */
export function askMailServer(url: string): Promise<string> {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = { host, port: Number(port || (isTls ? 465 : 587)) };
  return new Promise((resolve, reject) => {
    const socket = isTls ? connectTls({ ...at, servername: host }) : connect(at);
    const end = (done: () => void): void => {
      socket.destroy();
      done();
    };
    socket.setTimeout(PATIENCE_MS, () => end(() => reject(new OpsError('it is silent'))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('close', () => reject(new OpsError('it hung up')));
    socket.once('data', (bytes: Buffer) => {
      const line =
        bytes
          .toString('latin1')
          .split(/\r?\n/)[0]
          ?.replace(/\P{ASCII}|\p{C}/gu, '')
          .slice(0, 100) ?? '';
      end(() => (line.startsWith('220') ? resolve(line) : reject(new OpsError(`it says "${line}"`))));
    });
  });
}

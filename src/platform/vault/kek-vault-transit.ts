import { readFile } from 'node:fs/promises';
import { AppError } from '../../core/errors/app-error.ts';
import { isRecord } from '../../core/records.ts';
import type { KeyEncryptionKey } from './kek.ts';

export type VaultTransitOptions = {
  /** Base address; https unless it is this machine. */
  readonly address: string;
  /** The token itself, or the file that an agent keeps fresh: it is read again for every request. */
  readonly token: { readonly text: string } | { readonly path: string };
  readonly mount: string;
  readonly key: string;
  readonly timeoutMs?: number;
};

/**
 * A key of HashiCorp Vault's transit engine (aes256-gcm96): the key never leaves that server, which sees data keys only. The
 * additional data travels as `associated_data`, so that the server itself refuses a box under another row. The id names mount
 * and key; versions of the key after a rotation inside Vault are Vault's own affair (its ciphertext names them).
 * Source of truth: Vault API, /transit/encrypt and /transit/decrypt. Throws KEK_UNAVAILABLE at once for an address that
 * would carry data keys in clear over a network.
 */
export function vaultTransitKek(options: VaultTransitOptions): KeyEncryptionKey {
  const base = new URL(options.address);
  if (base.protocol !== 'https:' && !['127.0.0.1', '[::1]', 'localhost'].includes(base.hostname)) {
    throw unavailable(`VAULT_ADDR ${base.origin} is not https: data keys would travel in clear`);
  }
  const { mount, key } = options;

  async function call(operation: 'encrypt' | 'decrypt', body: Record<string, string>): Promise<unknown> {
    const url = new URL(`/v1/${mount}/${operation}/${encodeURIComponent(key)}`, base);
    const token = await readToken(options.token);
    let response: Response;
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: { 'x-vault-token': token, 'x-vault-request': 'true', 'content-type': 'application/json' },
        body: JSON.stringify(body),
        // A redirect could carry token and data key to a stranger.
        redirect: 'error',
        signal: AbortSignal.timeout(options.timeoutMs ?? 5_000),
      });
    } catch (error) {
      throw unavailable(`Vault at ${base.origin} does not answer`, error);
    }
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer;
    // 400 is Vault's word for a box or additional data that are not this key's; all else is about reaching the key.
    if (response.status === 400)
      throw new Error(`Vault refuses to ${operation}: not a box of ${mount}/${key}`);
    throw unavailable(`Vault at ${base.origin} answered ${response.status} to ${mount}/${operation}/${key}`);
  }

  return {
    id: `vault-transit:${mount}/${key}`,
    wrap: async (dek, aad) => {
      const answer = await call('encrypt', { plaintext: base64(dek), associated_data: base64(aad) });
      return Buffer.from(field(answer, 'ciphertext'));
    },
    unwrap: async (box, aad) => {
      const answer = await call('decrypt', {
        ciphertext: Buffer.from(box).toString(),
        associated_data: base64(aad),
      });
      return Buffer.from(field(answer, 'plaintext'), 'base64');
    },
  };
}

async function readToken(token: VaultTransitOptions['token']): Promise<string> {
  if ('text' in token) return token.text;
  try {
    return (await readFile(token.path, 'utf8')).trim();
  } catch (error) {
    throw unavailable(`VAULT_TOKEN_FILE ${token.path} cannot be read`, error);
  }
}

function field(answer: unknown, name: 'ciphertext' | 'plaintext'): string {
  const held = isRecord(answer) ? answer['data'] : null;
  const data = isRecord(held) ? held[name] : null;
  if (typeof data !== 'string') throw unavailable(`Vault's answer holds no ${name}`);
  return data;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function unavailable(cause: string, original?: unknown): AppError<'KEK_UNAVAILABLE'> {
  return new AppError('KEK_UNAVAILABLE', { cause }, { cause: original });
}

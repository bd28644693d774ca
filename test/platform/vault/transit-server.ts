import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the stub was asked, for tests that look at the wire. */
export type TransitRequest = {
  readonly path: string;
  readonly token: string | undefined;
  readonly body: Readonly<Record<string, string>>;
};

/**
 * The part of Vault's HTTP API that wrapping uses, answering as the real server does: `vault:v1:` boxes of AES-256-GCM,
 * 400 for a box or associated data that are not the key's, 403 for a wrong token, 404 for an unknown mount or key.
 */
export async function startTransitServer(token: string, keyNames: readonly string[]) {
  const keys = new Map(keyNames.map((name) => [name, randomBytes(32)]));
  const requests: TransitRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, string>;
      const given = request.headers['x-vault-token'];
      requests.push({ path: request.url ?? '', token: given?.toString(), body });
      const [status, answer] =
        given === token ? answerTo(request.url ?? '', body) : [403, error('permission denied')];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });

  function answerTo(path: string, body: Record<string, string>): readonly [number, unknown] {
    const match = /^\/v1\/transit\/(encrypt|decrypt)\/([^/]+)$/.exec(path);
    const key = keys.get(match?.[2] ?? '');
    if (match === null || key === undefined) return [404, error('no handler for route')];
    const aad = Buffer.from(body['associated_data'] ?? '', 'base64');
    if (match[1] === 'encrypt') {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 }).setAAD(aad);
      const box = Buffer.concat([
        iv,
        cipher.update(Buffer.from(body['plaintext'] ?? '', 'base64')),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return [200, { data: { ciphertext: `vault:v1:${box.toString('base64')}`, key_version: 1 } }];
    }
    const text = /^vault:v1:([A-Za-z0-9+/]+=*)$/.exec(body['ciphertext'] ?? '')?.[1];
    const box = Buffer.from(text ?? '', 'base64');
    // The real server decodes strictly; Node skips what is not base64.
    if (text === undefined || box.length < 28 || box.toString('base64') !== text) {
      return [400, error('invalid ciphertext: no prefix')];
    }
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(aad).setAuthTag(box.subarray(-16));
      const plain = Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()]);
      return [200, { data: { plaintext: plain.toString('base64') } }];
    } catch {
      return [400, error('cipher: message authentication failed')];
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function error(text: string) {
  return { errors: [text] };
}

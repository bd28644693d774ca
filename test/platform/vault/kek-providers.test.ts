import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyring } from '../../../src/compose/open-keyring.ts';
import { openAwsKms } from '../../../src/platform/kms/open-aws-kms.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { awsKmsKek } from '../../../src/platform/vault/kek-aws-kms.ts';
import { kekFromText } from '../../../src/platform/vault/kek-env.ts';
import { kekFromFile } from '../../../src/platform/vault/kek-file.ts';
import { vaultTransitKek } from '../../../src/platform/vault/kek-vault-transit.ts';
import { sealSeed, unsealSeed } from '../../../src/platform/vault/seal.ts';
import { seedAddress } from '../../../src/platform/vault/seed-signer.ts';
import { describeKek } from '../../conformance/kek.ts';
import { fakeKms } from './fake-kms.ts';
import { startTransitServer } from './transit-server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kek-providers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const keyFile = async (name: string): Promise<string> => {
  const path = join(folder, name);
  await rm(path, { force: true });
  await writeFile(path, randomBytes(32).toString('hex'), { mode: 0o400 });
  return path;
};
const nothing = async (): Promise<void> => undefined;
const ARNS = [
  'arn:aws:kms:eu-central-1:111122223333:key/1234abcd',
  'arn:aws:kms:eu-central-1:111122223333:key/5678efab',
] as const;

describeKek('the key of a file', async () => ({
  kek: await kekFromFile(await keyFile('one')),
  other: await kekFromFile(await keyFile('two')),
  cut: null,
  close: nothing,
}));

describeKek('the key of an environment variable', async () => ({
  kek: kekFromText(randomBytes(32).toString('hex'), 'KEK'),
  other: kekFromText(randomBytes(32).toString('base64'), 'KEK'),
  cut: null,
  close: nothing,
}));

describeKek('the key of Vault’s transit engine, over a stub of its HTTP API', async () => {
  const server = await startTransitServer('s.token', ['one', 'two']);
  const kek = (key: string) =>
    vaultTransitKek({ address: server.address, token: { text: 's.token' }, mount: 'transit', key });
  return { kek: kek('one'), other: kek('two'), cut: server.close, close: server.close };
});

describeKek('the key of AWS KMS, over an injected client', async () => {
  const kms = fakeKms(ARNS);
  return {
    kek: awsKmsKek(kms.client, ARNS[0]),
    other: awsKmsKek(kms.client, ARNS[1]),
    cut: async () => kms.cut('ThrottlingException'),
    close: nothing,
  };
});

const real = process.env['VAULT_ADDR'];
describe.skipIf(!real)('a real Vault at VAULT_ADDR (keys tradepost-test-1 and -2 of mount transit)', () => {
  describeKek('its transit engine', async () => {
    const kek = (key: string) =>
      vaultTransitKek({
        address: real ?? '',
        token: { text: process.env['VAULT_TOKEN'] ?? '' },
        mount: 'transit',
        key,
      });
    return { kek: kek('tradepost-test-1'), other: kek('tradepost-test-2'), cut: null, close: nothing };
  });
});

describe('Vault’s transit engine', () => {
  it('is sent the data key and the additional data as base64 under the token, and nothing else', async () => {
    const server = await startTransitServer('s.token', ['one']);
    const kek = vaultTransitKek({
      address: server.address,
      token: { text: 's.token' },
      mount: 'transit',
      key: 'one',
    });
    const dek = randomBytes(32);
    await kek.unwrap(await kek.wrap(dek, Buffer.from('aad')), Buffer.from('aad'));
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/transit/encrypt/one',
      '/v1/transit/decrypt/one',
    ]);
    expect(server.requests[0]?.body).toEqual({
      plaintext: dek.toString('base64'),
      associated_data: Buffer.from('aad').toString('base64'),
    });
    await server.close();
  });

  it('reads the token file anew for each request, so that a renewed token is used', async () => {
    const server = await startTransitServer('new', ['one']);
    const path = join(folder, 'token');
    await writeFile(path, 'old\n');
    const kek = vaultTransitKek({ address: server.address, token: { path }, mount: 'transit', key: 'one' });
    await expect(kek.wrap(randomBytes(32), new Uint8Array())).rejects.toMatchObject({
      code: 'KEK_UNAVAILABLE',
      details: { cause: expect.stringContaining('403') },
    });
    await writeFile(path, 'new\n');
    await kek.wrap(randomBytes(32), new Uint8Array());
    await server.close();
  });

  it('is never spoken to in clear over a network', () => {
    const options = { token: { text: 't' }, mount: 'transit', key: 'k' };
    expect(() => vaultTransitKek({ ...options, address: 'http://vault.example.org:8200' })).toThrow(
      expect.objectContaining({ code: 'KEK_UNAVAILABLE' }),
    );
    expect(vaultTransitKek({ ...options, address: 'https://vault.example.org:8200' }).id).toBe(
      'vault-transit:transit/k',
    );
  });
});

describe('AWS KMS', () => {
  it('is told a digest of the row and no name or address: the context stands readable in CloudTrail', async () => {
    const kms = fakeKms(ARNS);
    await awsKmsKek(kms.client, ARNS[0]).wrap(randomBytes(32), Buffer.from('user-1 wallet-1'));
    expect(kms.contexts).toEqual([{ row: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });

  it('says in one sentence what is missing: a proper ARN, or the package', async () => {
    await expect(openAwsKms('my-key')).rejects.toMatchObject({
      details: { cause: expect.stringContaining('arn:aws:kms:<region>') },
    });
    // Resolves where an operator has installed the package; opening a client asks nothing of the network.
    const opened = await openAwsKms(ARNS[0]).catch((error: unknown) => error);
    if (opened instanceof Error) {
      expect(opened).toMatchObject({
        code: 'KEK_UNAVAILABLE',
        details: { cause: expect.stringContaining('npm install --no-save @aws-sdk/client-kms') },
      });
    }
  });
});

describe('the ring', () => {
  it('moves from one provider to another: wallets of the file open beside new ones of Vault', async () => {
    const server = await startTransitServer('s.token', ['one']);
    const file = { kind: 'file', path: await keyFile('ring'), create: false } as const;
    const vault = {
      kind: 'vault-transit',
      address: server.address,
      token: { text: 's.token' },
      mount: 'transit',
      key: 'one',
    } as const;
    const seed = randomBytes(32);
    const owner = { walletId: 'w', userId: 'u', publicKey: seedAddress(seed) };
    const old = await sealSeed(seed, owner, (await openKeyring(file)).current);
    const both = await openKeyring(vault, [file]);
    expect(await unsealSeed(old, both)).toEqual(seed);
    const fresh = await sealSeed(seed, owner, both.current);
    expect(fresh.kekId).toBe('vault-transit:transit/one');
    expect(await unsealSeed(fresh, both)).toEqual(seed);
    await expect(unsealSeed(old, keyring(both.current))).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    await server.close();
    await expect(unsealSeed(fresh, both)).rejects.toMatchObject({ code: 'KEK_UNAVAILABLE' });
  });

  it('counts a key that is named twice once', async () => {
    const file = { kind: 'file', path: await keyFile('twice'), create: false } as const;
    const ring = await openKeyring(file, [file, file]);
    expect(ring.find(ring.current.id)).toBe(ring.current);
  });
});

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { kekFromText } from '../../../src/platform/vault/kek-env.ts';
import { bitsOfOthers, kekFromFile } from '../../../src/platform/vault/kek-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kek-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, text: string, mode: number): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
};

describe('the key file', () => {
  it.each([0o400, 0o600])('is read with mode %o, as hex or base64 of the same key', async (mode) => {
    const key = randomBytes(32);
    const hex = await kekFromFile(await write(`hex-${mode}`, `${key.toString('hex')}\n`, mode));
    const base64 = await kekFromFile(await write(`b64-${mode}`, key.toString('base64'), mode));
    expect(hex.id).toBe(base64.id);
    const aad = Buffer.from('aad');
    const box = await hex.wrap(Buffer.alloc(32, 3), aad);
    expect(await base64.unwrap(box, aad)).toEqual(Buffer.alloc(32, 3));
    await expect(base64.unwrap(box, Buffer.from('other'))).rejects.toThrow();
  });

  it.each([0o440, 0o404, 0o644, 0o620, 0o777])('is refused with mode %o', async (mode) => {
    const path = await write(`open-${mode}`, randomBytes(32).toString('hex'), mode);
    await expect(kekFromFile(path)).rejects.toMatchObject({
      code: 'KEK_UNAVAILABLE',
      details: {
        cause: `the key file ${path} is readable by others (mode ${mode.toString(8)}): chmod 400 it`,
      },
    });
  });

  it('may show the group’s right to read where systemd gives a unit its credentials, and nowhere else', () => {
    expect(bitsOfOthers('/run/credentials/tradepost@signer.service/kek')).toBe(0o037);
    for (const path of [
      'secrets/kek',
      '/opt/run/credentials/tradepost@signer.service/kek',
      '/run/credentials/kek',
      '/run/credentials/../../tmp/a/kek',
    ])
      expect(bitsOfOthers(path), path).toBe(0o077);
  });

  it('is not asked for its mode on Windows, where modes say nothing', async () => {
    const path = await write('windows', randomBytes(32).toString('hex'), 0o644);
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    try {
      expect((await kekFromFile(path)).id).toMatch(/^local-/);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it.each(['', 'abc', 'zz'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33)])(
    'is refused holding %j',
    async (text) => {
      const path = await write('malformed', text, 0o600);
      await expect(kekFromFile(path)).rejects.toMatchObject({
        code: 'KEK_UNAVAILABLE',
        details: {
          cause: `the key file ${path} must hold 32 bytes as 64 hex digits or base64, nothing else`,
        },
      });
      await rm(path);
    },
  );

  it('is refused when missing, and never made', async () => {
    const path = join(await mkdtemp(join(folder, 'made-')), 'a', 'b', 'kek');
    await expect(kekFromFile(path)).rejects.toMatchObject({
      code: 'KEK_UNAVAILABLE',
      details: {
        cause: `the key file ${path} cannot be read: there is no such file. Correct KEK_FILE, or put the key there`,
      },
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
    // Nothing was made in its place.
    await expect(stat(dirname(path))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([0o700, 0o755])('is named when a folder of mode %o is in its place', async (mode) => {
    const inPlace = await mkdtemp(join(folder, 'folder-'));
    await chmod(inPlace, mode);
    await expect(kekFromFile(inPlace)).rejects.toMatchObject({
      code: 'KEK_UNAVAILABLE',
      details: { cause: `the key file ${inPlace} cannot be read: it is a folder. Name the file in KEK_FILE` },
    });
  });
});

describe('the key in the environment', () => {
  it('is the same key as in a file, and is named when malformed', async () => {
    const key = randomBytes(32).toString('hex');
    expect(kekFromText(key, 'KEK').id).toBe((await kekFromFile(await write('env', key, 0o400))).id);
    expect(() => kekFromText('short', 'KEK')).toThrow(
      expect.objectContaining({
        code: 'KEK_UNAVAILABLE',
        details: { cause: 'KEK must hold 32 bytes as 64 hex digits or base64' },
      }),
    );
  });
});

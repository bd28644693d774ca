import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, describe, expect, it } from 'vitest';
import { createDumpFile, dumpLines } from '../../../src/platform/db/dump-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tradepost-dump-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
function fresh(): string {
  count += 1;
  return join(folder, `dump-${count}`);
}

async function write(path: string, recipient: string | null, lines: readonly string[]): Promise<void> {
  const file = await createDumpFile(path, recipient);
  for (const line of lines) await file.write(`${line}\n`);
  await file.finish();
}

async function read(path: string, identity: string | null): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of dumpLines(path, identity)) lines.push(line);
  return lines;
}

/** More than any buffer on the way holds. */
const many = Array.from({ length: 20_000 }, (_, n) => `{"row":${n},"secret":"needle-${n * 7_919}"}`);

describe('a dump file', () => {
  it('comes back line by line, plain', async () => {
    const path = fresh();
    await write(path, null, many);
    expect(await read(path, null)).toEqual(many);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('comes back from an encrypted file with the identity alone', async () => {
    const identity = await generateX25519Identity();
    const path = fresh();
    await write(path, await identityToRecipient(identity), many);
    expect(readFileSync(path, 'latin1')).not.toContain('needle');
    expect(await read(path, identity)).toEqual(many);
    await expect(read(path, null)).rejects.toThrow('is encrypted');
    await expect(read(path, await generateX25519Identity())).rejects.toThrow('cannot be opened');
  });

  it('says when it is cut in half', async () => {
    const identity = await generateX25519Identity();
    const path = fresh();
    await write(path, await identityToRecipient(identity), many);
    truncateSync(path, Math.floor(statSync(path).size / 2));
    await expect(read(path, identity)).rejects.toThrow('torn');
  });

  it('is never written over, and needs a recipient that is one', async () => {
    const path = fresh();
    await write(path, null, ['a']);
    await expect(createDumpFile(path, null)).rejects.toThrow('exists already');
    await expect(createDumpFile(fresh(), 'ssh-rsa AAAA')).rejects.toThrow('no age recipient');
  });

  it('leaves nothing when it is given up', async () => {
    const identity = await generateX25519Identity();
    const path = fresh();
    const file = await createDumpFile(path, await identityToRecipient(identity));
    for (const line of many.slice(0, 5_000)) await file.write(line);
    await file.discard();
    expect(existsSync(path)).toBe(false);
  });
});

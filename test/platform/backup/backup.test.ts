import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { toBase58 } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { openBackup, sealBackup, secretKeyOf } from '../../../src/platform/backup/backup-file.ts';
import { readKey } from '../../../src/platform/backup/read-key.ts';

const COST = { n: 1_024, r: 8, p: 1 };
const PASSPHRASE = 'correct horse battery';
const seed = randomBytes(32);
const keypair = Keypair.fromSeed(seed);
const sealed = async () => Buffer.from(await sealBackup(seed, PASSPHRASE, COST)).toString('utf8');

describe('a backup file', () => {
  it('opens with its passphrase to a key that other wallets know by the same address', async () => {
    const text = await sealed();
    const opened = await openBackup(text, PASSPHRASE);
    expect(opened.address).toBe(keypair.publicKey.toBase58());
    expect([...secretKeyOf(opened.seed)]).toEqual([...keypair.secretKey]);
    expect(text).not.toContain(toBase58(seed));
  });

  it('takes the same passphrase typed with other code points', async () => {
    const text = Buffer.from(await sealBackup(seed, 'caf\u00e9 caf\u00e9 caf\u00e9', COST)).toString();
    expect((await openBackup(text, 'cafe\u0301 cafe\u0301 cafe\u0301')).seed.equals(seed)).toBe(true);
  });

  it('refuses a wrong passphrase and a change to any field', async () => {
    const text = await sealed();
    const refused = { code: 'BACKUP_UNREADABLE' };
    await expect(openBackup(text, `${PASSPHRASE}.`)).rejects.toMatchObject({
      details: { reason: 'passphrase' },
    });
    const file = JSON.parse(text) as Record<string, never>;
    const other = Buffer.from(await sealBackup(randomBytes(32), PASSPHRASE, COST)).toString();
    const foreign = JSON.parse(other) as Record<string, never>;
    for (const field of ['address', 'kdf', 'cipher', 'data']) {
      const mixed = JSON.stringify({ ...file, [field]: foreign[field] });
      await expect(openBackup(mixed, PASSPHRASE), field).rejects.toMatchObject(refused);
    }
    const data = Buffer.from(String(file['data']), 'base64');
    for (let bit = 0; bit < data.length * 8; bit += 7) {
      const flipped = Buffer.from(data);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const changed = JSON.stringify({ ...file, data: flipped.toString('base64') });
      await expect(openBackup(changed, PASSPHRASE)).rejects.toMatchObject(refused);
    }
  });

  it.each([
    ['no JSON', 'hello'],
    ['null', 'null'],
    ['another format', '{"format":"x","version":1}'],
  ])('refuses %s', async (_title, text) => {
    await expect(openBackup(text, PASSPHRASE)).rejects.toMatchObject({ details: { reason: 'format' } });
  });

  it('refuses a cost that would eat this machine', async () => {
    const file = JSON.parse(await sealed()) as { kdf: object };
    for (const cost of [{ n: 2 ** 30 }, { r: 1e9 }, { n: 3 }, { n: 0 }, { p: 1e6 }, { n: 1.5 }, { n: '8' }]) {
      const text = JSON.stringify({ ...file, kdf: { ...file.kdf, ...cost } });
      await expect(openBackup(text, PASSPHRASE)).rejects.toMatchObject({ details: { reason: 'format' } });
    }
  });
});

describe('a key that somebody brings', () => {
  it('is read as base58 or JSON, with or without its public half', () => {
    const whole = Buffer.from(keypair.secretKey);
    for (const text of [
      toBase58(whole),
      ` ${toBase58(whole)}\n`,
      JSON.stringify([...whole]),
      toBase58(seed),
      JSON.stringify([...seed]),
    ]) {
      expect(readKey(text).equals(seed)).toBe(true);
    }
  });

  it('is refused when it is anything else, or its halves do not belong together', () => {
    const mixed = Buffer.concat([seed, randomBytes(32)]);
    for (const text of [
      '',
      'hello',
      '[]',
      '[1,2,3]',
      '{"a":1}',
      '[256]',
      JSON.stringify(Array.from({ length: 64 }, () => 1.5)),
      toBase58(mixed),
      toBase58(randomBytes(33)),
      `${'1'.repeat(5_000)}`,
    ]) {
      expect(() => readKey(text), text.slice(0, 20)).toThrow(
        expect.objectContaining({ code: 'KEY_UNREADABLE' }),
      );
    }
  });
});

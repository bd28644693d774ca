import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hasCode } from '../../src/core/errors/app-error.ts';
import type { KeyEncryptionKey } from '../../src/platform/vault/kek.ts';

/** A provider under test: two different keys of it, and a way to make the first one unreachable. */
export type KekUnderTest = {
  readonly kek: KeyEncryptionKey;
  readonly other: KeyEncryptionKey;
  /** Null where there is nothing to reach: the key is in this process. */
  readonly cut: (() => Promise<void>) | null;
  readonly close: () => Promise<void>;
};

const aad = Buffer.from('row-1');

/** What every provider of a key-encryption key promises. */
export function describeKek(title: string, make: () => Promise<KekUnderTest>): void {
  describe(title, () => {
    const using = async (work: (under: KekUnderTest) => Promise<void>): Promise<void> => {
      const under = await make();
      try {
        await work(under);
      } finally {
        await under.close();
      }
    };

    it('opens what it wrapped, for every length of data and of additional data', () =>
      using(async ({ kek }) => {
        for (const [length, bound] of [
          [32, 0],
          [32, 5],
          [16, 300],
          [1, 1],
        ] as const) {
          const [dek, extra] = [randomBytes(length), randomBytes(bound)];
          const box = await kek.wrap(dek, extra);
          expect(Buffer.from(await kek.unwrap(box, extra))).toEqual(dek);
        }
      }));

    it('never wraps alike twice and never shows the data', () =>
      using(async ({ kek }) => {
        const dek = randomBytes(32);
        const boxes = await Promise.all(Array.from({ length: 10 }, () => kek.wrap(dek, aad)));
        expect(new Set(boxes.map((box) => Buffer.from(box).toString('hex'))).size).toBe(10);
        for (const box of boxes) expect(Buffer.from(box).includes(dek)).toBe(false);
      }));

    it('refuses other additional data, with an error that is not an outage', () =>
      using(async ({ kek }) => {
        const box = await kek.wrap(randomBytes(32), aad);
        for (const wrong of ['row-2', 'row-', '', 'row-1 ']) {
          await expect(kek.unwrap(box, Buffer.from(wrong))).rejects.toSatisfy(isRefusal);
        }
      }));

    it('refuses a changed, cut or foreign box', () =>
      using(async ({ kek, other }) => {
        const box = Buffer.from(await kek.wrap(randomBytes(32), aad));
        for (let index = 0; index < box.length; index += 5) {
          const changed = Buffer.from(box);
          changed[index]! ^= 1;
          await expect(kek.unwrap(changed, aad)).rejects.toSatisfy(isRefusal);
        }
        await expect(kek.unwrap(box.subarray(0, box.length - 12), aad)).rejects.toSatisfy(isRefusal);
        await expect(kek.unwrap(new Uint8Array(), aad)).rejects.toSatisfy(isRefusal);
        await expect(other.unwrap(box, aad)).rejects.toSatisfy(isRefusal);
      }));

    it('has an id of its own key, stable over uses', () =>
      using(async ({ kek, other }) => {
        const { id } = kek;
        await kek.wrap(randomBytes(32), aad);
        expect(kek.id).toBe(id);
        expect(id).toMatch(/^[\x21-\x7e]{3,200}$/);
        expect(other.id).not.toBe(id);
      }));

    it('says KEK_UNAVAILABLE when it cannot be asked, and never pretends', () =>
      using(async ({ kek, cut }) => {
        if (cut === null) return;
        const box = await kek.wrap(randomBytes(32), aad);
        await cut();
        await expect(kek.unwrap(box, aad)).rejects.toMatchObject({ code: 'KEK_UNAVAILABLE' });
        await expect(kek.wrap(randomBytes(32), aad)).rejects.toMatchObject({ code: 'KEK_UNAVAILABLE' });
      }));
  });
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && !hasCode(error, 'KEK_UNAVAILABLE');
}

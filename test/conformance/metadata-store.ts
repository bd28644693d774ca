import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MetadataStore } from '../../src/core/ports/metadata-store.ts';

type Make = (options: {
  readonly publicUrl: string | null;
  readonly maxBytes: number;
}) => Promise<MetadataStore>;

/** The rules of a store of documents and pictures. */
export function describeMetadataStore(make: Make): void {
  const roomy = 100_000_000;
  let store: MetadataStore;
  beforeAll(async () => {
    store = await make({ publicUrl: 'https://desk.example', maxBytes: roomy });
  });

  describe('a store of documents and pictures', () => {
    it('names a file by the hash of its bytes and gives exactly them back', async () => {
      const bytes = new Uint8Array(randomBytes(5_000));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(await store.put('png', bytes)).toEqual({
        sha256,
        uri: `https://desk.example/images/${sha256}.png`,
      });
      expect(await store.find(sha256, 'png')).toEqual(bytes);
    });

    it('keeps documents apart from pictures', async () => {
      const bytes = new TextEncoder().encode(`{"n":"${randomBytes(8).toString('hex')}"}`);
      const { sha256, uri } = await store.put('json', bytes);
      expect(uri).toBe(`https://desk.example/metadata/${sha256}.json`);
      expect(await store.find(sha256, 'jpg')).toBeNull();
      expect(await store.find(sha256, 'json')).toEqual(bytes);
    });

    it('takes the same bytes twice and keeps them once, also at the same time', async () => {
      const bytes = new Uint8Array(randomBytes(100));
      const stored = await Promise.all(Array.from({ length: 8 }, () => store.put('jpg', bytes)));
      expect(new Set(stored.map(({ uri }) => uri)).size).toBe(1);
    });

    it('knows nothing of what nobody put', async () => {
      expect(await store.find('0'.repeat(64), 'json')).toBeNull();
      expect(await store.find("' OR 1=1 --", 'json')).toBeNull();
    });

    it('refuses to hand out links while nobody knows its address', async () => {
      const lost = await make({ publicUrl: null, maxBytes: roomy });
      await expect(lost.put('json', new Uint8Array([1]))).rejects.toMatchObject({
        code: 'PUBLIC_URL_UNKNOWN',
      });
    });

    it('takes documents but no more pictures when their room is used up', async () => {
      const full = await make({ publicUrl: 'https://desk.example', maxBytes: 10 });
      await expect(full.put('png', new Uint8Array(randomBytes(20)))).rejects.toMatchObject({
        code: 'METADATA_STORE_FULL',
        details: { maxBytes: 10 },
      });
      await expect(full.put('json', new Uint8Array(randomBytes(20)))).resolves.toMatchObject({});
    });
  });
}

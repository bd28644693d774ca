import { createHash, randomBytes } from 'node:crypto';
import type { Address } from '@tradepost/solana';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FileShelf } from '../../src/platform/ports/metadata-store.ts';

type Make = (options: { readonly publicUrl: string | null; readonly maxBytes: number }) => Promise<FileShelf>;

/** The rules of a store of documents and pictures. */
export function describeMetadataStore(make: Make): void {
  const roomy = 100_000_000;
  let store: FileShelf;
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

    const document = (image: string) =>
      new TextEncoder().encode(JSON.stringify({ name: randomBytes(8).toString('hex'), image }));
    const soon = () => Date.now() + 60_000;
    const shortly = () =>
      new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    const MINT = 'So11111111111111111111111111111111111111112' as Address;

    it('says where a file would be and keeps nothing', async () => {
      const bytes = document('https://elsewhere.example/x.png');
      const located = await store.locate('json', bytes);
      expect(await store.find(located.sha256, 'json')).toBeNull();
      expect(await store.put('json', bytes)).toEqual(located);
      const lost = await make({ publicUrl: null, maxBytes: roomy });
      await expect(lost.locate('json', bytes)).rejects.toMatchObject({ code: 'PUBLIC_URL_UNKNOWN' });
    });

    it('deletes a document that no token came for, and then the picture that it alone named', async () => {
      await store.deleteUnused(soon());
      const [lone, shared] = [
        await store.put('png', new Uint8Array(randomBytes(50))),
        await store.put('jpg', new Uint8Array(randomBytes(50))),
      ];
      const first = await store.put('json', document(lone.uri));
      const second = await store.put('json', document(shared.uri));
      const kept = await store.put('json', document(shared.uri));
      await store.keep(kept.sha256);
      expect(await store.deleteUnused(Date.now() - 60_000)).toBe(0);
      await store.deleteUnused(soon());
      await store.deleteUnused(soon());
      for (const { sha256 } of [first, second]) expect(await store.find(sha256, 'json')).toBeNull();
      expect(await store.find(lone.sha256, 'png')).toBeNull();
      expect(await store.find(kept.sha256, 'json')).not.toBeNull();
      expect(await store.find(shared.sha256, 'jpg')).not.toBeNull();
    });

    it('keeps what was kept when the same document is put again', async () => {
      const bytes = document('x');
      const { sha256 } = await store.put('json', bytes);
      await store.keep(sha256);
      await store.put('json', bytes);
      expect(await store.deleteUnused(soon())).toBe(0);
      expect(await store.find(sha256, 'json')).not.toBeNull();
    });

    it('keeps a document whose mint is awaited until somebody has looked', async () => {
      const { sha256, uri } = await store.put('json', document('x'));
      const wait = { mint: MINT, sha256, uri, since: 1_000 };
      await store.awaitMint(wait);
      const due = (lookedBefore: number, endBefore: number) =>
        store.awaitedMints({ lookedBefore, endBefore, limit: 10 });
      expect(await due(1_000, 0)).toEqual([]);
      expect(await due(1_001, 0)).toEqual([wait]);
      await store.settleMint(wait, 5_000);
      expect(await due(9_000, 1_000)).toEqual([]);
      expect(await due(9_000, 1_001)).toEqual([wait]);
      expect(await store.deleteUnused(soon())).toBe(0);
      await store.settleMint(wait, null);
      expect(await due(9_000, 9_000)).toEqual([]);
      expect(await store.deleteUnused(soon())).toBe(1);
    });

    it('deletes a picture that no document names once its time is over, and not before', async () => {
      const { sha256 } = await store.put('png', new Uint8Array(randomBytes(50)));
      await store.deleteUnused(Date.now() - 60_000);
      expect(await store.find(sha256, 'png')).not.toBeNull();
      expect(await store.deleteUnused(soon())).toBeGreaterThanOrEqual(1);
      expect(await store.find(sha256, 'png')).toBeNull();
      expect(await store.deleteUnused(soon())).toBe(0);
    });

    it('never deletes a picture that a document names, by hash or by another name, nor a document that is kept', async () => {
      const first = await store.put('png', new Uint8Array(randomBytes(50)));
      const second = await store.put('jpg', new Uint8Array(randomBytes(50)));
      const cid = `bafy${randomBytes(8).toString('hex')}`;
      await store.alsoKnownAs({ sha256: second.sha256, type: 'jpg' }, cid);
      const bare = await store.put('json', document('https://elsewhere.example/x.png'));
      // Whatever host the link names: ours may have moved since.
      const former = await store.put('json', document(`https://former.example/images/${first.sha256}.png`));
      const pinned = await store.put('json', document(`ipfs://${cid}`));
      for (const { sha256 } of [bare, former, pinned]) await store.keep(sha256);
      // Sent once more, it does not begin to wait again.
      const picture = await store.find(first.sha256, 'png');
      await store.put('png', picture ?? new Uint8Array(1));
      expect(await store.deleteUnused(soon())).toBe(0);
      expect(await store.find(first.sha256, 'png')).not.toBeNull();
      expect(await store.find(second.sha256, 'jpg')).not.toBeNull();
      expect(await store.find(bare.sha256, 'json')).not.toBeNull();
    });

    it('lets the same picture wait anew when it is sent again', async () => {
      const bytes = new Uint8Array(randomBytes(50));
      const { sha256 } = await store.put('png', bytes);
      await shortly();
      const between = Date.now() - 10;
      await store.put('png', bytes);
      expect(await store.deleteUnused(between)).toBe(0);
      expect(await store.find(sha256, 'png')).toEqual(bytes);
    });

    it('keeps each picture whose document comes while the sweep runs, or has deleted it before', async () => {
      await store.deleteUnused(soon());
      for (let round = 0; round < 10; round += 1) {
        const { sha256, uri } = await store.put('png', new Uint8Array(randomBytes(50)));
        await shortly();
        // The picture is overdue then, its document is not.
        const between = Date.now() - 10;
        const [gone, { sha256: name }] = await Promise.all([
          store.deleteUnused(between),
          store.put('json', document(uri)),
        ]);
        expect((await store.find(sha256, 'png')) === null).toBe(gone > 0);
        expect(await store.deleteUnused(between)).toBe(0);
        await store.keep(name);
      }
    });

    it('has room again for what was deleted', async () => {
      const small = await make({ publicUrl: 'https://desk.example', maxBytes: 1_500_000 });
      await small.deleteUnused(soon());
      await small.put('png', new Uint8Array(randomBytes(1_000_000)));
      const more = new Uint8Array(randomBytes(1_000_000));
      await expect(small.put('png', more)).rejects.toMatchObject({ code: 'METADATA_STORE_FULL' });
      expect(await small.deleteUnused(soon())).toBe(1);
      await expect(small.put('png', more)).resolves.toMatchObject({});
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

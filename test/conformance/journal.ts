import { describe, expect, it } from 'vitest';
import type { SignedEntry } from '../../src/engine/signing/rules/record.ts';
import type { Journal } from '../../src/platform/ports/journal.ts';

/** A journal under test, and what happens to its process and its disk. */
export type JournalUnderTest = {
  readonly journal: Journal;
  /** The process dies; what it had flushed is opened again. */
  readonly restart: () => Promise<Journal>;
  /** Makes flushes fail, or work again. */
  readonly fill: (isFull: boolean) => void;
  readonly close: () => Promise<void>;
};

export const signedEntry = (n: number): SignedEntry => ({
  kind: 'signed',
  intentId: `intent-${n}`,
  intentKind: 'withdraw-sol',
  walletId: 'wallet-1',
  messageHash: `hash-${n}`,
  signature: `signature-${n}`,
  diesAfter: 400n + BigInt(n),
  signedSlot: 7n,
  ...(n % 2 === 0 ? { use: { userId: `user-${n}`, withdrawn: 10n ** 18n, spent: BigInt(n) } } : {}),
});

async function read(journal: Journal) {
  const records = [];
  for await (const record of journal.records(0)) records.push(record);
  return records;
}

/** What every journal promises. */
export function describeJournal(title: string, make: () => Promise<JournalUnderTest>): void {
  describe(title, () => {
    const using = async (work: (under: JournalUnderTest) => Promise<void>): Promise<void> => {
      const under = await make();
      try {
        await work(under);
      } finally {
        await under.close();
      }
    };

    it('gives lines back as they were appended, in their order, without a gap', () =>
      using(async ({ journal }) => {
        const first = journal.head().seq;
        const entries = Array.from({ length: 30 }, (_one, n) => signedEntry(n));
        const records = await Promise.all(entries.map((entry) => journal.append(entry)));
        expect(records.map(({ seq }) => seq)).toEqual(entries.map((_one, n) => first + 1 + n));
        expect(journal.head()).toEqual({
          journalId: journal.id,
          seq: first + 30,
          hash: records.at(-1)?.hash,
        });
        const found = (await read(journal)).filter(({ seq }) => seq > first);
        expect(found.map(({ entry }) => entry)).toEqual(entries);
        expect(found.slice(1).map(({ prev }) => prev)).toEqual(found.slice(0, -1).map(({ hash }) => hash));
        expect(await journal.hashAt(first + 3)).toBe(records[2]?.hash);
        expect(await journal.hashAt(first + 31)).toBeNull();
      }));

    it('keeps what was appended over the death of its process', () =>
      using(async ({ journal, restart }) => {
        const { seq, hash } = await journal.append(signedEntry(1));
        const again = await restart();
        expect(again.id).toBe(journal.id);
        expect(await again.hashAt(seq)).toBe(hash);
        const next = await again.append(signedEntry(2));
        expect(next.seq).toBeGreaterThan(seq);
        const signed = (await read(again)).map(({ entry }) => entry).filter(({ kind }) => kind === 'signed');
        expect(signed).toEqual([signedEntry(1), signedEntry(2)]);
      }));

    it('writes what was noted with the next line, before it', () =>
      using(async ({ journal }) => {
        const before = journal.head();
        journal.note({ kind: 'stored', signatures: ['a'] });
        expect(journal.head()).toEqual(before);
        await journal.append(signedEntry(1));
        const entries = (await read(journal)).map(({ entry }) => entry);
        expect(entries.slice(-2)).toEqual([{ kind: 'stored', signatures: ['a'] }, signedEntry(1)]);
      }));

    it('says JOURNAL_FULL when it cannot flush, keeps nothing of it, and goes on when there is room', () =>
      using(async ({ journal, fill }) => {
        const { seq } = await journal.append(signedEntry(1));
        fill(true);
        await expect(journal.append(signedEntry(2))).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
        await expect(journal.append(signedEntry(3))).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
        expect(journal.head().seq).toBe(seq);
        fill(false);
        expect((await journal.append(signedEntry(4))).seq).toBe(seq + 1);
        const signed = (await read(journal))
          .map(({ entry }) => entry)
          .filter(({ kind }) => kind === 'signed');
        expect(signed).toEqual([signedEntry(1), signedEntry(4)]);
      }));

    it('passes every kind of line through unchanged', () =>
      using(async ({ journal }) => {
        const entries = [
          signedEntry(1),
          { kind: 'stored', signatures: ['a', 'b'] },
          {
            kind: 'ended',
            signature: 'a',
            how: 'dead',
            looks: [{ endpoint: 'node', at: 5, slot: 2n ** 60n }],
          },
          { kind: 'pin-wrong', user: 'u' },
          { kind: 'pin-right', user: 'u' },
          { kind: 'fence', fenceId: 'f', reason: 'an "odd" reason\nof two lines', dataAsOf: 3 },
          { kind: 'unfence', fenceId: 'f', accepted: ['a'] },
          { kind: 'trail', act: 2n ** 60n, hash: 'ab'.repeat(32) },
          { kind: 'paid', intentId: 'intent', lamports: 2n ** 62n },
          { kind: 'share', intentId: 'intent', inviterId: 'u', lamports: 2n ** 60n },
          { kind: 'share-proved', intentId: 'intent' },
          { kind: 'owed', intentId: 'i', userId: 'u', proved: 2n ** 60n, unproved: 0n },
          { kind: 'account', userId: 'u', credit: 2n ** 61n, used: 3n },
          { kind: 'fire', orderId: 'o', n: 2, intentId: 'intent', units: 2n ** 63n, until: 7 },
          { kind: 'fire-void', orderId: 'o', intentId: 'intent' },
          { kind: 'copied', copyId: 'c', intentId: 'intent', until: 7, lamports: 2n ** 60n },
          { kind: 'key-ended', keyId: 'k', until: 7 },
          { kind: 'order', orderId: 'o', agreedAt: 5, stopped: true, until: 7 },
        ] as const;
        for (const entry of entries) await journal.append(entry);
        const found = (await read(journal)).map(({ entry }) => entry);
        expect(found.slice(-entries.length)).toEqual(entries);
      }));
  });
}

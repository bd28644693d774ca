import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { searchKey } from '../../../src/modules/market/rules/search-key.ts';
import { openTape, type Tape } from '../../../src/platform/tape/open-tape.ts';
import { createTestDatabase } from '../../support/database.ts';
import { freshAddress, newMarkets } from '../../support/tape-rows.ts';

const NOW = 1_800_000_000_000;
let tape: Tape;
beforeAll(async () => {
  tape = await openTape({ url: await createTestDatabase() });
});
afterAll(() => tape.tape.close());

let mints: Map<string, Address>;
const save = async (names: readonly (readonly [symbol: string | null, name: string | null])[], now = NOW) => {
  for (const [symbol, name] of names) {
    const mint = freshAddress();
    mints.set(symbol ?? name ?? '', mint);
    await tape.tokenIndex.save([{ mint, symbol, name, decimals: 6 }], now);
  }
};
const found = async (text: string, limit = 50) =>
  (await tape.tokenIndex.search(searchKey(text), limit)).map(({ symbol }) => symbol);

describe('the token index', () => {
  beforeEach(() => {
    mints = new Map();
  });

  it('finds by ticker, beginning, part and likeness, under a locale that knows ASCII alone', async () => {
    await save([
      ['ZEBRA', 'Striped Horse'],
      ['ZEB', null],
      ['XZEBX', 'Something'],
      ['бонк', 'бонк инусти'],
    ]);
    expect((await found('$zebra'))[0]).toBe('ZEBRA');
    expect(new Set(await found('zeb'))).toEqual(new Set(['ZEB', 'ZEBRA', 'XZEBX']));
    expect((await found('zeb'))[0]).toBe('ZEB');
    expect(await found('striped')).toEqual(['ZEBRA']);
    expect(await found('zebrra')).toContain('ZEBRA');
    expect(await found('бонк')).toEqual(['бонк']);
    expect(await found('бон')).toEqual(['бонк']);
    expect(await found('z')).not.toContain('XZEBX');
    expect(await found('nobody has it')).toEqual([]);
    expect(await found('')).toEqual([]);
  });

  it('takes what SQL and LIKE read otherwise for letters', async () => {
    await save([
      ['A%B', null],
      ['AXB', null],
      ['Q_W', null],
      ['QXW', null],
      ["O'B", null],
      ['B\\S', null],
    ]);
    expect(await found('a%b')).not.toContain('AXB');
    expect(await found('a%b')).toContain('A%B');
    expect(await found('q_w')).toEqual(['Q_W']);
    expect(await found("o'b")).toContain("O'B");
    expect(await found('b\\s')).toContain('B\\S');
    for (const text of ['%', '_', "'", '\\', '"; DROP TABLE x; --', '\u0301'.repeat(64)])
      expect(await found(text)).toEqual(await found(text));
  });

  it('says whose ticker a look-alike’s is', async () => {
    const [pup] = await newMarkets(tape.markets, ['KUMQUAT']);
    const [fake] = await newMarkets(tape.markets, ['КUMQUAT']);
    for (const [market, symbol] of [
      [pup, 'KUMQUAT'],
      [fake, 'КUMQUAT'],
    ] as const)
      await tape.tokenIndex.save(
        [{ mint: market?.baseMint as Address, symbol, name: null, decimals: 6 }],
        NOW,
      );
    const hits = await tape.tokenIndex.search(searchKey('kumquat'), 10);
    expect(hits.map(({ mint, bare, imitates }) => [mint, bare, imitates])).toEqual([
      [pup?.baseMint, true, null],
      [fake?.baseMint, false, pup?.baseMint],
    ]);
  });

  it('keeps the owner of a ticker among thousands that have it', async () => {
    const [own] = await newMarkets(tape.markets, ['FLOOD']);
    const flood = Array.from({ length: 2_000 }, () => ({
      mint: freshAddress(),
      symbol: 'FLOOD',
      name: 'Flood',
      decimals: 6,
    }));
    await tape.tokenIndex.save(flood, NOW);
    await tape.tokenIndex.save(
      [{ mint: own?.baseMint as Address, symbol: 'FLOOD', name: 'Zzz', decimals: 6 }],
      NOW + 1,
    );
    const [first] = await tape.tokenIndex.search(searchKey('flood'), 10);
    expect(first).toMatchObject({ mint: own?.baseMint, bare: true });
  });

  it('keeps when a token was first seen, and takes a newer name, never an older one', async () => {
    await save([['OLDNAME', null]]);
    const mint = mints.get('OLDNAME') as Address;
    await tape.tokenIndex.save([{ mint, symbol: 'NEWNAME', name: 'N\0ul', decimals: 6 }], NOW + 10);
    await tape.tokenIndex.save([{ mint, symbol: 'OLDER', name: null, decimals: 6 }], NOW + 5);
    expect(await tape.tokenIndex.find([mint, freshAddress()])).toEqual([
      expect.objectContaining({ symbol: 'NEWNAME', name: 'Nul', firstSeenAt: NOW }),
    ]);
  });

  it('tells what is traded and was never read, then what was read long ago', async () => {
    const [market] = await newMarkets(tape.markets, ['UNREAD']);
    const mint = market?.baseMint as Address;
    const due = async (readBefore: number) => await tape.tokenIndex.due({ readBefore, limit: 1_000 });
    expect(await due(0)).toContain(mint);
    await tape.tokenIndex.save([{ mint, symbol: 'UNREAD', name: null, decimals: 6 }], NOW);
    expect(await due(NOW)).not.toContain(mint);
    expect(await due(NOW + 1)).toContain(mint);
  });

  it('shows the newest first, page by page', async () => {
    await save([['EARLY', null]], NOW + 1_000);
    await save([['LATE', null]], NOW + 2_000);
    const page = await tape.tokenIndex.newest({ limit: 2 });
    expect(page.map(({ symbol }) => symbol)).toEqual(['LATE', 'EARLY']);
    const all = await tape.tokenIndex.newest({ limit: 10_000 });
    const paged: string[] = [];
    for (let after: { at: number; mint: string } | undefined; ; ) {
      const some = await tape.tokenIndex.newest({ limit: 700, ...(after === undefined ? {} : { after }) });
      const last = some.at(-1);
      if (last === undefined) break;
      paged.push(...some.map(({ mint }) => mint));
      after = { at: last.firstSeenAt, mint: last.mint };
    }
    expect(paged).toEqual(all.map(({ mint }) => mint));
  });

  it('answers among 50,000 tokens through its indexes', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({
      mint: freshAddress(),
      symbol: `T${(index * 7_919).toString(36)}`,
      name: `Token number ${index.toString(36)} of many`,
      decimals: 6,
    }));
    for (let at = 0; at < many.length; at += 5_000)
      await tape.tokenIndex.save(many.slice(at, at + 5_000), NOW);
    await save([['ORCHID', 'A rare flower']]);
    expect(await found('orchid')).toEqual(['ORCHID']);
    expect(await found('rare flow')).toEqual(['ORCHID']);
  });

  it('keeps what trends, one list per window', async () => {
    const trend = { mint: freshAddress(), score: 1.5, traders: 2, volumeUsd: 3, netUsd: -1 };
    expect(await tape.trending.load(6)).toBeNull();
    await tape.trending.save(6, [trend], NOW);
    await tape.trending.save(6, [], NOW - 1);
    expect(await tape.trending.load(6)).toEqual({ computedAt: NOW, trends: [trend] });
    await tape.trending.save(6, [], NOW + 1);
    expect(await tape.trending.load(6)).toEqual({ computedAt: NOW + 1, trends: [] });
    expect(await tape.trending.load(24)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { exportTrades } from '../../../src/modules/positions/use/export-trades.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { buildToken } from '../tokens/build-token.ts';

const EVENT = {
  signature: 'sig',
  slot: 5n,
  at: Date.UTC(2026, 1, 3, 4, 5, 6, 789),
  final: true,
  intentId: null,
  networkFeeLamports: 5_000n,
  platformFeeLamports: 5_000_000n,
  rentLamports: 2_039_280n,
} as const;

async function text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new TextDecoder().decode(Buffer.concat(parts));
}

describe('an export', () => {
  async function history() {
    const db = fakeDatabase();
    const { user, wallet } = await storedPerson(db);
    const mint = newAddress();
    const evil = newAddress();
    const facts = { ...EVENT, walletId: wallet.id };
    await db.positions.record([
      { ...facts, mint, kind: 'buy', units: 700_000_000n, flowLamports: -505_005_000n },
      { ...facts, mint, slot: 6n, kind: 'sell', units: 700_000_000n, flowLamports: 480_000_000n },
      { ...facts, mint, slot: 7n, kind: 'failed', feeLamports: 5_000n },
      { ...facts, mint: evil, slot: 8n, kind: 'airdrop', units: 1n },
    ]);
    const chain = {
      token: async (asked: typeof mint) =>
        asked === evil
          ? buildToken({ mint: evil, symbol: '=HYPERLINK("http://x","y")', decimals: 0 })
          : buildToken({ mint, symbol: 'PUP', decimals: 6 }),
    };
    return { deps: { db, chain }, user, wallet, mint, evil };
  }

  it('has every event with exact numbers, and no formula', async () => {
    const { deps, user, wallet, mint, evil } = await history();
    const lines = (await text(exportTrades(deps, user.id, 'trades'))).split('\r\n');
    expect(lines[0]).toBe(
      'time_utc,wallet,kind,mint,symbol,decimals,units,lamports,network_fee_lamports,platform_fee_lamports,rent_lamports,slot,signature,intent_id,amount_shown,amount_scale',
    );
    const head = `2026-02-03T04:05:06.789Z,${wallet.address}`;
    expect(lines.slice(1)).toEqual([
      `${head},buy,${mint},PUP,6,700000000,-505005000,5000,5000000,2039280,5,sig,,700,1`,
      `${head},sell,${mint},PUP,6,700000000,480000000,5000,5000000,2039280,6,sig,,700,1`,
      `${head},failed,${mint},PUP,6,0,-5000,5000,5000000,2039280,7,sig,,0,1`,
      `${head},airdrop,${evil},"'=HYPERLINK(""http://x"",""y"")",0,1,0,5000,5000000,2039280,8,sig,,1,1`,
      '',
    ]);
  });

  it('has what left and what came beside the fees, in Koinly’s columns', async () => {
    const { deps, user, mint, evil } = await history();
    const lines = (await text(exportTrades(deps, user.id, 'koinly'))).split('\r\n');
    expect(lines).toEqual([
      'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
      // What was sent and the fee are all that left.
      `2026-02-03 04:05:06 UTC,0.5,SOL,700,PUP,0.005005,SOL,,,,buy ${mint},sig`,
      `2026-02-03 04:05:06 UTC,700,PUP,0.485005,SOL,0.005005,SOL,,,,sell ${mint},sig`,
      `2026-02-03 04:05:06 UTC,0.000005,SOL,,,,,,,cost,failed ${mint},sig`,
      `2026-02-03 04:05:06 UTC,,,1,"'=HYPERLINK(""http://x"",""y"")",,,,,airdrop,airdrop ${evil},sig`,
      '',
    ]);
  });

  it('shows amounts as screens do where a token scales them, and says by how much', async () => {
    const { deps, user, mint } = await history();
    const token = buildToken({
      mint,
      symbol: 'PUP',
      decimals: 6,
      uiScale: { numerator: 21n, denominator: 20n },
    });
    const scaled = { ...deps, chain: { token: async () => token } };
    const [, bought = ''] = (await text(exportTrades(scaled, user.id, 'trades'))).split('\r\n');
    expect(bought).toContain(',PUP,6,700000000,');
    expect(bought).toMatch(/,735,1\.05$/);
    const [, koinly = ''] = (await text(exportTrades(scaled, user.id, 'koinly'))).split('\r\n');
    expect(koinly).toContain(',735,PUP,');
    expect(koinly).toContain(`buy ${mint} × 1.05,`);
  });

  it('names no amount of a token that the chain does not tell of', async () => {
    const { deps, user } = await history();
    const silent = { ...deps, chain: { token: async () => null } };
    const [, bought] = (await text(exportTrades(silent, user.id, 'trades'))).split('\r\n');
    expect(bought).toMatch(/,700000000,.*,sig,,,$/);
  });

  it('reads the next page only when the last was taken, so 100,000 rows need no more memory than 500', async () => {
    const db = fakeDatabase();
    const { user, wallet } = await storedPerson(db);
    const mint = newAddress();
    let pages = 0;
    const positions = {
      ...db.positions,
      page: async (_ids: readonly string[], { limit }: { limit: number }): Promise<RecordedEvent[]> => {
        pages += 1;
        const length = pages <= 100_000 / limit ? limit : 0;
        return Array.from({ length }, (_, index) => ({
          ...EVENT,
          walletId: wallet.id,
          mint,
          signature: `${pages}-${index}`.padEnd(88, 'x'),
          kind: 'remainder',
          units: 1n,
        }));
      },
    };
    const chain = { token: async () => null };
    let [taken, rows, largest] = [0, 0, 0];
    for await (const chunk of exportTrades({ db: { ...db, positions }, chain }, user.id, 'trades')) {
      taken += 1;
      // The header is the first piece, and the page behind a piece is not read yet.
      expect(pages).toBe(taken - 1);
      largest = Math.max(largest, chunk.length);
      rows += new TextDecoder().decode(chunk).split('\r\n').length - 1;
    }
    expect(rows).toBe(100_001);
    expect(largest).toBeLessThan(200_000);
  });

  it('names no other person’s events', async () => {
    const { deps } = await history();
    const stranger = await storedPerson(deps.db);
    expect((await text(exportTrades(deps, stranger.user.id, 'trades'))).split('\r\n')).toHaveLength(2);
  });
});

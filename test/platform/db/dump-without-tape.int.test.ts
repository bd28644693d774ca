import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import { dumpDatabase } from '../../../src/platform/db/dump.ts';
import { openTape, type Tape } from '../../../src/platform/tape/open-tape.ts';
import { createTestDatabase } from '../../support/database.ts';
import { DAY_START, newMarkets, tradeAt } from '../../support/tape-rows.ts';

let tape: Tape;
let url: string;
const dir = mkdtempSync(join(tmpdir(), 'tradepost-dump-'));
beforeAll(async () => {
  url = await createTestDatabase();
  tape = await openTape({ url });
});
afterAll(async () => {
  await tape.tape.close();
  rmSync(dir, { recursive: true });
});

it('a dump has the markets and what they are called, and nothing of the tape', async () => {
  const [market] = (await newMarkets(tape.markets, ['PUP'])) as [Market];
  const trade = tradeAt(market.id, DAY_START);
  await tape.tape.append({ trades: [trade], live: [] });
  await tape.trending.save(1, [], 1);
  const path = join(dir, 'dump.jsonl');
  await dumpDatabase({ url, path });
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const tables = lines.flatMap((line) => {
    const { table } = JSON.parse(line) as { readonly table?: string };
    return table === undefined ? [] : [table];
  });
  expect(tables).toEqual(expect.arrayContaining(['markets', 'market_names', 'indexed_tokens', 'intents']));
  const ofTape =
    /^(trades|last_trades|candles|market_(cursors|stats)|tape_|slot_times|trader_markets|trending_tokens)/;
  expect(tables.filter((name) => ofTape.test(name))).toEqual([]);
  const text = lines.join('\n');
  expect(text).toContain(market.address);
  expect(text).not.toContain(trade.id.toString());
});

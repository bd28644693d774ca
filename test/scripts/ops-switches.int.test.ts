import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertNotPaused } from '../../src/engine/switches/use/assert-not-paused.ts';
import { createSwitchBoard } from '../../src/engine/switches/use/switch-board.ts';
import {
  type ConfirmTradeDeps,
  type ConfirmTradeInput,
  confirmTrade,
} from '../../src/modules/trading/use/confirm-trade.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { newId } from '../conformance/store-rows.ts';
import { runOps, runOpsHere } from '../modules/operations/run-ops.ts';
import { administer, createTestDatabase } from '../support/database.ts';

describe('pause, resume, status', () => {
  let url: string;
  let db: PrismaDatabase;
  beforeAll(async () => {
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
  });
  afterAll(() => db.close());

  const ops = (...args: readonly string[]) => runOpsHere(args, { DATABASE_URL: url });
  const trail = () => db.auditLog.list({}, { limit: 3, offset: 0 });

  it('stops what is named, says why, and lets it go on', async () => {
    const board = createSwitchBoard({
      flags: db.flags,
      clock: { now: () => Date.now() },
      log: { warn: () => undefined },
    });
    expect(await board.pauseOf('trading')).toBeNull();
    const paused = await ops('pause', 'trading', '--reason', '  a venue\n misquotes. ');
    expect(paused).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^trading is paused until it is resumed: a venue misquotes\./),
    });
    await expect(assertNotPaused(db.flags, ['signing', 'trading'])).rejects.toMatchObject({
      code: 'PAUSED',
      details: { what: 'trading', reason: 'a venue misquotes', until: null },
    });
    // Another process, which asks its own memory: within the second that is promised.
    const deadline = Date.now() + 1_000;
    let seen = await board.pauseOf('trading');
    while (seen === null && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen = await board.pauseOf('trading');
    }
    expect(seen).toMatchObject({ what: 'trading', reason: 'a venue misquotes' });

    expect(await ops('status')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/trading +PAUSED since .*: a venue misquotes\n/),
    });
    expect(await ops('status', 'games')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^games +open\n$/),
    });
    expect(await ops('resume', 'trading', '--reason', 'mended')).toMatchObject({
      code: 0,
      out: expect.stringContaining('trading goes on'),
    });
    await assertNotPaused(db.flags, ['trading']);
    expect(await ops('resume', 'trading')).toMatchObject({
      code: 0,
      out: 'trading was not paused: nothing to resume.\n',
    });
    expect(await trail()).toMatchObject([
      { act: 'switch-resumed', outcome: 'unchanged', actor: expect.stringMatching(/^operator:./) },
      { act: 'switch-resumed', outcome: 'done', details: { what: 'trading', reason: 'mended' } },
      {
        act: 'switch-paused',
        outcome: 'done',
        details: { what: 'trading', reason: 'a venue misquotes', until: null },
      },
    ]);
  });

  it('typed in another process refuses the next confirmation in this one', async () => {
    // Nobody's wallet: what is not refused by the switch gets that far and no farther.
    const confirm = () =>
      confirmTrade({ db, needsReferralAccount: false } as unknown as ConfirmTradeDeps, {
        userId: newId(),
        walletId: newId(),
        idemKey: newId(),
        trade: { side: 'buy' } as ConfirmTradeInput['trade'],
      });
    await expect(confirm()).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
    const typed = (...args: readonly string[]) => runOps(args, { DATABASE_URL: url });
    expect(await typed('pause', 'trading', '--reason', 'a venue misquotes', '--for', '2h')).toMatchObject({
      code: 0,
    });
    await expect(confirm()).rejects.toMatchObject({
      code: 'PAUSED',
      details: { what: 'trading', reason: 'a venue misquotes', until: expect.any(Number) },
    });
    expect(await typed('resume', 'trading')).toMatchObject({ code: 0 });
    await expect(confirm()).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });

  it('ends by itself, by the clock of the database alone', async () => {
    await ops('pause', 'withdrawals', '--reason', 'look', '--for', '2h');
    const [pause] = await db.flags.pauses();
    expect(pause).toMatchObject({ what: 'withdrawals', reason: 'look' });
    expect((pause?.until ?? 0) - (pause?.since ?? 0)).toBeGreaterThan(7_190_000);
    expect(await db.flags.isSet('withdrawals-paused')).toBe(true);
    // As two hours later.
    await administer(
      url,
      `UPDATE system_flags SET until_at = now() - interval '1 ms' WHERE flag = 'withdrawals-paused'`,
    );
    expect(await db.flags.isSet('withdrawals-paused')).toBe(false);
    expect(await db.transact(({ flags }) => flags.hold())).toEqual(new Set());
    expect(await db.flags.pauses()).toEqual([]);
    expect((await ops('status', 'withdrawals')).code).toBe(0);
  });

  it('of two operators at once the later stands, both are told, and the trail has both', async () => {
    const both = await Promise.all([
      ops('pause', 'venue:orca-whirlpool', '--reason', 'first'),
      ops('pause', 'venue:orca-whirlpool', '--reason', 'second'),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.filter(({ out }) => out.includes('was paused already'))).toHaveLength(1);
    const [later, earlier] = await trail();
    expect([later?.act, earlier?.act]).toEqual(['switch-paused', 'switch-paused']);
    expect(await db.flags.pauses()).toMatchObject([
      { what: 'venue:orca-whirlpool', reason: later?.act === 'switch-paused' ? later.details?.reason : null },
    ]);
    const ended = await Promise.all([
      ops('resume', 'venue:orca-whirlpool'),
      ops('resume', 'venue:orca-whirlpool'),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended.filter(({ out }) => out.includes('nothing to resume'))).toHaveLength(1);
    expect(await db.flags.pauses()).toEqual([]);
  });

  it.each([
    [
      ['pause', 'everything', '--reason', 'x'],
      'there is no switch "everything". There are signing, trading, ',
    ],
    [['pause', 'venue:nowhere', '--reason', 'x'], 'venue:raydium-clmm'],
    [['resume', 'quarantined'], 'there is no switch "quarantined"'],
    [['status', 'quarantined'], 'there is no switch'],
    [['pause', 'api'], '--reason: expected why'],
    [['pause', 'api', '--reason', ' . '], '--reason: expected why'],
    [['pause', 'api', '--reason', 'x'.repeat(201)], 'expected at most 200 characters, not 201'],
    [['pause', 'api', '--reason', 'x', '--for', '2'], '--for: expected a time like 30m, 2h or 7d'],
    [['pause', 'api', '--reason', 'x', '--for', '0h'], '--for: expected a time'],
    [['pause'], 'pause: expected SWITCH, which is missing'],
  ])('%j is refused with code 2 and changes nothing', async (args, expected) => {
    expect(await ops(...args)).toMatchObject({ code: 2, out: expect.stringContaining(expected) });
    expect(await db.flags.pauses()).toEqual([]);
  });
});

/**
 * Mining taps through the bot's whole middleware and handler and a real Postgres; only Telegram's own server is left out, whose
 * answers are made on the spot. 600 people tap more often than their energy allows: the sums are checked to the point.
 */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembleBot } from '../src/compose/assemble-bot.ts';
import type { BotDeps } from '../src/compose/bot.ts';
import { feesOf } from '../src/engine/fees/rules/fee-table.ts';
import { startLocalPostgres } from '../src/local/postgres/index.ts';
import { randomIds } from '../src/platform/clock/ids.ts';
import { createPrismaDatabase } from '../src/platform/db/prisma-database.ts';
import { createButtonStates } from '../src/platform/telegram/ui/state.ts';
import { storedPerson } from '../test/conformance/store-rows.ts';
import { memoryDialogStore } from '../test/support/chat/memory-dialog-store.ts';
import { PASSED } from '../test/support/passed.ts';
import type { Row } from './run.ts';

export const name = 'mining';

const PEOPLE = 600;
const TAPS = 13;
/** Energy for ten taps; the rest is refused. */
const PAID_TAPS = 10;
/** The pace that the production limit allows: three taps in two seconds. */
const STEP_MS = 667;
const AT_ONCE = 32;

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  // Run as root, the server is another user, who must be able to walk here.
  chmodSync(dir, 0o711);
  const postgres = await startLocalPostgres({ dir: join(dir, 'postgres') });
  const db = await createPrismaDatabase({ url: postgres.url, poolSize: AT_ONCE });
  try {
    let now = Date.UTC(2026, 10, 21, 12);
    const clock = { now: () => now };
    const ids = randomIds(clock.now);
    const log = { debug() {}, info() {}, warn() {}, error: console.error, child: () => log };
    // Other features' use cases: none is called.
    const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('not part of this')) });
    const deps = {
      trade: unused,
      withdrawals: unused,
      guard: unused,
      backups: unused,
      mint: unused,
      // The wizards ask at once whether there is a launchpad.
      launch: { launchpads: [] },
      games: unused,
      convert: unused,
      db,
      dialogs: memoryDialogStore(),
      clock,
      ids,
      log,
      states: createButtonStates({ buttons: db.buttons, clock, ids }),
      options: {
        token: '1:bench',
        name: 'Bench',
        transport: { mode: 'polling' },
        maxWallets: 5,
        fees: feesOf(),
        referralRequiredFor: new Set(),
        explorerUrl: '',
        sourceUrl: null,
        rateLimit: { updates: 3, windowMs: 2_000 },
      },
    };
    const bot = assembleBot(deps as unknown as BotDeps & { readonly states: typeof deps.states });
    const calls = new Map<string, number>();
    bot.botInfo = {
      id: 1,
      is_bot: true,
      first_name: 'Bench',
      username: 'bench_bot',
    } as typeof bot.botInfo;
    bot.api.config.use(async (_previous, method) => {
      calls.set(method, (calls.get(method) ?? 0) + 1);
      return { ok: true, result: true } as never;
    });

    const people: { readonly userId: string; readonly telegramId: number }[] = [];
    for (let i = 0; i < PEOPLE; i += 1) {
      const { user, wallet } = await storedPerson(db);
      await db.users.activate(PASSED, user.id, wallet.id);
      people.push({ userId: user.id, telegramId: Number(user.telegramId) });
    }
    let updateId = 0;
    const tap = (telegramId: number) => {
      updateId += 1;
      const from = { id: telegramId, is_bot: false, first_name: 'Ada', language_code: 'en' };
      return bot.handleUpdate({
        update_id: updateId,
        callback_query: {
          id: String(updateId),
          from,
          chat_instance: '1',
          data: 'points:mine',
          message: {
            message_id: 5,
            date: 1,
            chat: { id: telegramId, type: 'private', first_name: 'Ada' },
            text: 'x',
          },
        },
      });
    };
    // One round warms the statements up; it counts for the sums, not for the time.
    let startedAt = performance.now();
    let cpu = process.cpuUsage();
    for (let round = 0; round < TAPS; round += 1) {
      now += STEP_MS;
      if (round === 1) {
        startedAt = performance.now();
        cpu = process.cpuUsage();
      }
      const queue = people.map(({ telegramId }) => telegramId);
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let next = queue.pop(); next !== undefined; next = queue.pop()) await tap(next);
        }),
      );
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const used = process.cpuUsage(cpu);
    let wrong = 0;
    for (const { userId, telegramId } of people) {
      const { points, miner } = await db.points.find(BigInt(telegramId), userId);
      if (points !== BigInt(PAID_TAPS * 10) || miner?.minedToday !== PAID_TAPS * 10) wrong += 1;
    }
    return [
      {
        metric: `mining taps through bot and Postgres, ${PEOPLE} people`,
        value: (PEOPLE * (TAPS - 1)) / seconds,
        unit: 'per second',
        note: 'goal 500',
      },
      {
        metric: 'processor time of the bot per tap',
        value: (used.user + used.system) / 1_000 / (PEOPLE * (TAPS - 1)),
        unit: 'ms',
        note: 'what one process can do at most, whatever else runs here: 1000 divided by it',
      },
      {
        metric: 'people with more or fewer points than their energy allows',
        value: wrong,
        unit: '',
        note: 'must be 0',
      },
      {
        metric: 'screen edits per tap',
        value: (calls.get('editMessageText') ?? 0) / (PEOPLE * TAPS),
        unit: '',
        note: 'at most one a second per chat',
      },
      {
        metric: 'answers per tap',
        value: (calls.get('answerCallbackQuery') ?? 0) / (PEOPLE * TAPS),
        unit: '',
        note: 'must be 1',
      },
    ];
  } finally {
    await db.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

import { systemClock } from '../../src/adapters/clock/clock.ts';
import { randomIds } from '../../src/adapters/clock/ids.ts';
import { createPointOperations } from '../../src/adapters/db/point-operations.ts';
import { MACHINE } from '../../src/adapters/db/referral-flags.ts';
import type { Config } from '../../src/config.ts';
import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { SOL_DECIMALS } from '../../src/core/amounts/lamports.ts';
import { SEASONS } from '../../src/core/points/seasons.ts';
import { REBATE_BUDGET, SHOP } from '../../src/core/points/shop.ts';
import type { MinerReport } from '../../src/core/ports/point-operations.ts';
import { closeSeason } from '../../src/services/points/close-season.ts';
import { openDatabase } from './open.ts';
import { solArgument } from './sol-argument.ts';

const WEEK_MS = 7 * 86_400_000;
const ROWS = 20;

class OpsError extends Error {
  override readonly name = 'OpsError';
}

/** `points abuse | budget SOL | stock ITEM N | season-close`. 1 when the abuse view has something to look at. */
export async function runPoints(
  config: Config,
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const [command = '', first = '', second = ''] = args;
  if (!['abuse', 'budget', 'stock', 'season-close'].includes(command))
    throw new OpsError(`points takes "abuse", "budget", "stock" or "season-close", not "${command}"`);
  const stock = command === 'stock' ? stockOf(first, second) : null;
  const budget = command === 'budget' ? solArgument(first) : null;
  const { db, close } = await openDatabase(config);
  const operations = createPointOperations(db.query);
  const clock = systemClock();
  try {
    if (budget !== null) {
      await db.shop.setStock(REBATE_BUDGET, budget);
      print(`${formatUnits(budget, SOL_DECIMALS)} SOL are left for rebates`);
      return 0;
    }
    if (stock !== null) {
      await db.shop.setStock(first, stock);
      print(`${stock} of ${first} are left`);
      return 0;
    }
    if (command === 'abuse') {
      const [top, machines, shared] = await Promise.all([
        operations.topMiners(clock.now() - WEEK_MS, ROWS),
        operations.machineLike(MACHINE.leastPauses, MACHINE.spread, ROWS),
        operations.sharedAddresses(ROWS),
      ]);
      print('Top miners of seven days');
      for (const row of top) print(reportText(row));
      print(
        `Taps like a machine's: pauses that differ by less than ${MACHINE.spread * 100} %, or every fifth tap too fast`,
      );
      for (const row of machines) print(reportText(row));
      print('Withdrawal addresses that several people share');
      for (const { address, telegramIds } of shared) print(`  ${address}  ${telegramIds.join(' ')}`);
      return machines.length + shared.length === 0 ? 0 : 1;
    }
    const over = SEASONS.filter(({ until }) => until <= clock.now()).at(-1);
    if (over === undefined)
      throw new OpsError(
        `No season is over yet: the first one ends on ${new Date(SEASONS[0].until).toISOString().slice(0, 10)}.`,
      );
    const ids = randomIds(() => clock.now());
    const { people, expired, already } = await closeSeason(
      { ledger: db.ledger, operations, clock, ids },
      over,
    );
    print(
      `season ${over.number} ${already ? 'was closed before' : 'is closed'}: ${expired} points of ${people} people expired`,
    );
    return 0;
  } finally {
    await close();
  }
}

function stockOf(item: string, count: string): bigint {
  if (!SHOP.some(({ id }) => id === item))
    throw new OpsError(`points stock: expected one of ${SHOP.map(({ id }) => id).join(' ')}, not "${item}"`);
  if (!/^\d{1,9}$/.test(count)) throw new OpsError(`points stock: expected a whole number, not "${count}"`);
  return BigInt(count);
}

function reportText(row: MinerReport): string {
  const rhythm =
    row.pauses === 0 ? 'no rhythm' : `${Math.round(row.pauseMs)} ± ${Math.round(row.spreadMs)} ms`;
  return `  ${row.telegramId}  ${row.mined} points  ${row.taps} taps, ${row.fastTaps} too fast  ${rhythm}`;
}

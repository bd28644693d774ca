import { systemClock } from '../../src/adapters/clock/clock.ts';
import type { Config } from '../../src/config.ts';
import { endSecondFactorLater } from '../../src/services/guard/second-factor.ts';
import { openDatabase } from './open.ts';

class OpsError extends Error {
  override readonly name = 'OpsError';
}

/** `second-factor end TELEGRAM_ID`: for somebody who lost their authenticator. 1 when there is nothing to end. */
export async function runSecondFactor(
  config: Config,
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const [command = '', id = ''] = args;
  if (command !== 'end' || !/^[0-9]{1,19}$/.test(id)) {
    throw new OpsError(`second-factor takes "end" and a Telegram id in digits, not "${args.join(' ')}"`);
  }
  const { db, close } = await openDatabase(config);
  try {
    const user = await db.users.findByTelegramId(BigInt(id));
    if (user === null) throw new OpsError(`nobody here has the Telegram id ${id}`);
    const endsAt = await endSecondFactorLater({ db, clock: systemClock() }, { userId: user.id });
    if (endsAt === null) {
      print('This person has no authenticator.');
      return 1;
    }
    print(
      `The authenticator of ${id} ends at ${new Date(endsAt).toISOString()}. A code that is used before then calls it off; the PIN, delays and caps stay.`,
    );
    return 0;
  } finally {
    await close();
  }
}

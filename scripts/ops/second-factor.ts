import { endSecondFactorLater } from '../../src/modules/guard/use/second-factor.ts';
import type { Io } from './command.ts';
import { gateOf } from './freeze.ts';
import { openDatabase } from './open.ts';
import { operator } from './operator.ts';
import { OpsError } from './ops-error.ts';
import { telegramId } from './read-values.ts';

/** `second-factor end TELEGRAM_ID`: for a person who lost their authenticator. 1 when there is nothing to end. */
export async function endSecondFactor(io: Io, id: string): Promise<number> {
  const { print } = io;
  const wanted = telegramId('second-factor end', id);
  const { db, close } = await openDatabase(io);
  try {
    const user = await db.users.findByTelegramId(wanted);
    if (user === null) throw new OpsError(`nobody here has the Telegram id ${id}`);
    const endsAt = await endSecondFactorLater(
      { db, ...gateOf(io.config()) },
      { userId: user.id, actor: operator() },
    );
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

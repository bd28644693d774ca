import type { Config } from '../../src/config/index.ts';
import { guardRulesOf } from '../../src/modules/guard/rules/guard-rules.ts';
import { endFreezeByOperator } from '../../src/modules/guard/use/end-freeze.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { operator } from './operator.ts';
import { OpsError, UsageError } from './ops-error.ts';
import { telegramId } from './read-values.ts';

const REASON_MAX = 200;

/** The clock, the ids and the rules with which an operator passes the gate: notices as in production. */
export const gateOf = (config: Config) => ({
  clock: systemClock(),
  ids: randomIds(() => systemClock().now()),
  guardRules: guardRulesOf(config, false),
});

/** `freeze end TELEGRAM_ID`: ends a freeze at once. 1 when nothing is frozen. */
export async function endFreeze(
  io: Io,
  id: string,
  values: { readonly reason: string | undefined; readonly confirm: string | undefined },
): Promise<number> {
  const wanted = telegramId('freeze end', id);
  const reason = (values.reason ?? '').replaceAll(/\s+/g, ' ').trim();
  if (reason === '' || reason.length > REASON_MAX)
    throw new UsageError(`--reason: expected why, in 1 to ${REASON_MAX} characters; it stays in the trail.`);
  // Typed anew for each person, so that no line of a shell's history thaws the next one.
  const phrase = `${id} may move money again`;
  if (values.confirm !== phrase)
    throw new UsageError(`--confirm: expected the words "${phrase}". Nothing was changed.`);
  const { db, close } = await openDatabase(io);
  try {
    const user = await db.users.findByTelegramId(wanted);
    if (user === null) throw new OpsError(`nobody here has the Telegram id ${id}`);
    const input = { userId: user.id, actor: operator(), reason };
    if (!(await endFreezeByOperator({ db, ...gateOf(io.config()) }, input))) {
      io.print('Nothing of this person is frozen.');
      return 1;
    }
    io.print(`The freeze of ${id} is over. They get a notice with a button that freezes again.`);
    return 0;
  } finally {
    await close();
  }
}

/** `npm run ops -- ip-block …`: addresses that may not ask for market data any more. */
import { isIP } from 'node:net';
import { createIpBlocks } from '../../src/modules/keys/store/ip-blocks.ts';
import type { IpBlocks } from '../../src/modules/keys/store/ip-blocks-port.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { clientKey } from '../../src/platform/http/limits/client-key.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { UsageError } from './ops-error.ts';

const REASON_MAX = 200;

export async function listBlocks(io: Io): Promise<number> {
  return await withBlocks(io, async (blocks) => {
    const all = await blocks.list();
    if (all.length === 0) io.print('Nobody is blocked.');
    for (const { client, since, reason } of all)
      io.print(`${client.padEnd(26)} since ${new Date(since).toISOString()}: ${reason}`);
    return 0;
  });
}

/** 1 when the address was not blocked. */
export async function liftBlock(io: Io, word: string): Promise<number> {
  const client = clientOf('ip-block lift', word);
  return await withBlocks(io, async (blocks, record) => {
    const lifted = await blocks.lift(client);
    if (lifted) await record('ip-block lift', [client]);
    io.print(lifted ? `${client} may ask again, within 5 seconds everywhere.` : `${client} was not blocked.`);
    return lifted ? 0 : 1;
  });
}

export async function addBlock(io: Io, word: string, why: string): Promise<number> {
  const client = clientOf('ip-block add', word);
  const reason = why.replaceAll(/\s+/g, ' ').trim();
  if (reason === '' || reason.length > REASON_MAX)
    throw new UsageError(`ip-block add: expected a reason of 1 to ${REASON_MAX} characters.`);
  return await withBlocks(io, async (blocks, record) => {
    await blocks.add({ client, since: systemClock().now(), reason });
    await record('ip-block add', [client, reason]);
    io.print(`${client} is blocked, within 5 seconds everywhere, until it is lifted.`);
    return 0;
  });
}

/** An IPv4 address, or the /64 of an IPv6 address, also as `list` prints it. */
function clientOf(command: string, word: string): string {
  const text = word.replace(/\/64$/, '');
  if (isIP(text) === 0)
    throw new UsageError(`${command}: expected an IP address, not "${word.slice(0, 64)}".`);
  return clientKey(text);
}

async function withBlocks(
  io: Io,
  work: (
    blocks: IpBlocks,
    record: (command: string, words: readonly string[]) => Promise<void>,
  ) => Promise<number>,
): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    return await work(db.open(createIpBlocks), (command, words) =>
      recordAct(db, 'operator-command', { command, words }),
    );
  } finally {
    await close();
  }
}

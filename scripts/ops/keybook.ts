import { readSignerBook } from '../../src/compose/open-journal.ts';
import { type KeptKey, takeKeyLine } from '../../src/engine/signing/rules/key-list.ts';
import { createKeyRows } from '../../src/engine/signing/store/key-rows.ts';
import { type Restored, restoreKey } from '../../src/modules/operations/use/restore-keys.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { Certifier } from '../../src/platform/ports/certificates.ts';
import type { Keyring } from '../../src/platform/vault/kek.ts';
import { openKeptKey } from '../../src/platform/vault/open-kept-key.ts';
import type { Io } from './command.ts';
import { openRing } from './journal-here.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { UsageError } from './ops-error.ts';

type Opened = Awaited<ReturnType<typeof openDatabase>>['db'];

/** Wallets asked for in one statement. */
const PAGE = 500;

/** Prints how many wallets the keybook holds, and each that the database lacks with its person. 1 when it lacks one. */
export async function keybookList(io: Io): Promise<number> {
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const { keys } = await readKeys(io, db);
    const lost = await lostIn(db, keys);
    io.print(`${keys.size} wallets in the keybook, ${lost.length} of them not in the database`);
    for (const kept of lost) io.print(describe(kept));
    return lost.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

/**
 * Puts back the wallets that the database lacks, with `yes`; else it prints them. `wallet` and `to` are the operator's word for one that
 * was never seen committed. 1 when a wallet stays out.
 */
export async function keybookRestore(
  io: Io,
  options: {
    readonly yes: boolean | undefined;
    readonly wallet: string | undefined;
    readonly to: string | undefined;
  },
): Promise<number> {
  const { wallet, to } = options;
  if ((wallet === undefined) !== (to === undefined))
    throw new UsageError('--wallet and --to go together: this wallet belongs to that Telegram id.');
  if (to !== undefined && !/^[1-9]\d{0,15}$/.test(to))
    throw new UsageError(`--to: ${JSON.stringify(to)} is no Telegram id.`);
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const { keys, keyring, certifier } = await readKeys(io, db);
    if (wallet !== undefined && !keys.has(wallet))
      throw new UsageError(`--wallet: the keybook holds no ${JSON.stringify(wallet)}.`);
    const lost = (await lostIn(db, keys)).filter(
      ({ lines: [key] }) => (wallet ?? key.walletId) === key.walletId,
    );
    if (options.yes !== true) {
      for (const kept of lost) io.print(describe(kept));
      io.print(`${lost.length} wallets are not in the database. With --yes they come back.`);
      return lost.length === 0 ? 0 : 1;
    }
    const kinds = await putBack(io, db, { lost, keyring, certifier, to: to ?? null });
    const left = kinds.filter((kind) => kind !== 'restored' && kind !== 'known').length;
    io.print(`${lost.length - left} of ${lost.length} wallets are back`);
    return left === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

/**
 * Puts back the wallets that a scratch database lacks and prints the result for each. 1 when one does not come back that the database in
 * use may have; one that was never seen committed is in no database, and waits for the operator's word there, too.
 */
export async function keybookRehearse(io: Io): Promise<number> {
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const { keys, keyring, certifier } = await readKeys(io, db);
    const kinds = await putBack(io, db, { lost: await lostIn(db, keys), keyring, certifier, to: null });
    const count = (one: Restored['kind']): number => kinds.filter((kind) => kind === one).length;
    io.print(
      `${keys.size} wallets in the keybook, ${kinds.length} newer than the dump, ${count('restored')} back`,
    );
    return count('treasury') + count('unreadable') === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

/** Opens and writes these keys alone, each in a commit with its row in the trail, and prints each result. */
async function putBack(
  io: Io,
  db: Opened,
  given: {
    readonly lost: readonly KeptKey[];
    readonly keyring: Keyring;
    readonly certifier: Certifier;
    readonly to: string | null;
  },
): Promise<readonly Restored['kind'][]> {
  const clock = systemClock();
  const deps: Parameters<typeof restoreKey>[0] = {
    db,
    clock,
    ids: randomIds(() => clock.now()),
    certifier: given.certifier,
    open: (line, userId) => openKeptKey(line, userId, given.keyring),
    record: (stores, { id }, telegramId) =>
      recordAct(
        stores,
        'operator-command',
        { command: 'keybook restore', words: [id] },
        { subject: `telegram:${telegramId}` },
      ),
  };
  const kinds: Restored['kind'][] = [];
  for (const kept of given.lost) {
    const { kind } = await restoreKey(deps, kept, given.to);
    io.print(`${kept.lines[0].publicKey}  ${SAYS[kind]}`);
    kinds.push(kind);
  }
  return kinds;
}

const SAYS: Readonly<Record<Restored['kind'], string>> = {
  restored: 'is back; its person spends nothing for 24 hours',
  known: 'is in the database',
  'no-owner': 'LEFT: it was never seen committed, so you say whose it is: --wallet ID --to TELEGRAM_ID',
  treasury: 'LEFT: it is a treasury, and the database has its own; see docs/operations.md',
  unreadable: 'LEFT: no key of the ring opens it. Name its key in KEK_OLD_FILES',
};

function describe({ lines: [{ walletId, userId, publicKey }], owner }: KeptKey): string {
  const whose =
    owner !== null ? `Telegram id ${owner}` : userId === null ? 'the treasury' : 'never seen committed';
  return `${walletId}  ${publicKey}  ${whose}`;
}

async function readKeys(io: Io, db: Opened) {
  const ring = await openRing(io, db);
  const { records } = await readSignerBook({ folder: io.config().journalDir, book: 'keybook', ...ring });
  const keys = new Map<string, KeptKey>();
  for await (const record of records(0)) takeKeyLine(keys, record);
  return { keys, keyring: ring.keyring, certifier: ring.certifier };
}

/** In the keybook's order. */
async function lostIn(db: Opened, keys: ReadonlyMap<string, KeptKey>): Promise<readonly KeptKey[]> {
  const rows = createKeyRows(db.query);
  const ids = [...keys.keys()];
  const known = new Set<string>();
  for (let at = 0; at < ids.length; at += PAGE)
    for (const { secret } of await rows.of(ids.slice(at, at + PAGE))) known.add(secret.walletId);
  return [...keys.values()].filter(({ lines: [key] }) => !known.has(key.walletId));
}

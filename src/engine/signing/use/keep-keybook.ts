import type { Keybook } from '../../../platform/ports/journal.ts';
import type { KeyHolder } from '../../../platform/ports/key-holder.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { JournalRecord } from '../rules/record.ts';
import type { KeyRow, KeyRows } from '../store/key-rows-port.ts';
import { keyEntry } from './write-key.ts';

/** Rows per look. Each that is new to the keybook is unsealed once, so that nothing foreign is written down. */
const PAGE = 200;
/** Looks between two passes over all rows: at 5 s each, ten minutes. */
const REST = 120;

export type KeptKeybook = Pick<Keybook, 'append'> & {
  /**
   * One look at the committed rows: people of wallets that have none yet, and the next page of all wallets. Appends the rows that `kek
   * rotate` moved, and those older than the keybook. Throws the errors of the database, the key and the keybook.
   */
  beat(): Promise<void>;
};

type Known = { readonly kekId: string; readonly publicKey: string; readonly isOwned: boolean };

/**
 * The keybook with its lines so far taken in. It follows the database by itself, so that a command on another host need not reach the
 * signer's disk. Only rows that the master key opens are written down: a planted row is logged and left out.
 */
export async function keepKeybook(deps: {
  readonly keybook: Pick<Keybook, 'append' | 'records'>;
  readonly rows: KeyRows;
  readonly keys: Pick<KeyHolder, 'holds'>;
  readonly log: Pick<Logger, 'error'>;
}): Promise<KeptKeybook> {
  const { keybook, rows } = deps;
  const known = new Map<string, Known>();
  const waiting = new Set<string>();
  const apply = (record: JournalRecord): void => takeIn({ known, waiting }, record);
  for await (const record of keybook.records(0)) apply(record);
  const append: Keybook['append'] = async (entry) => {
    const record = await keybook.append(entry);
    apply(record);
    return record;
  };
  const refused = new Set<string>();
  let after = '';
  let rest = 0;
  const follow = (row: KeyRow): Promise<void> => followRow({ ...deps, append, known, refused }, row);
  return {
    append,
    beat: async () => {
      // The newest: one whose row was never committed waits for good, and must not block others.
      for (const row of await rows.of([...waiting].slice(-PAGE))) await follow(row);
      if (rest > 0) {
        rest -= 1;
        return;
      }
      const page = await rows.page(after, PAGE);
      for (const row of page) await follow(row);
      after = page.length < PAGE ? '' : (page.at(-1)?.secret.walletId ?? '');
      if (after === '') rest = REST;
    },
  };
}

function takeIn(
  { known, waiting }: { readonly known: Map<string, Known>; readonly waiting: Set<string> },
  { entry }: JournalRecord,
): void {
  if (entry.kind === 'key') {
    const { walletId, userId, kekId, publicKey } = entry;
    const isOwned = known.get(walletId)?.isOwned ?? userId === null;
    known.set(walletId, { kekId, publicKey, isOwned });
    if (!isOwned) waiting.add(walletId);
  }
  const wallet = entry.kind === 'owned' ? known.get(entry.walletId) : undefined;
  if (entry.kind !== 'owned' || wallet === undefined) return;
  known.set(entry.walletId, { ...wallet, isOwned: true });
  waiting.delete(entry.walletId);
}

async function followRow(
  deps: Parameters<typeof keepKeybook>[0] &
    Pick<Keybook, 'append'> & { readonly known: ReadonlyMap<string, Known>; readonly refused: Set<string> },
  { secret, telegramId }: KeyRow,
): Promise<void> {
  const { walletId: id, userId, publicKey: address, kekId } = secret;
  const before = deps.known.get(id);
  const isSame = before?.kekId === kekId && before.publicKey === address;
  if (isSame && (before.isOwned || telegramId === null)) return;
  const isForeign = before !== undefined && before.publicKey !== address;
  if (isForeign || !(await deps.keys.holds({ id, userId, address }))) {
    if (!deps.refused.has(id))
      deps.log.error(
        { walletId: id },
        'the key in the database is not this wallet’s: the keybook keeps its own',
      );
    deps.refused.add(id);
    return;
  }
  if (!isSame) await deps.append(keyEntry(secret));
  if (telegramId !== null && before?.isOwned !== true)
    await deps.append({ kind: 'owned', walletId: id, telegramId });
}

import { readSignerBook } from '../../src/compose/open-journal.ts';
import type { Config } from '../../src/config/index.ts';
import { type KeptKey, takeKeyLine } from '../../src/engine/signing/rules/key-list.ts';
import { createKeyRows } from '../../src/engine/signing/store/key-rows.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import {
  type Finding,
  judgeDrill,
  judgeJournal,
  judgeKeybook,
  type SeenJournal,
} from '../../src/modules/operations/rules/check-up.ts';
import { readLastDrill } from '../../src/modules/operations/store/last-drill.ts';
import type { Query } from '../../src/platform/db/connection.ts';
import type { Io } from './command.ts';
import type { Machine } from './doctor-disk.ts';
import { find, type Look } from './doctor-find.ts';
import { openRing } from './journal-here.ts';
import { openDatabase } from './open.ts';

const PAGE = 500;

/** The needs of a restore beside the dump: the signer's journal, its keybook, and a drill that was good. */
export async function lookAtRestore(io: Io, query: Query, machine: Machine): Promise<readonly Finding[]> {
  return [
    await lookAtJournal(io, query, machine),
    await lookAtKeybook(io, query),
    await lookAtDrill(query, machine),
  ];
}

function lookAtJournal(io: Io, query: Query, { now }: Machine): Promise<Finding> {
  const look: Look = {
    part: 'journal',
    why: 'after a restore or a failover it alone says what was signed; without it a payment is made twice or never again',
    mend: 'correct JOURNAL_DIR; a journal that is lost: "npm run ops -- journal adopt", see docs/operations.md',
  };
  return find(look, async () => {
    const heads = await createSigningBooks(query).heads();
    if (heads.length === 0 || isElsewhere(io.config())) return judgeJournal(null, heads, now());
    const { journalId, records } = await readBook(io, 'journal');
    const seen = heads.find((head) => head.journalId === journalId)?.seq;
    let last: SeenJournal['last'] = null;
    let hashAtHead: string | null = null;
    for await (const { seq, at, hash } of records(0)) {
      last = { seq, at };
      if (seq === seen) hashAtHead = hash;
    }
    return judgeJournal({ journalId, last, hashAtHead }, heads, now());
  });
}

function lookAtKeybook(io: Io, query: Query): Promise<Finding> {
  const look: Look = {
    part: 'keybook',
    why: 'a wallet that was made after the last dump comes back from the keybook alone',
    mend: 'npm run ops -- keybook list   (the signer writes missing wallets down within ten minutes)',
  };
  return find(look, async () => {
    const heads = await createSigningBooks(query).heads();
    if (heads.length === 0 || isElsewhere(io.config())) return judgeKeybook(null);
    const { records } = await readBook(io, 'keybook');
    const keys = new Map<string, KeptKey>();
    for await (const record of records(0)) takeKeyLine(keys, record);
    return judgeKeybook({ kept: keys.size, missing: await notKept(query, keys) });
  });
}

function lookAtDrill(query: Query, { now }: Machine): Promise<Finding> {
  const look: Look = {
    part: 'drill',
    why: 'a backup that was never restored is a hope',
    mend: 'npm run ops -- drill FOLDER',
  };
  return find(look, async () => judgeDrill(await readLastDrill(query), now()));
}

/** Beside a signer of its own only that process has journal and key. */
const isElsewhere = ({ kek }: Config): boolean => kek === null;

async function readBook(io: Io, book: 'journal' | 'keybook') {
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    return await readSignerBook({ folder: io.config().journalDir, book, ...(await openRing(io, db)) });
  } finally {
    await close();
  }
}

/** Wallets of the database that the keybook lacks. */
async function notKept(query: Query, keys: ReadonlyMap<string, KeptKey>): Promise<number> {
  const rows = createKeyRows(query);
  let missing = 0;
  for (let after = ''; ; ) {
    const page = await rows.page(after, PAGE);
    missing += page.filter(({ secret }) => !keys.has(secret.walletId)).length;
    after = page.at(-1)?.secret.walletId ?? '';
    if (page.length < PAGE) return missing;
  }
}

import { ageAt } from '../../../core/time/age.ts';
/** `ok` = as it should be; `warn` = look at it soon; `bad` = something does not work, or is lost when the machine is. */
export type FindingState = 'ok' | 'warn' | 'bad';

/** One line of a check-up. */
export type Finding = {
  /** The thing under check: `keys`, `disk /backups`, `node rpc.example.org`. */
  readonly part: string;
  readonly state: FindingState;
  readonly fact: string;
  /** The effect on people while it is not ok. */
  readonly why: string;
  /** The command or setting with which an operator mends it; empty where it is ok. */
  readonly mend: string;
};

type Judged = Pick<Finding, 'state' | 'fact' | 'mend'>;

const WARN_APART_MS = 2_000;
const OFF_APART_MS = 5_000;
const CHAIN_APART_MS = 120_000;
/** A process beats every five seconds; a process that is silent this long has ended or hangs. */
const SILENT_MS = 30_000;
const HOUR_MS = 3_600_000;

const ok = (fact: string): Judged => ({ state: 'ok', fact, mend: '' });
/** Whole ones, so that two looks say the same. */
const silence = (ms: number): string =>
  ms < 60_000 ? 'less than a minute' : `${Math.floor(ms / 60_000)} min`;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Two readings of this clock around one of the database's: only a certain difference counts. All in epoch milliseconds. */
export function judgeClock(seen: {
  readonly before: number;
  readonly database: number;
  readonly after: number;
}) {
  const { before, database, after } = seen;
  const apart = before > database ? before - database : after < database ? after - database : 0;
  const far = Math.abs(apart);
  if (far <= WARN_APART_MS) return ok('this machine and the database agree');
  return {
    state: far > OFF_APART_MS ? 'bad' : 'warn',
    fact: `this machine is ${seconds(far)} ${apart > 0 ? 'ahead of' : 'behind'} the database`,
    mend: 'timedatectl set-ntp true   (here and on the database server; then: timedatectl timesync-status)',
  } satisfies Judged;
}

/** The database's clock against the time of a recent block; null where the chain shows none. */
export function judgeChainClock(database: number, chain: number | null): Judged {
  if (chain === null) return ok('the chain shows no time');
  const apart = database - chain;
  if (Math.abs(apart) <= CHAIN_APART_MS) return ok('the database and the newest block agree');
  return {
    state: 'bad',
    fact: `the database is ${seconds(Math.abs(apart))} ${apart > 0 ? 'ahead of' : 'behind'} the newest block`,
    mend: 'timedatectl set-ntp true   (on the database server; if its time is right, the node lags: take another SOLANA_RPC_URL)',
  };
}

export type DiskSpace = {
  readonly bytes: number;
  readonly freeBytes: number;
  /** 0 where the file system has no table of files. */
  readonly files: number;
  readonly freeFiles: number;
};

/** Space and files that are left to a process without privileges. */
export function judgeDisk(folder: string, { bytes, freeBytes, files, freeFiles }: DiskSpace): Judged {
  const space = bytes === 0 ? 100 : (freeBytes / bytes) * 100;
  const inodes = files === 0 ? 100 : (freeFiles / files) * 100;
  const fact = `${space.toFixed(0)} % free (${(freeBytes / 2 ** 30).toFixed(1)} GB), ${inodes.toFixed(0)} % of its files`;
  const least = Math.min(space, inodes);
  if (least >= 15) return ok(fact);
  return {
    state: least < 5 ? 'bad' : 'warn',
    fact,
    mend:
      inodes < space
        ? `du --inodes -x -d 2 ${folder} | sort -n | tail   (then move or delete what is not ours)`
        : `du -x -d 2 -h ${folder} | sort -h | tail   (then move old dumps away, or give the disk more room)`,
  };
}

/** Connections that are open, of those that an ordinary role may open. */
export function judgeConnections(open: number, most: number): Judged {
  const fact = `${open} of ${most} connections are open`;
  const share = open / most;
  if (share < 0.8) return ok(fact);
  return {
    state: share >= 0.95 ? 'bad' : 'warn',
    fact,
    mend: `psql "$DATABASE_URL" -c "SELECT application_name, state, count(*) FROM pg_stat_activity GROUP BY 1, 2 ORDER BY 3 DESC"   (then raise max_connections)`,
  };
}

export type Beat = {
  readonly roles: string;
  readonly version: string;
  readonly host: string;
  /** Milliseconds since it was last heard of, by the database's clock. */
  readonly silentMs: number;
};

/** The processes of the last week against this program's version. */
export function judgeProcesses(beats: readonly Beat[], version: string): Judged {
  const alive = beats.filter(({ silentMs }) => silentMs <= SILENT_MS);
  const gone = beats.filter(({ silentMs }) => silentMs > SILENT_MS);
  const fact = [
    alive.length === 0
      ? 'no process beats'
      : `${alive.length} beat: ${alive.map((one) => `${one.roles} ${one.version} on ${one.host}`).join('; ')}`,
    ...gone.map(
      ({ roles, host, silentMs }) =>
        `${roles} on ${host} is silent for ${silence(silentMs)} and did not say goodbye`,
    ),
  ].join('. ');
  const restart = 'deploy/roles.sh status   (or: docker compose ps; docker compose up -d)';
  const works = alive.some(({ roles }) => roles.split(',').includes('worker'));
  if (!works) return { state: 'bad', fact: `no worker beats. ${fact}`, mend: restart };
  const stale = alive.filter((one) => one.version !== version);
  if (stale.length > 0) {
    const names = stale.map((one) => `${one.roles} on ${one.host} runs ${one.version}`).join('; ');
    return {
      state: 'warn',
      fact: `this program is ${version}, and ${names}`,
      mend: 'docker compose up -d   (or restart those processes: see "Upgrade, and go back")',
    };
  }
  return gone.length > 0 ? { state: 'warn', fact, mend: restart } : ok(fact);
}

/** The newest dump of a folder by its age; null = there is none. */
export function judgeDump(folder: string, ageMs: number | null, maxAgeMs: number): Judged {
  const mend = `npm run ops -- dump-nightly ${folder} --once --to age1…   (then look at the log of the nightly one)`;
  if (ageMs === null) return { state: 'bad', fact: `${folder} holds no dump`, mend };
  const fact = `the newest dump is ${(ageMs / HOUR_MS).toFixed(1)} hours old`;
  return ageMs > maxAgeMs ? { state: 'bad', fact, mend } : ok(fact);
}

export type NodeAnswer = {
  readonly host: string;
  /** `ok`, or the node's own words. */
  readonly health: string;
  readonly version: string;
  readonly genesis: string;
};

/**
 * One node beside the others; `others` are the genesis hashes that all of them name, `signed` the one that the signer's folder remembers,
 * null where there is none here.
 */
export function judgeNode(
  answer: NodeAnswer,
  others: ReadonlySet<string>,
  signed: string | null = null,
): Judged {
  const fact = `${answer.version}, genesis ${answer.genesis.slice(0, 8)}…`;
  const mend = 'correct SOLANA_RPC_URL: leave this address out until it is well';
  if (signed !== null && signed !== answer.genesis)
    return {
      state: 'bad',
      fact: `${fact}: the signer's journal is of ${signed.slice(0, 8)}…, so the signer does not hear this node and signs nothing`,
      mend: 'correct SOLANA_RPC_URL; another network needs a database and a JOURNAL_DIR of its own',
    };
  if ([...others].some((genesis) => genesis !== answer.genesis))
    return {
      state: 'bad',
      fact: `${fact}: another network than the others, so it is no witness of them`,
      mend,
    };
  return answer.health === 'ok' ? ok(fact) : { state: 'warn', fact: `${fact}: ${answer.health}`, mend };
}

/** Bounds of mainnet within this year. A value outside is used, and the operator is warned. */
const SLOT_MS_FROM = 150;
const SLOT_MS_TO = 600;
const RENT_FROM = 696;
const RENT_TO = 6_960;

/** One node's facts about the network at this moment; null where it does not give that fact. */
export type ToldNetwork = {
  readonly host: string;
  /** Milliseconds of a slot, over the time that its samples span. */
  readonly slotMs: number | null;
  readonly spanMs: number | null;
  readonly rentLamportsPerByte: number | null;
  readonly version1: boolean | null;
  /** Whether the network runs Alpenglow, where a confirmed block is final at once; null from nodes that do not know the question. */
  readonly isMigrated: boolean | null;
  /** Whether it reports the priority fees that others paid. */
  readonly tellsFees: boolean;
};

/**
 * Compares measured facts of the network with the expected ones. Nothing of it is set by an operator: each process measures for itself, so
 * a warning is about the network, or about a node that lies.
 */
export function judgeNetwork(told: readonly ToldNetwork[]): Judged {
  const one = <T>(of: (node: ToldNetwork) => T | null): T | null =>
    told.map(of).find((value) => value !== null) ?? null;
  const [slotMs, spanMs, rent] = [
    one((of) => of.slotMs),
    one((of) => of.spanMs),
    one((of) => of.rentLamportsPerByte),
  ];
  const isActive = one((of) => of.version1);
  const silent = told.filter(({ tellsFees }) => !tellsFees).map(({ host }) => host);
  const fact = [
    slotMs === null
      ? 'no node tells how long slots take'
      : `a slot takes ${Math.round(slotMs)} ms (over ${seconds(spanMs ?? 0)}), a blockhash lives ${seconds(slotMs * BLOCKHASH_BLOCKS)}`,
    rent === null ? 'no node tells the rent' : `a byte of an account costs ${rent} lamports`,
    isActive === null ? '' : `transactions of version 1 are ${isActive ? '' : 'not '}active`,
    finalityWords(told),
    silent.length === 0
      ? 'recent fees are told'
      : `no recent fees from ${silent.join(', ')}, where the tier's floor is bid`,
  ]
    .filter((part) => part !== '')
    .join('; ');
  const odd = oddities(told, slotMs, rent);
  if (odd === null) return ok(fact);
  return {
    state: 'warn',
    fact: `${fact}: ${odd}`,
    mend: 'compare with another node, and read the news of the network',
  };
}

const BLOCKHASH_BLOCKS = 150;

/** Alpenglow counts where each node that knows of it says so. A single "no" is enough for the careful word: finality is waited for. */
function finalityWords(told: readonly ToldNetwork[]): string {
  const said = told.flatMap(({ isMigrated }) => (isMigrated === null ? [] : [isMigrated]));
  if (said.length === 0) return 'no node tells whether Alpenglow runs, so finality is waited for';
  return said.every(Boolean)
    ? 'Alpenglow runs: a confirmed block is final'
    : 'Alpenglow does not run: finality is waited for';
}

function oddities(told: readonly ToldNetwork[], slotMs: number | null, rent: number | null): string | null {
  if (rent === null) return 'without a rent no account can be opened and no withdrawal judged';
  if (new Set(told.flatMap(({ rentLamportsPerByte: said }) => (said === null ? [] : [said]))).size > 1)
    return `the nodes differ: ${told.map(({ host, rentLamportsPerByte }) => `${host} ${rentLamportsPerByte ?? 'silent'}`).join(', ')}`;
  const onFinality = told.filter(({ isMigrated }) => isMigrated !== null);
  if (new Set(onFinality.map(({ isMigrated }) => isMigrated)).size > 1)
    return `the nodes differ on Alpenglow: ${onFinality.map(({ host, isMigrated }) => `${host} ${isMigrated === true ? 'yes' : 'no'}`).join(', ')}`;
  if (rent < RENT_FROM || rent > RENT_TO) return `expected a rent of ${RENT_FROM} to ${RENT_TO} lamports`;
  if (slotMs !== null && (slotMs < SLOT_MS_FROM || slotMs > SLOT_MS_TO))
    return `expected slots of ${SLOT_MS_FROM} to ${SLOT_MS_TO} ms`;
  return null;
}

/** The exit code of a check-up: 0 = all is well, 1 = something wants a look, 2 = something is broken. */
export function verdict(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ state }) => state === 'bad')) return 2;
  return findings.some(({ state }) => state === 'warn') ? 1 : 0;
}

const DAY_MS = 86_400_000;
/** A drill is due each week; beyond a month the last one says little. */
const DRILL_DAYS = 30;

/** In the words of a drill in the trail: no key was there to open the keybook. */
export const WITHOUT_KEYBOOK = 'without keybook check';

/**
 * Epoch milliseconds of the newest drill, of the newest one that was good, and of the newest good one that read the keybook, too; null
 * where there is none.
 */
export type LastDrill = {
  readonly at: number | null;
  readonly goodAt: number | null;
  readonly wholeAt: number | null;
};

/** The last drill of a restore. */
export function judgeDrill({ at, goodAt, wholeAt }: LastDrill, now: number): Judged {
  const mend = 'npm run ops -- drill FOLDER   (the folder of the dumps)';
  if (at === null) return { state: 'warn', fact: 'no restore was ever tried', mend };
  if (goodAt === null || goodAt < at) return { state: 'bad', fact: 'the last drill failed', mend };
  const days = Math.floor(ageAt(goodAt, now) / DAY_MS);
  const fact = `the last good drill is ${days === 0 ? 'less than a day' : `${days} days`} old`;
  if (days > DRILL_DAYS) return { state: 'warn', fact, mend };
  const isWhole = wholeAt !== null && Math.floor(ageAt(wholeAt, now) / DAY_MS) <= DRILL_DAYS;
  if (isWhole) return ok(fact);
  return {
    state: 'warn',
    fact: `${fact}, and each one of the last ${DRILL_DAYS} days was ${WITHOUT_KEYBOOK}`,
    mend: 'npm run ops -- drill FOLDER   (where the key is: docker compose run --rm signer …)',
  };
}

export type SeenJournal = {
  readonly journalId: string;
  readonly last: { readonly seq: number; readonly at: number } | null;
  /** Of the line that the database has seen last; null where the journal has no such line, or no longer has it. */
  readonly hashAtHead: string | null;
};
export type SeenHead = { readonly journalId: string; readonly seq: number; readonly hash: string };

/** The journal that was read; null where it was not read here. `heads`: the lines that the database has seen. */
export function judgeJournal(journal: SeenJournal | null, heads: readonly SeenHead[], now: number): Judged {
  if (heads.length === 0) return ok('nothing was signed yet');
  if (journal === null) return ok('only the signer has it: run this there, too');
  const mend =
    'bring the right folder back and name it in JOURNAL_DIR; where it is lost: npm run ops -- journal adopt';
  const head = heads.find(({ journalId }) => journalId === journal.journalId);
  if (head === undefined)
    return { state: 'bad', fact: 'the database has seen no line of this journal', mend };
  const { seq, at } = journal.last ?? { seq: 0, at: now };
  if (seq < head.seq)
    return { state: 'bad', fact: `it ends at line ${seq}, and the database has seen line ${head.seq}`, mend };
  if (journal.hashAtHead === null)
    return { state: 'bad', fact: `it lacks line ${head.seq}, which the database has seen`, mend };
  if (journal.hashAtHead !== head.hash)
    return {
      state: 'bad',
      fact: `its line ${head.seq} is another than the database has seen: it forked`,
      mend,
    };
  return ok(`${seq} lines, the last one ${silence(ageAt(at, now))} old`);
}

/** The keybook against the wallets of the database; null where it was not read here. */
export function judgeKeybook(book: { readonly kept: number; readonly missing: number } | null): Judged {
  if (book === null) return ok('not read here: nothing was signed yet, or only the signer has it');
  const { kept, missing } = book;
  if (missing === 0) return ok(`${kept} wallets, and every one of the database`);
  return {
    state: 'warn',
    fact: `${missing} wallets of the database are not in it`,
    mend: 'start the process that holds the keys: it writes them down within ten minutes   (then run this again)',
  };
}

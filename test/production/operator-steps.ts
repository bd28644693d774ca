import { join } from 'node:path';

/** A well-formed id of nothing. */
const UNKNOWN = '01J8ZQ6Y7V3M9T2K4C5D6E7FAA';
export const PASSPHRASE = 'correct horse battery';

/** What the commands are tried on. */
export type Facts = {
  readonly telegramId: string;
  readonly signature: string;
  /** A trade that is over. */
  readonly intent: string;
  /** One that the indexer follows, by the address of its pool. */
  readonly market: string;
  readonly round: string;
  readonly requests: readonly [string, string];
  readonly mint: string;
  /** Files that the container may read. */
  readonly keypair: string;
  readonly walletBackup: string;
  readonly folder: string;
  readonly recipient: string;
  /** What the steps before have printed, by command: a later one names what an earlier one made. */
  readonly printed: ReadonlyMap<string, string>;
};

type Step = {
  readonly name: string;
  readonly args?: (facts: Facts) => readonly string[];
  readonly code?: 0 | 1 | 2;
  readonly says: RegExp;
  /** The master key is the signer's, and the tables are the owner's. */
  readonly service?: 'signer' | 'database';
  /** A server where it may make a database. */
  readonly hasScratch?: true;
  readonly input?: string;
};

const keyId = ({ printed }: Facts): string =>
  /dx_live_(\w{12})_/.exec(printed.get('api-key issue') ?? '')?.[1] ?? '';
const incident = ({ printed }: Facts): string => /\w{26}/.exec(printed.get('incident open') ?? '')?.[0] ?? '';
const table = ({ printed }: Facts): string => (printed.get('lut list') ?? '').split(' ')[0] ?? '';
const keypair = (facts: Facts): readonly string[] => ['--keypair', facts.keypair];

/** Every command once for real, in an order in which each finds what it needs. */
export const STEPS: readonly Step[] = [
  {
    name: 'pause',
    args: () => ['games', '--reason', 'a drill'],
    says: /^games is paused until it is resumed/,
  },
  { name: 'status', code: 1, says: /^games\s+PAUSED since/m },
  { name: 'resume', args: () => ['games'], says: /^games goes on/ },
  { name: 'kek status', service: 'signer', says: /wallets under \S+ {2}\(current\)/ },
  { name: 'kek rotate', service: 'signer', says: /./ },
  { name: 'audit', says: /^0 mismatches in [1-9]\d* intents.*[1-9]\d* bookings compared/m },
  { name: 'audit-log', args: () => ['--limit', '5'], says: /switch/ },
  { name: 'dump', args: ({ folder }) => [join(folder, 'tools.dump')], says: /^[1-9]\d* rows of \d+ tables/ },
  {
    name: 'dump-nightly',
    args: ({ folder, recipient }) => [folder, '--to', recipient, '--once'],
    says: /^[1-9]\d* rows of \d+ tables are in .*\.dump\.age\.$/m,
  },
  { name: 'dump-check', args: ({ folder }) => [folder], says: /^The newest backup is 0\.0 hours old/ },
  // The signer runs: its journal is not put aside under it, and is read beside it.
  { name: 'journal adopt', service: 'signer', code: 1, says: /only one signer may/ },
  { name: 'journal status', service: 'signer', says: /./ },
  { name: 'journal verify', service: 'signer', says: /./ },
  { name: 'keybook list', service: 'signer', says: /./ },
  { name: 'keybook restore', service: 'signer', says: /./ },
  // Everything was certified as it was made.
  {
    name: 'trust adopt',
    service: 'signer',
    says: /^0 people, 0 wallets and 0 open orders have no certificate\n$/,
  },
  {
    name: 'db roles',
    service: 'database',
    says: /^Nothing differs: 7 roles have what the table of grants says\.$/m,
  },
  // Another account's are not listed.
  { name: 'local orphans', says: /^$/ },
  {
    name: 'doctor',
    service: 'signer',
    args: ({ folder }) => ['--dumps', folder],
    // The chapters before killed processes, and the drill comes after.
    code: 1,
    says: /^ok {4}database: it answers[\s\S]*^WARN {2}processes: [\s\S]*^WARN {2}drill: no restore was ever tried/m,
  },
  { name: 'rpc check', says: /^ok {4}\S+ web socket: served in \d+ ms$/m },
  {
    name: 'drill',
    service: 'signer',
    hasScratch: true,
    args: ({ folder }) => [join(folder, 'tools.dump')],
    says: /^The drill is good\.$/m,
  },
  // The database in use is not the one to restore into; the drill restores into a new one.
  {
    name: 'restore',
    service: 'database',
    args: ({ folder }) => [join(folder, 'tools.dump')],
    code: 1,
    says: /A running Tradepost uses this database/,
  },
  { name: 'reconcile', says: /not in quarantine/ },
  { name: 'review list', says: /^Nothing waits for a person\.$/m },
  { name: 'review show', args: ({ intent }) => [intent], says: /R-\w+/ },
  {
    name: 'review resolve',
    args: (facts) => [
      facts.intent,
      '--verdict',
      'dead',
      '--reason',
      'a drill',
      '--confirm',
      /R-[\w-]+/.exec(facts.printed.get('review show') ?? '')?.[0] ?? '',
    ],
    code: 1,
    says: /waits for nobody\. Nothing was changed\./,
  },
  {
    name: 'backup open',
    args: ({ walletBackup }) => [walletBackup],
    input: `${PASSPHRASE}\n`,
    says: /^Address {3}\w{32,44}\n/,
  },
  { name: 'api-key issue', args: () => ['acme', '--days', '1'], says: /^dx_live_\w{12}_\w{43}\n/ },
  { name: 'api-key list', says: /acme {2}swap/ },
  {
    name: 'api-key rotate',
    args: (facts) => [keyId(facts), '--overlap', '1h'],
    says: /^dx_live_\w{12}_\w{43}\n/,
  },
  { name: 'api-key revoke', args: (facts) => [keyId(facts)], says: /is revoked\.$/m },
  { name: 'key-request list', says: /first@example\.org/ },
  { name: 'key-request show', args: ({ requests }) => [requests[0]], says: /^state {6}confirmed/m },
  {
    name: 'key-request grant',
    args: ({ requests }) => [requests[0], '--rate', '3'],
    says: /^Granted 3 requests per second, 6 at once/,
  },
  {
    name: 'key-request refuse',
    args: ({ requests }) => [requests[1], '--reason', 'not today'],
    says: /^Refused\. The mail goes to second@example\.org/,
  },
  { name: 'mail list', says: /./ },
  { name: 'mail bounced', args: () => [UNKNOWN], code: 1, says: /is no mail that was sent/ },
  { name: 'mail again', args: () => [UNKNOWN], code: 1, says: /There is no such mail/ },
  {
    name: 'second-factor end',
    args: ({ telegramId }) => [telegramId],
    code: 1,
    says: /has no authenticator/,
  },
  {
    name: 'freeze end',
    args: ({ telegramId }) => [
      telegramId,
      '--reason',
      'a call',
      '--confirm',
      `${telegramId} may move money again`,
    ],
    code: 1,
    says: /Nothing of this person is frozen/,
  },
  {
    name: 'lut sync',
    args: (facts) => ['--mint', facts.mint, '--yes', ...keypair(facts)],
    says: /Every entry may be used/,
  },
  { name: 'senders sync', code: 2, says: /JITO_URL is missing/ },
  { name: 'lut list', says: /usable {2}[1-9]\d* entries/ },
  { name: 'lut close', args: (facts) => [table(facts), ...keypair(facts)], says: /is out of use/ },
  { name: 'points abuse', says: /^Top miners of seven days/ },
  { name: 'points budget', args: () => ['2'], says: /./ },
  { name: 'points stock', args: () => ['code-1', '7'], says: /^7 of code-1 are left/ },
  { name: 'points season-close', code: 1, says: /No season is over yet/ },
  {
    name: 'convert announce',
    service: 'signer',
    args: () => ['1', '2099-01-01', '2099-01-08T12:00Z'],
    says: /^period 1: .*1 SOL, 2099-01-01T00:00:00/,
  },
  { name: 'convert list', says: /^period 1: / },
  { name: 'convert cancel', service: 'signer', args: () => ['1'], says: /^period 1 is cancelled/ },
  { name: 'referrals flags', says: /./ },
  { name: 'orders verify', says: /^0 mismatches in \d+ orders/m },
  { name: 'copies verify', says: /^0 mismatches in \d+ copies/m },
  { name: 'market verify', args: ({ market }) => [market], says: /the tape is exact/ },
  { name: 'market refault', says: /^There are no faults\.$/m },
  { name: 'market rebuild', args: ({ market }) => [market], says: /were made anew from its trades/ },
  { name: 'market forget', code: 1, says: /^Would delete / },
  {
    name: 'pools import',
    // No list of pools at all: every line is refused.
    args: ({ folder }) => [join(folder, 'tools.dump')],
    code: 1,
    says: /^0 pools would be taken, [1-9]\d* lines were refused\.$/m,
  },
  {
    name: 'incident open',
    args: () => ['Trades are slow', '--part', 'trading', '--part', 'chain'],
    says: /^\w{26} is open: Trades are slow\./m,
  },
  { name: 'incident note', args: (facts) => [incident(facts), 'A node answers late.'], says: /has the note/ },
  {
    name: 'incident list',
    code: 1,
    says: /OPEN {2}Trades are slow \(trading, chain\)\n.*A node answers late\./,
  },
  { name: 'signers status', says: /^No signer with peers has started/ },
  {
    name: 'signers give',
    args: () => ['signer-b', '--reason', 'a drill'],
    code: 1,
    says: /^There is no lease/,
  },
  { name: 'incident close', args: (facts) => [incident(facts), 'It answers again.'], says: /is closed/ },
  { name: 'ip-block add', args: () => ['203.0.113.7', 'a drill'], says: /is blocked/ },
  { name: 'ip-block list', says: /203\.0\.113\.7/ },
  { name: 'ip-block lift', args: () => ['203.0.113.7'], says: /may ask again/ },
  { name: 'verify-game', args: ({ round }) => [round], says: /everything follows from the commitment/ },
  { name: 'verify-receipt', args: ({ signature }) => [signature], says: /^Nothing differs\.$/m },
];

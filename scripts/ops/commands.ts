import { type Command, command } from './command.ts';

const YES = { type: 'boolean', text: 'do it; without it, only what would be done is printed' } as const;
const TO = {
  type: 'string',
  value: 'RECIPIENT',
  text: 'encrypts it to this age recipient (age1…), see docs/operations.md',
} as const;
const KEYPAIR = {
  type: 'string',
  value: 'FILE',
  text: 'the key that owns the tables and pays, as solana-keygen writes it',
} as const;

/**
 * Every command of `npm run ops`, one entry each; its code is loaded when it is asked for. `docs/operations.md` has the same table, and a
 * test compares the two.
 */
export const COMMANDS: readonly Command[] = [
  command({
    name: 'pause',
    act: 'operator',
    words: ['SWITCH'],
    options: {
      reason: { type: 'string', value: 'TEXT', text: 'why; people read it' },
      for: { type: 'string', value: 'TIME', text: 'ends by itself after 30m, 2h or 7d' },
    },
    text: 'stops what is named, in every process within a second; people are told the reason',
    run: async ({ words: [word = ''], values }, io) =>
      (await import('./switches.ts')).pause(io, word, values),
  }),
  command({
    name: 'resume',
    act: 'operator',
    words: ['SWITCH'],
    options: { reason: { type: 'string', value: 'TEXT', text: 'why; for the trail' } },
    text: 'ends a pause',
    run: async ({ words: [word = ''], values }, io) =>
      (await import('./switches.ts')).resume(io, word, values),
  }),
  command({
    name: 'status',
    act: 'reads',
    words: ['[SWITCH]'],
    text: 'every switch, with reason and end where it is paused; 1 when one is',
    run: async ({ words: [word] }, io) => (await import('./switches.ts')).status(io, word),
  }),
  command({
    name: 'incident open',
    act: 'operator',
    words: ['TEXT'],
    options: {
      part: {
        type: 'string',
        value: 'PART',
        multiple: true,
        text: 'what is affected: database, queue, chain, signer, bot, trading, orders, deposits, withdrawals, payouts, tokens, market, api or mail; may be repeated',
      },
    },
    text: 'opens an incident: people read TEXT on /status; prints its id',
    run: async ({ words: [text = ''], values: { part } }, io) =>
      (await import('./incident.ts')).openIncident(io, text, part),
  }),
  command({
    name: 'incident note',
    act: 'operator',
    words: ['ID', 'TEXT'],
    text: 'adds a note to an incident, which people read; 1 when there is none of this id',
    run: async ({ words: [id = '', text = ''] }, io) =>
      (await import('./incident.ts')).noteIncident(io, id, text),
  }),
  command({
    name: 'incident close',
    act: 'operator',
    words: ['ID', '[TEXT]'],
    text: 'closes an incident, with a last note where one is given; 1 when it was closed before',
    run: async ({ words: [id = '', text] }, io) =>
      (await import('./incident.ts')).closeIncident(io, id, text),
  }),
  command({
    name: 'incident list',
    act: 'reads',
    text: 'the incidents that are open and those of 90 days, newest first, with their notes; 1 when one is open',
    run: async (_, io) => (await import('./incident.ts')).listIncidents(io),
  }),
  command({
    name: 'doctor',
    act: 'reads',
    secrets: ['KEK_FILE'],
    options: {
      dumps: { type: 'string', value: 'FOLDER', text: 'where the nightly dumps are' },
      'max-age': { type: 'string', value: 'TIME', text: 'how old the newest may be (26h)' },
      folder: {
        type: 'string',
        value: 'FOLDER',
        multiple: true,
        text: 'whose disk is looked at, too; may be repeated',
      },
      json: { type: 'boolean', text: 'for a program' },
    },
    text: 'keys, dumps, replicas, clocks, disks, processes, nodes, network, webhook, mail: a line each with what mends it; 1 = look, 2 = broken',
    run: async ({ values }, io) => (await import('./doctor.ts')).runDoctor(io, values),
  }),
  command({
    name: 'rpc check',
    act: 'reads',
    words: ['[URL]'],
    options: { json: { type: 'boolean', text: 'for a program' } },
    text: 'what each node can do (lists, holders, history, version 1, web socket), and what people go without; 1 = look, 2 = not to be used',
    run: async ({ words: [url], values }, io) => (await import('./rpc-check.ts')).rpcCheck(io, url, values),
  }),
  command({
    name: 'senders sync',
    act: 'operator',
    options: { yes: YES },
    text: 'keeps the tip accounts that the block engine of JITO_URL names; a tip goes to no other',
    run: async ({ values }, io) => (await import('./senders.ts')).sendersSync(io, values),
  }),
  command({
    name: 'signers status',
    act: 'reads',
    text: 'which signer signs, and which standbys and witnesses have every line; 1 when a copy is behind or there is none',
    run: async (_, io) => (await import('./signers.ts')).signersStatus(io),
  }),
  command({
    name: 'signers give',
    act: 'operator',
    words: ['NAME'],
    options: { reason: { type: 'string', value: 'TEXT', text: 'for the audit log' } },
    text: 'ends the lease and lets NAME take it; lines that it lacks are lost, so read docs/two-signers.md first',
    run: async ({ words: [name = ''], values: { reason } }, io) =>
      (await import('./signers.ts')).giveSigners(io, name, reason),
  }),
  command({
    name: 'kek status',
    act: 'reads',
    secrets: ['KEK_FILE'],
    text: 'wallets per key-encryption key, and whether that key is configured; 1 when one is missing',
    run: async (_, io) => (await import('./kek.ts')).kekStatus(io),
  }),
  command({
    name: 'kek rotate',
    act: 'operator',
    secrets: ['KEK_FILE'],
    options: {
      batch: { type: 'string', value: 'N', text: 'keys per transaction, 1 to 5000 (500)' },
      to: {
        type: 'string',
        value: 'DIGITS',
        text: 'the first 8 digits of a key that never sealed anything here; "kek status" shows them',
      },
    },
    text: 're-wraps every data key under the current key; resumable, signing goes on',
    run: async ({ values }, io) => (await import('./kek.ts')).kekRotate(io, values),
  }),
  command({
    name: 'journal status',
    act: 'reads',
    secrets: ['KEK_FILE'],
    text: "how far the signer's journal goes, what is open, and whether a fence is up; 1 when one is",
    run: async (_, io) => (await import('./journal.ts')).journalStatus(io),
  }),
  command({
    name: 'journal verify',
    act: 'reads',
    secrets: ['KEK_FILE'],
    text: 'reads and proves every line of journal and keybook',
    run: async (_, io) => (await import('./journal.ts')).journalVerify(io),
  }),
  command({
    name: 'journal adopt',
    act: 'operator',
    secrets: ['KEK_FILE'],
    text: 'begins a journal for a database that has none, after walking the chain; the signer must not run',
    run: async (_, io) => (await import('./journal.ts')).journalAdopt(io),
  }),
  command({
    name: 'trust adopt',
    act: 'operator',
    secrets: ['KEK_FILE'],
    options: {
      yes: { type: 'boolean', text: 'writes; without it, only prints' },
      again: { type: 'boolean', text: 'also where others have certificates: you looked at each row' },
    },
    text: 'people, wallets, chosen payout wallets, open orders, mandates of copies and periods of conversion without a right certificate, and certificates for those of an earlier release; 1 when one stays without',
    run: async ({ values }, io) => (await import('./trust.ts')).trustAdopt(io, values),
  }),
  command({
    name: 'keybook list',
    act: 'reads',
    secrets: ['KEK_FILE'],
    text: 'wallets that the keybook holds and the database lacks, with their people; 1 when there is one',
    run: async (_, io) => (await import('./keybook.ts')).keybookList(io),
  }),
  command({
    name: 'keybook restore',
    act: 'operator',
    secrets: ['KEK_FILE'],
    options: {
      yes: YES,
      wallet: { type: 'string', value: 'ID', text: 'only this wallet, one that was never seen committed' },
      to: { type: 'string', value: 'TELEGRAM_ID', text: 'whose that wallet is' },
    },
    text: 'puts back wallets that the database lacks; their people spend nothing for 24 hours',
    run: async ({ values }, io) =>
      (await import('./keybook.ts')).keybookRestore(io, {
        yes: values.yes,
        wallet: values.wallet,
        to: values.to,
      }),
  }),
  command({
    name: 'audit',
    act: 'reads',
    options: {
      'books-only': { type: 'boolean', text: 'do not ask the chain' },
      whole: { type: 'boolean', text: 'walk every wallet from its first transaction' },
      head: {
        type: 'string',
        value: 'N:HASH',
        multiple: true,
        text: 'the audit log must have this act, as the last line of an earlier audit said',
      },
      witness: { type: 'string', value: 'FILE', text: 'a file with the last lines of earlier audits' },
    },
    text: "recomputes the books, compares them and every wallet's signatures with the chain, and checks the audit log",
    run: async ({ values }, io) =>
      (await import('./audit.ts')).runAudit(io, {
        booksOnly: values['books-only'],
        whole: values.whole,
        head: values.head,
        witness: values.witness,
        isOlder: false,
      }),
  }),
  command({
    name: 'orders verify',
    act: 'reads',
    options: { 'books-only': { type: 'boolean', text: 'ask neither the chain nor the tape' } },
    text: 'compares orders, fires, intents, the events that orders waited for, the tape and the chain; 1 when they differ',
    run: async ({ values }, io) =>
      (await import('./orders.ts')).runVerifyOrders(io, { booksOnly: values['books-only'] }),
  }),
  command({
    name: 'copies verify',
    act: 'reads',
    text: 'compares copies, their decisions and intents; 1 when they differ',
    run: async (_, io) => (await import('./copies.ts')).runVerifyCopies(io),
  }),
  command({
    name: 'audit-log',
    act: 'reads',
    options: {
      user: { type: 'string', value: 'ID', text: 'acts about this Telegram id' },
      act: { type: 'string', value: 'NAME', text: 'this kind of act, e.g. pin-wrong' },
      since: {
        type: 'string',
        value: 'WHEN',
        text: '2027-01-31, 2027-01-31T12:00Z, or how long ago: 2h, 7d',
      },
      limit: { type: 'string', value: 'N', text: 'how many, 1 to 10000 (100)' },
    },
    text: 'the sensitive acts, newest first: who did what to whom, and whether it went through',
    run: async ({ values }, io) => (await import('./audit-log.ts')).showAuditLog(io, values),
  }),
  command({
    name: 'dump',
    act: 'reads',
    words: ['FILE'],
    options: { to: TO },
    text: 'writes the database into a new file of mode 0600, in one snapshot, while the service runs',
    run: async ({ words: [path = ''], values }, io) =>
      (await import('./dump.ts')).runDump(io, path, values.to ?? null),
  }),
  command({
    name: 'dump-nightly',
    act: 'reads',
    words: ['FOLDER'],
    options: {
      to: TO,
      keep: { type: 'string', value: 'N', text: 'how many dumps stay (14)' },
      once: { type: 'boolean', text: 'one dump now, then end' },
    },
    text: 'makes a dump a day for ever; an ALERT line when one fails or the newest is older than 26 hours',
    run: async ({ words: [folder = ''], values }, io) =>
      (await import('./nightly-dump.ts')).runNightlyDump(io, folder, values),
  }),
  command({
    name: 'dump-check',
    act: 'reads',
    words: ['FOLDER'],
    options: { 'max-age': { type: 'string', value: 'TIME', text: 'how old the newest may be (26h)' } },
    text: 'how old the newest dump of a folder is; 1 when it is too old or there is none',
    run: async ({ words: [folder = ''], values }, io) =>
      (await import('./nightly-dump.ts')).checkDumps(io, folder, values['max-age']),
  }),
  command({
    name: 'drill',
    act: 'operator',
    words: ['PATH'],
    options: {
      identity: { type: 'string', value: 'FILE', text: 'the age identity that opens an encrypted dump' },
    },
    text: 'restores the newest dump into a scratch database, checks it there, and prints how old and how fast it is',
    run: async ({ words: [path = ''], values }, io) =>
      (await import('./drill.ts')).runDrill(io, { path, ...values }),
  }),
  command({
    name: 'restore',
    act: 'operator',
    words: ['FILE'],
    options: {
      replace: { type: 'boolean', text: 'drop the Tradepost that the database holds' },
      identity: { type: 'string', value: 'FILE', text: 'the age identity that opens an encrypted dump' },
    },
    text: 'puts a dump into an empty database, which then stands in quarantine',
    run: async ({ words: [path = ''], values }, io) =>
      (await import('./dump.ts')).runRestore(io, { path, ...values }),
  }),
  command({
    name: 'reconcile',
    act: 'operator-on-person',
    options: { accept: { type: 'boolean', text: 'lift the quarantine in spite of mismatches' } },
    text: 'compares a database with the chain by signature; a quarantined one it completes, and lifts the quarantine',
    run: async ({ values }, io) => (await import('./reconcile.ts')).runReconcile(io, values),
  }),
  command({
    name: 'review list',
    act: 'reads',
    text: 'the intents that wait for a person, oldest first; 1 when there is one',
    run: async (_, io) => (await import('./review.ts')).listReviews(io),
  }),
  command({
    name: 'review show',
    act: 'reads',
    words: ['INTENT'],
    text: 'one of them with what every endpoint says of each attempt at this moment',
    run: async ({ words: [id = ''] }, io) => (await import('./review.ts')).showReview(io, id),
  }),
  command({
    name: 'review resolve',
    act: 'operator-on-person',
    words: ['INTENT'],
    options: {
      verdict: {
        type: 'string',
        value: 'WORD',
        text: 'landed, failed (in a block with an error) or dead (in none)',
      },
      signature: { type: 'string', value: 'TEXT', text: 'of the attempt that landed or failed' },
      reason: { type: 'string', value: 'TEXT', text: 'why; for the trail' },
      confirm: { type: 'string', value: 'RECEIPT', text: 'its receipt, typed: R-…' },
      force: {
        type: 'string',
        value: 'TEXT',
        text: 'decides against the endpoints; the words to type are told when they disagree',
      },
    },
    text: 'ends one: booked when it landed, given back when not, once; refused unless the endpoints agree. 1 when nothing was changed',
    run: async ({ words: [id = ''], values }, io) => (await import('./review.ts')).endReview(io, id, values),
  }),
  command({
    name: 'backup open',
    act: 'reads',
    words: ['FILE'],
    text: "prints the key of a wallet's backup file; needs the passphrase, no service and no network",
    run: async ({ words: [path = ''] }) => (await import('./backup-open.ts')).runBackupOpen(path),
  }),
  command({
    name: 'api-key issue',
    act: 'operator',
    secrets: ['API_KEY_SECRET'],
    words: ['ACCOUNT'],
    options: {
      rate: { type: 'string', value: 'N', text: 'requests per second that are kept up (10)' },
      burst: { type: 'string', value: 'N', text: 'requests at once (20)' },
      'referrer-bps': { type: 'string', value: 'N', text: 'the most its referrer fee may be (300)' },
      scopes: { type: 'string', value: 'LIST', text: 'any of swap,token,market (swap)' },
      days: { type: 'string', value: 'N', text: 'days until it expires (never)' },
    },
    text: 'makes a key of the pro host and shows it once',
    run: async ({ words: [account = ''], values }, io) =>
      (await import('./api-key.ts')).issueKey(io, account, values),
  }),
  command({
    name: 'api-key list',
    act: 'reads',
    text: 'the keys of the pro host, without what they are made of',
    run: async (_, io) => (await import('./api-key.ts')).listKeys(io),
  }),
  command({
    name: 'api-key revoke',
    act: 'api-key-revoke',
    words: ['ID'],
    text: 'shuts a key out; 1 when it was not valid',
    run: async ({ words: [id = ''] }, io) => (await import('./api-key.ts')).revokeKey(io, id),
  }),
  command({
    name: 'api-key rotate',
    act: 'api-key-rotate',
    secrets: ['API_KEY_SECRET'],
    words: ['ID'],
    options: {
      overlap: {
        type: 'string',
        value: 'TIME',
        text: 'how long the old key works on at most, e.g. 12h (7d)',
      },
    },
    text: 'makes a key in place of another and shows it once; 1 when that one is not valid or was replaced before',
    run: async ({ words: [id = ''], values }, io) =>
      (await import('./api-key.ts')).rotateKey(io, id, values.overlap),
  }),
  command({
    name: 'key-request list',
    act: 'reads',
    text: 'the requests for keys that came by the form and wait for an answer',
    run: async (_, io) => (await import('./key-request.ts')).listRequests(io),
  }),
  command({
    name: 'key-request show',
    act: 'reads',
    words: ['ID'],
    text: 'one request, with the limits that its own numbers lead to',
    run: async ({ words: [id = ''] }, io) => (await import('./key-request.ts')).showRequest(io, id),
  }),
  command({
    name: 'key-request grant',
    act: 'operator',
    words: ['ID'],
    options: {
      rate: {
        type: 'string',
        value: 'N',
        text: 'requests per second that are kept up; twice as many at once',
      },
      burst: { type: 'string', value: 'N', text: 'requests at once' },
      'per-day': { type: 'string', value: 'N', text: 'requests per day (UTC)' },
      'referrer-bps': { type: 'string', value: 'N', text: 'the most its referrer fee may be (300)' },
      scopes: { type: 'string', value: 'LIST', text: 'any of swap,token,market (as asked)' },
      days: { type: 'string', value: 'N', text: 'days until it expires (never)' },
    },
    text: 'grants a request, by its own numbers or by these; the asker gets a mail. 1 when it was decided before',
    run: async ({ words: [id = ''], values }, io) =>
      (await import('./key-request.ts')).grantKeyRequest(io, id, values),
  }),
  command({
    name: 'key-request refuse',
    act: 'operator',
    words: ['ID'],
    options: { reason: { type: 'string', value: 'TEXT', text: 'why; the asker reads it' } },
    text: 'refuses a request; the asker gets a mail. 1 when it was decided before',
    run: async ({ words: [id = ''], values }, io) =>
      (await import('./key-request.ts')).refuseKeyRequest(io, id, values.reason),
  }),
  command({
    name: 'mail list',
    act: 'reads',
    options: { limit: { type: 'string', value: 'N', text: 'how many, 1 to 10000 (50)' } },
    text: 'the mails of the last 90 days, newest first, and what became of them',
    run: async ({ values }, io) => (await import('./mail.ts')).listMails(io, values),
  }),
  command({
    name: 'mail bounced',
    act: 'operator',
    words: ['ID'],
    text: 'a mail came back: its link works no more, the request is marked; 1 when it was not sent',
    run: async ({ words: [id = ''] }, io) => (await import('./mail.ts')).mailBounced(io, id),
  }),
  command({
    name: 'mail again',
    act: 'operator',
    words: ['ID'],
    text: 'sends an answer that came back or was given up again, with a new link; 1 when it cannot be',
    run: async ({ words: [id = ''] }, io) => (await import('./mail.ts')).mailAgain(io, id),
  }),
  command({
    name: 'second-factor end',
    act: 'factor-end-by-operator',
    words: ['ID'],
    text: 'ends the authenticator of a Telegram id who lost it and its recovery codes, a day later; a code used before calls it off. Needs the master key: the signer certifies the guard again',
    run: async ({ words: [id = ''] }, io) => (await import('./second-factor.ts')).endSecondFactor(io, id),
  }),
  command({
    name: 'freeze end',
    act: 'freeze-end-by-operator',
    words: ['ID'],
    options: {
      reason: { type: 'string', value: 'TEXT', text: 'why; it stays in the trail' },
      confirm: { type: 'string', value: 'TEXT', text: 'the words that the command asks for' },
    },
    text: 'ends the freeze of a Telegram id at once; they get a notice with a button that freezes again. 1 when nothing is frozen. Needs the master key: the signer certifies the guard again',
    run: async ({ words: [id = ''], values }, io) => (await import('./freeze.ts')).endFreeze(io, id, values),
  }),
  command({
    name: 'lut sync',
    act: 'operator',
    options: {
      mint: { type: 'string', value: 'ADDRESS', multiple: true, text: 'a token whose pools go in too' },
      max: { type: 'string', value: 'N', text: 'entries to write at most, 1 to 1024 (256)' },
      keypair: KEYPAIR,
      yes: YES,
    },
    text: 'makes or extends lookup tables of the accounts that repeat; prints the cost and does nothing without --yes',
    run: async ({ values }, io) => (await import('./lut.ts')).syncLut(io, values),
  }),
  command({
    name: 'lut list',
    act: 'reads',
    text: 'the lookup tables that are ours, and whether the chain agrees',
    run: async (_, io) => (await import('./lut.ts')).listLut(io),
  }),
  command({
    name: 'lut close',
    act: 'operator',
    words: ['[ADDRESS]'],
    options: {
      unused: { type: 'boolean', text: 'every table that holds nothing that is wanted now' },
      keypair: KEYPAIR,
      yes: YES,
    },
    text: 'takes a table out of use; run it again after some minutes to get its rent back',
    run: async ({ words: [subject], values }, io) => (await import('./lut.ts')).closeLut(io, subject, values),
  }),
  command({
    name: 'points abuse',
    act: 'reads',
    text: "top miners of a week, taps like a machine's, withdrawal addresses that several people share; 1 when there is something",
    run: async (_, io) => (await import('./points.ts')).showAbuse(io),
  }),
  command({
    name: 'points budget',
    act: 'operator',
    words: ['SOL'],
    text: 'how much is left for rebates from now on; rebates are sold out until there is a budget',
    run: async ({ words: [sol = ''] }, io) => (await import('./points.ts')).setBudget(io, sol),
  }),
  command({
    name: 'points stock',
    act: 'operator',
    words: ['ITEM', 'N'],
    text: 'how many of an item of the shop are left from now on',
    run: async ({ words: [item = '', count = ''] }, io) =>
      (await import('./points.ts')).setStock(io, item, count),
  }),
  command({
    name: 'points season-close',
    act: 'operator',
    text: 'ends the season that is over: what is not carried over expires; safe to run again after a kill',
    run: async (_, io) => (await import('./points.ts')).endSeason(io),
  }),
  command({
    name: 'convert announce',
    act: 'operator',
    secrets: ['KEK_FILE'],
    words: ['SOL', 'OPENS', 'CLOSES'],
    text: 'a period in which points are given for a share of so much SOL, e.g. 1 2027-01-01 2027-01-08T12:00Z; it stands from then on',
    run: async ({ words: [sol = '', opens = '', closes = ''] }, io) =>
      (await import('./convert.ts')).announcePeriod(io, { sol, opens, closes }),
  }),
  command({
    name: 'convert list',
    act: 'reads',
    text: 'the periods with what was given, owed and left over',
    run: async (_, io) => (await import('./convert.ts')).listPeriods(io),
  }),
  command({
    name: 'convert cancel',
    act: 'operator',
    secrets: ['KEK_FILE'],
    words: ['N'],
    text: 'takes a period back before it is settled and gives its points back',
    run: async ({ words: [number = ''] }, io) => (await import('./convert.ts')).cancelPeriod(io, number),
  }),
  command({
    name: 'referrals flags',
    act: 'reads',
    text: 'inviters who look like one person with somebody they invited, with the evidence; 1 when there is one',
    run: async (_, io) => (await import('./referrals.ts')).showFlags(io),
  }),
  command({
    name: 'market verify',
    act: 'reads',
    words: ['ADDRESS'],
    options: {
      from: { type: 'string', value: 'SLOT', text: "the first slot that is read (the tape's first)" },
    },
    text: "reads a market's final transactions again and compares the tape with them to the unit; 1 when they differ",
    run: async ({ words: [address = ''], values }, io) =>
      (await import('./market.ts')).verify(io, address, values.from),
  }),
  command({
    name: 'market refault',
    act: 'operator',
    words: ['[ADDRESS]'],
    text: 'decodes again what could not be told to the unit, of one market or of all, and seals on; 1 when something still cannot',
    run: async ({ words: [address] }, io) => (await import('./market.ts')).refault(io, address),
  }),
  command({
    name: 'market rebuild',
    act: 'operator',
    words: ['ADDRESS'],
    text: "makes a market's bars anew from its trades",
    run: async ({ words: [address = ''] }, io) => (await import('./market.ts')).rebuild(io, address),
  }),
  command({
    name: 'market forget',
    act: 'operator',
    options: { yes: YES },
    text: 'deletes the whole tape, its markets and their names: for another chain; what is read next begins it anew',
    run: async ({ values }, io) => (await import('./market.ts')).forget(io, values.yes),
  }),
  command({
    name: 'pools import',
    act: 'operator',
    words: ['FILE'],
    options: { yes: YES },
    text: 'looks at the pools that a file names, a line each, and takes those that their exchanges price now; writes nothing without --yes; 1 when a line was refused',
    run: async ({ words: [path = ''], values }, io) =>
      (await import('./pools.ts')).importPools(io, path, values),
  }),
  command({
    name: 'verify-game',
    act: 'reads',
    words: ['ROUND'],
    text: 'recomputes a round of a game from its commitment, seed and choice, without any secret; 1 when something does not follow',
    run: async ({ words: [round = ''] }, io) => (await import('./verify-game.ts')).runVerifyGame(io, round),
  }),
  command({
    name: 'verify-receipt',
    act: 'reads',
    words: ['SIGNATURE'],
    options: {
      treasury: {
        type: 'string',
        value: 'ADDRESS',
        text: "the desk's fee address, where no database is asked",
      },
      rpc: { type: 'string', value: 'URL', text: 'ask this node and no database' },
      'no-database': { type: 'boolean', text: 'the chain and the fee table alone' },
    },
    text: "recomputes a receipt's fee and share from the chain and the fee table, compares the books; 1 when a line differs",
    run: async ({ words: [signature = ''], values }, io) =>
      (await import('./verify-receipt.ts')).runVerifyReceipt(io, signature, values),
  }),
  command({
    name: 'ip-block list',
    act: 'reads',
    text: 'addresses that are blocked from the market data, with when and why',
    run: async (_, io) => (await import('./ip-block.ts')).listBlocks(io),
  }),
  command({
    name: 'ip-block lift',
    act: 'operator',
    words: ['IP'],
    text: 'lets an address ask again, its calls counted anew; 1 when it was not blocked',
    run: async ({ words: [ip = ''] }, io) => (await import('./ip-block.ts')).liftBlock(io, ip),
  }),
  command({
    name: 'ip-block add',
    act: 'operator',
    words: ['IP', 'WHY'],
    text: 'blocks an address from the market data until it is lifted',
    run: async ({ words: [ip = '', why = ''] }, io) => (await import('./ip-block.ts')).addBlock(io, ip, why),
  }),
  command({
    name: 'db roles',
    act: 'operator',
    options: {
      prefix: { type: 'string', value: 'PREFIX', text: 'what their names begin with (tp_)' },
      passwords: {
        type: 'string',
        value: 'FOLDER',
        text: 'sets their passwords from its files postgres_ROLE',
      },
      yes: YES,
    },
    text: "makes the roles of the database and brings their rights to the table of grants, the schema first; run by the tables' owner; 1 when something differs",
    run: async ({ values }, io) => (await import('./db-roles.ts')).dbRoles(io, values),
  }),
  command({
    name: 'local orphans',
    act: 'operator',
    options: {
      aside: {
        type: 'string',
        value: 'NAME',
        text: 'moves this one aside, so that a new folder can take its place',
      },
      back: { type: 'string', value: 'NAME', text: 'puts one that was moved aside back under its own name' },
      delete: { type: 'string', value: 'NAME', text: 'deletes this one with every key in it, for good' },
    },
    text: 'databases under /var/lib whose state folder is out of sight; 1 when there is one',
    run: async ({ values }, io) => (await import('./local-orphans.ts')).localOrphans(io, values),
  }),
];

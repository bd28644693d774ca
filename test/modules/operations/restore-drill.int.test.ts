import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { createSignatureBooks } from '../../../src/engine/signing/store/signature-books.ts';
import { createQuarantineStore } from '../../../src/engine/transactions/store/quarantine-store.ts';
import { newIntent, stepJob } from '../../../src/engine/transactions/use/new-intent.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { quoteLaunch } from '../../../src/modules/launch/use/quote-launch.ts';
import { createMetadataWay } from '../../../src/modules/mint/use/metadata-way.ts';
import { quoteCreateToken } from '../../../src/modules/mint/use/quote-create-token.ts';
import { quoteRevokeAuthority } from '../../../src/modules/mint/use/quote-revoke-authority.ts';
import { detectRestore } from '../../../src/modules/operations/use/detect-restore.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { createRpcHistory } from '../../../src/platform/chain/rpc-history.ts';
import { systemClock } from '../../../src/platform/clock/clock.ts';
import { randomIds } from '../../../src/platform/clock/ids.ts';
import { lineDigest } from '../../../src/platform/db/dump-format.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { type MoneyRig, startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { administer, copyDatabase, createEmptyDatabase, createTestDatabase } from '../../support/database.ts';
import { WITHOUT_PIN } from '../../support/signer.ts';
import { runOps, runOpsHere } from './run-ops.ts';

const SOL = 1_000_000_000n;

type Person = Awaited<ReturnType<MoneyRig['person']>>;

describe('audit, dump and restore', () => {
  let folder: string;
  let url: string;
  let db: PrismaDatabase;
  let rig: MoneyRig;
  let people: { readonly ann: Person; readonly bob: Person; readonly cid: Person };
  let serial = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drill-'));
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
    rig = await startMoneyRig(db, 'restore-drill');
    await rig.fund(rig.treasury.address, SOL);
    const bob = await rig.person('Bob', SOL);
    const ann = await rig.person('Ann', 5n * SOL, bob.userId);
    const cid = await rig.person('Cid', 5n * SOL, ann.userId);
    people = { ann, bob, cid };
    await trade(ann, 'buy');
    await quiet();
  });
  afterAll(async () => {
    await rig.stop();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const request = async (who: Person, params: IntentParams, notBefore: number | null = null) => {
    serial += 1;
    const confirmed = {
      id: rig.deps.ids.ulid(),
      userId: who.userId,
      walletId: who.wallet.id,
      idemKey: `drill/${serial}`,
      params,
    };
    const confirmation = await WITHOUT_PIN.confirm(confirmed, null);
    const intent = newIntent(rig.deps, { ...confirmed, notBefore, confirmation });
    await db.transact(async (stores) => {
      await stores.intents.insert(intent);
      await stores.outbox.add([stepJob(rig.deps, intent)]);
    });
    rig.deps.relay.nudge();
    return intent;
  };
  const order = async (who: Person, side: 'buy' | 'sell'): Promise<IntentParams> => {
    const { mint } = rig.token('PUP');
    const quote = await quoteTrade(rig.trade, {
      wallet: who.wallet.address,
      mint: mint as Address,
      slippageBps: bps(500),
      tier: 'normal',
      ...(side === 'buy'
        ? { side, amount: { lamports: SOL / 2n } }
        : { side, amount: { shareBps: bps(5_000) } }),
    });
    const common = { mint: mint as Address, tier: quote.tier, terms: quote.terms };
    return side === 'buy'
      ? { kind: 'buy', ...common, lamportsIn: quote.terms.amountIn }
      : { kind: 'sell', ...common, amountIn: quote.terms.amountIn };
  };
  const trade = async (who: Person, side: 'buy' | 'sell') => {
    const { id } = await request(who, await order(who, side));
    expect(await rig.settled(id)).toMatchObject({ status: 'SUCCEEDED' });
  };
  const creation = async (who: Person, symbol: string): Promise<IntentParams> => {
    const { chain, programs, launch, treasury } = rig;
    const quote = await quoteCreateToken(
      {
        ...launch,
        wellKnown: [],
        createFeeLamports: () => 20_000_000n,
        metadataWay: createMetadataWay({ chain, clock: rig.deps.clock }),
      },
      {
        wallet: who.wallet.address,
        tier: 'normal',
        draft: {
          symbol,
          name: `The ${symbol}`,
          program: 'token2022',
          freezeAuthority: true,
          mintCloseAuthority: treasury.address,
          transferFeeConfigAuthority: who.wallet.address,
          transferFeeWithdrawalAuthority: treasury.address,
          transferFeeBps: 125,
          transferFeeMax: '5000',
          interestBearingAuthority: who.wallet.address,
          interestBearingPercent: 3.5,
          permanentDelegate: programs.associatedTokenAddress(who.wallet.address, WSOL_MINT, TOKEN_PROGRAM),
          metadataUri: `https://x.example/${symbol}.json`,
        },
      },
    );
    return quote.params;
  };
  const launching = async (who: Person): Promise<IntentParams> => {
    const quote = await quoteLaunch(rig.launch, {
      wallet: who.wallet.address,
      pad: 'desk',
      symbol: 'LOST',
      name: 'Lost launch',
      metadataUri: 'https://x.example/lost.json',
      firstBuyLamports: SOL / 4n,
      slippageBps: 500,
      tier: 'normal',
    });
    return quote.params;
  };
  const done = async (who: Person, params: IntentParams) => {
    const intent = await rig.settled((await request(who, params)).id);
    expect(intent).toMatchObject({ status: 'SUCCEEDED' });
    return intent;
  };
  const mintOf = ({ outcome }: Intent): Address => {
    const mint = outcome?.receipt?.createdMint;
    if (mint === undefined) throw new Error('it made no token');
    return mint;
  };
  const withdrawal = (to: Address, lamports: bigint): IntentParams => ({
    kind: 'withdraw-sol',
    destination: to,
    lamports,
    everything: false,
    tier: 'normal',
  });
  /** Until every payout is final and nothing is payable any more. */
  const quiet = () =>
    until(async () => {
      const [row] = await administer(
        url,
        `SELECT (SELECT count(*) FROM intents WHERE status IN ('CREATED', 'ACTIVE')) +
           (SELECT count(*) FROM rewards WHERE status <> 'PAID') AS open`,
      );
      return row?.['open'] === '0';
    }, 'the last payout to be final');
  const environment = (databaseUrl: string) => ({
    DATABASE_URL: databaseUrl,
    SOLANA_RPC_URL: rig.local.rpcUrl,
  });
  const ops = (args: readonly string[], databaseUrl: string) => runOpsHere(args, environment(databaseUrl));
  /** As the process it is: once per command. */
  const opsProcess = (args: readonly string[], databaseUrl: string) => runOps(args, environment(databaseUrl));
  const books = (databaseUrl: string) =>
    administer(
      databaseUrl,
      `SELECT account_key, sum(amount)::text AS amount, count(*)::text AS entries FROM ledger_entries
       GROUP BY account_key ORDER BY account_key`,
    );
  /** What a worker of the restored database would do now; returns what it sent. */
  const work = async (restored: PrismaDatabase): Promise<number> => {
    let sent = 0;
    const chain = {
      ...rig.chain,
      send: (bytes: Uint8Array) => {
        sent += 1;
        return rig.chain.send(bytes);
      },
    };
    const clock = systemClock();
    const deps = { ...rig.deps, db: restored, chain, clock, ids: randomIds(() => clock.now()) };
    const step = createStepIntent(deps, { stretchMs: 500 });
    await collectPayouts({ ...rig.payoutDeps, db: restored, chain });
    for (const id of await restored.intents.due(clock.now() + 3_600_000, 1_000)) await step(id);
    return sent;
  };

  let honest: string | null = null;
  const restoredCopy = async (file: string): Promise<string> => {
    const path = join(folder, file);
    const copy = await createEmptyDatabase();
    expect((await ops(['dump', path], url)).code).toBe(0);
    expect((await ops(['restore', path], copy)).out).toContain('in quarantine');
    return copy;
  };

  it('finds nothing wrong in honest books, compared with the chain to the lamport', async () => {
    const { code, out } = await opsProcess(['audit'], url);
    expect(out).toMatch(/^0 mismatches in \d+ intents/m);
    expect(Number(/(\d+) bookings compared/.exec(out)?.[1])).toBeGreaterThanOrEqual(2);
    expect(code).toBe(0);
  });

  it.each([
    [
      'an unbalanced posting',
      `UPDATE ledger_entries SET amount = amount + 1 WHERE account_key = 'house/revenue'`,
      'unbalanced',
    ],
    ['a missing reward', 'DELETE FROM rewards', 'reward-missing'],
    [
      'a forged balance',
      `UPDATE ledger_accounts SET balance = balance + 5 WHERE kind = 'referral-payable'`,
      'balance',
    ],
    ['a reward nobody booked', 'UPDATE rewards SET lamports = lamports + 1', 'reward-unbooked'],
    [
      'a reward that is payable again',
      `UPDATE rewards SET status = 'ACCRUED', payout_intent_id = NULL`,
      'reward-status',
    ],
    [
      'a fee that was never booked',
      `DELETE FROM ledger_entries WHERE transfer_id IN (SELECT id FROM ledger_transfers WHERE reason = 'trade-fee'); DELETE FROM ledger_transfers WHERE reason = 'trade-fee'`,
      'fee-booking',
    ],
    [
      'a payout that is undone in the books',
      `UPDATE intents SET status = 'FAILED' WHERE kind = 'payout'`,
      'payout-booking',
    ],
    [
      'a payment the database forgot',
      `DELETE FROM attempts USING intents WHERE intents.id = intent_id AND kind = 'payout'`,
      'chain-unbooked',
    ],
    [
      'an amount that is not the chain’s',
      `UPDATE ledger_entries SET amount = amount * 2 WHERE transfer_id IN (SELECT id FROM ledger_transfers WHERE reason = 'trade-fee')`,
      'chain-amount',
    ],
  ])(
    'reports %s and exits 1',
    async (title, sql, rule) => {
      honest ??= await restoredCopy('honest.dump');
      const copy = await copyDatabase(honest);
      // Only a superuser who switches the triggers off can do this at all.
      await administer(copy, `SET session_replication_role = replica; ${sql}`);
      const audit = rule === 'unbalanced' ? opsProcess : ops;
      const { code, out } = await audit(['audit'], copy);
      expect(out, title).toContain(rule);
      expect(code).toBe(1);
    },
    300_000,
  );

  it('drills the newest dump in a scratch database, and leaves one row in the database in use', async () => {
    const dumps = join(folder, 'drills');
    expect((await ops(['dump-nightly', dumps, '--once'], url)).code).toBe(0);
    const acts = async () =>
      administer(url, `SELECT outcome FROM audit_log WHERE details ->> 'command' = 'drill' ORDER BY id`);
    const before = await books(url);
    const { code, out } = await ops(['drill', dumps], url);
    expect(out).toMatch(/^restored +\d+ rows into "tradepost_drill_\w+"/m);
    expect(out).toMatch(/^RPO +\d+\.\d s: /m);
    expect(out).toMatch(/^RTO +\d+\.\d s: /m);
    expect(out).toContain('0 mismatches');
    expect(out).toMatch(/^ *The drill is good, without keybook check\./m);
    expect(code).toBe(0);
    expect(await acts()).toEqual([{ outcome: 'done' }]);
    expect(await books(url)).toEqual(before);
    const scratch = /tradepost_drill_\w+/.exec(out)?.[0] ?? '';
    // By its name: the tests of another file drill on the same server.
    const left = await administer(url, `SELECT datname FROM pg_database WHERE datname = '${scratch}'`);
    expect(left).toEqual([]);
  });

  it('fails a drill of books that are wrong, and says which check', async () => {
    honest ??= await restoredCopy('honest.dump');
    const copy = await copyDatabase(honest);
    await administer(
      copy,
      `SET session_replication_role = replica; UPDATE rewards SET status = 'ACCRUED', payout_intent_id = NULL`,
    );
    const path = join(folder, 'wrong.dump');
    expect((await ops(['dump', path], copy)).code).toBe(0);
    const { code, out } = await ops(['drill', path], copy);
    expect(out).toMatch(/The drill FAILED: .*audit/);
    expect(code).toBe(1);
    expect((await ops(['drill', join(folder, 'none.dump')], copy)).code).not.toBe(0);
  });

  it('refuses a torn or changed dump, and a database that is not empty, before it touches anything', async () => {
    const path = join(folder, 'torn.dump');
    await opsProcess(['dump', path], url);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await ops(['dump', path], url)).out).toContain('exists already');
    const before = await books(url);
    const text = await readFile(path, 'utf8');
    const empty = await createEmptyDatabase();
    for (const damaged of [
      text.slice(0, -200),
      text.replace('house/treasury', 'house/revenue'),
      text.split('\n').slice(0, -2).join('\n'),
      'hello',
      '',
    ]) {
      const bad = join(folder, 'bad.dump');
      await writeFile(bad, damaged);
      const { code, out } = await ops(['restore', bad], empty);
      expect(out).toMatch(/torn or was changed|not a dump/);
      expect(code).toBe(1);
    }
    const { code, out } = await ops(['restore', path], url);
    expect(out).toMatch(/running Tradepost|not empty/);
    expect(code).toBe(1);
    expect(await books(url)).toEqual(before);
  });

  it('refuses the dump of a newer release and of another service, also where it was to replace a database', async () => {
    const path = join(folder, 'newer.dump');
    await opsProcess(['dump', path], url);
    const before = await books(url);
    const [header = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const footer = lines.pop() ?? '';
    const { migrations, ...rest } = JSON.parse(header) as { readonly migrations: readonly string[] };
    const sealed = (first: string): string => {
      const digest = lineDigest();
      for (const line of [first, ...lines]) digest.add(line);
      return [first, ...lines, JSON.stringify({ ...JSON.parse(footer), sha256: digest.hex() }), ''].join(
        '\n',
      );
    };
    const dumps: readonly (readonly [string | Buffer, RegExp])[] = [
      [
        sealed(JSON.stringify({ ...rest, migrations: [...migrations, '20990101000000_future'] })),
        /has schema 2099/,
      ],
      [
        sealed(JSON.stringify({ ...rest, migrations: migrations.slice(0, -1) })),
        /Restore it with the version/,
      ],
      [sealed(JSON.stringify({ ...rest, migrations, version: 2 })), /has format 2; this program reads 1/],
      [
        sealed(JSON.stringify({ ...rest, migrations, format: 'other-desk-dump' })),
        /is not a dump of Tradepost/,
      ],
      [Buffer.concat([Buffer.from('PGDMP\x01\x0e'), randomBytes(5_000)]), /is not a dump of Tradepost/],
      ['-- PostgreSQL database dump\nCREATE TABLE users (id text);\n', /is not a dump of Tradepost/],
    ];
    const copy = await createEmptyDatabase();
    expect((await ops(['restore', path], copy)).code).toBe(0);
    for (const [bytes, words] of dumps) {
      const bad = join(folder, 'other.dump');
      await writeFile(bad, bytes);
      for (const more of [[], ['--replace']]) {
        const { code, out } = await ops(['restore', bad, ...more], copy);
        expect([code, out]).toEqual([1, expect.stringMatching(words)]);
      }
    }
    expect(await books(copy)).toEqual(before);
    expect((await ops(['restore', path, '--replace'], copy)).code).toBe(0);
  });

  it('restores an older dump, sends nothing, and rebuilds from the chain what the dump does not know', async () => {
    const { ann, bob, cid } = people;
    const path = join(folder, 'drill.dump');
    const stranger = (await rig.person('Eve', 0n)).wallet.address;
    // Waiting when the dump is taken, carried out afterwards: the restored row says CREATED.
    const pending = await request(cid, await order(cid, 'buy'), Date.now() + 1_800_000);
    const pendingToken = await request(cid, await creation(cid, 'WAIT'), Date.now() + 1_800_000);
    expect((await ops(['dump', path], url)).code).toBe(0);
    for (const { id } of [pending, pendingToken]) {
      expect((await db.intents.find(id))?.status).toBe('CREATED');
      await db.intents.update(id, { statuses: ['CREATED'] }, { notBefore: Date.now() });
      expect(await rig.settled(id)).toMatchObject({ status: 'SUCCEEDED' });
    }
    // All of this is unknown to the dump: tokens made, given up and launched, trades, fees, rewards, payouts, a withdrawal.
    const made = mintOf(await done(cid, await creation(cid, 'MADE')));
    const revocation = { userId: cid.userId, mint: made, authority: 'freeze', tier: 'normal' } as const;
    await done(
      cid,
      (await quoteRevokeAuthority({ db, chain: rig.chain, programs: rig.programs }, revocation)).params,
    );
    const launched = mintOf(await done(ann, await launching(ann)));
    const waited = mintOf(await rig.settled(pendingToken.id));
    await trade(cid, 'buy');
    await trade(ann, 'sell');
    const lost = await request(bob, withdrawal(stranger, SOL / 5n));
    expect((await rig.settled(lost.id)).status).toBe('SUCCEEDED');
    await quiet();

    const copy = await createEmptyDatabase();
    const { out: told } = await opsProcess(['restore', path], copy);
    expect(told).toContain('nothing is signed until');
    const restored = await createPrismaDatabase({ url: copy });
    const balance = await rig.chain.balance(stranger);
    expect((await restored.intents.find(pending.id))?.status).toBe('CREATED');
    // Due by now, so that nothing but the quarantine holds them back.
    await administer(copy, `UPDATE intents SET not_before = NULL WHERE status = 'CREATED'`);
    expect(await work(restored)).toBe(0);
    expect(await restored.intents.attempts(pending.id)).toEqual([]);

    const { code, out } = await opsProcess(['reconcile'], copy);
    expect(out).toContain('The quarantine is lifted.');
    expect(code).toBe(0);
    expect(out).toMatch(/completed +\S+: buy/);
    expect(out).toMatch(/recreated +\S+: buy/);
    expect(out).toMatch(/recreated +\S+: sell/);
    expect(out).toMatch(/completed +\S+: create-token/);
    expect(out).toMatch(/recreated +\S+: create-token/);
    expect(out).toMatch(/recreated +\S+: revoke-authority/);
    expect(out).toMatch(/recreated +\S+: launch/);
    expect(out).toMatch(/recreated +\S+: withdraw-sol/);
    expect(out).toMatch(/recreated +\S+: payout/);

    expect(await books(copy)).toEqual(await books(url));
    expect((await restored.intents.find(pending.id))?.status).toBe('SUCCEEDED');
    for (const mint of [made, launched, waited]) {
      expect(await restored.createdTokens.find(mint)).toEqual(await db.createdTokens.find(mint));
    }
    expect(await restored.launches.find(launched)).toMatchObject({
      pad: 'desk',
      firstBuyLamports: SOL / 4n,
    });
    expect(await work(restored)).toBe(0);
    expect(await rig.chain.balance(stranger)).toBe(balance);
    const audited = await ops(['audit'], copy);
    expect(audited.out).toMatch(/^0 mismatches/m);
    expect((await ops(['reconcile'], copy)).out).toContain('Nothing to do');
    await restored.close();
  }, 900_000);

  it('notices at a start that the chain knows more, keeps the quarantine on a mismatch, and finds a sound database sound', async () => {
    const { ann } = people;
    const path = join(folder, 'older.dump');
    await ops(['dump', path], url);
    const late = await rig.person('Late', 2n * SOL);
    await trade(late, 'buy');
    await trade(ann, 'buy');
    await quiet();
    const copy = await createEmptyDatabase();
    await ops(['restore', path], copy);
    // As if it had been restored by other means.
    await administer(copy, `DELETE FROM quarantines; DELETE FROM system_flags`);
    const restored = await createPrismaDatabase({ url: copy });
    const clock = systemClock();
    const deps = (of: PrismaDatabase) => ({
      quarantines: createQuarantineStore(of.query),
      signatures: createSignatureBooks(of.query),
      wallets: of.wallets,
      chain: rig.chain,
      history: createRpcHistory({ urls: [rig.local.rpcUrl] }),
      clock,
      ids: randomIds(() => clock.now()),
      treasury: rig.treasury.address,
    });
    // The newest transactions must be final before history shows them.
    const found = await until(
      () => detectRestore(deps(restored)),
      'the restored database to notice that the chain knows more than it',
    );
    expect(found.reason).toContain('which this database does not know');
    expect(await restored.flags.isSet('quarantined')).toBe(true);
    expect(await detectRestore(deps(db))).toBeNull();
    expect(await work(restored)).toBe(0);

    const { code, out } = await ops(['reconcile'], copy);
    expect(out).toContain(`MISMATCH unknown-wallet ${late.wallet.address}`);
    expect(out).toContain('The quarantine stands.');
    expect(code).toBe(1);
    expect(await restored.flags.isSet('quarantined')).toBe(true);
    // Lifted and written down in one commit, or neither.
    await administer(
      copy,
      `CREATE FUNCTION refuse_act() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no trail'; END $$;
       CREATE TRIGGER refuse_act BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_act()`,
    );
    expect((await ops(['reconcile', '--accept'], copy)).code).toBe(1);
    expect(await restored.flags.isSet('quarantined')).toBe(true);
    await administer(copy, 'DROP FUNCTION refuse_act() CASCADE');
    const accepted = await ops(['reconcile', '--accept'], copy);
    expect(accepted.out).toContain('The quarantine is lifted.');
    expect(accepted.code).toBe(0);
    expect(await restored.flags.isSet('quarantined')).toBe(false);
    const acts = await restored.auditLog.list({}, { limit: 9, offset: 0 });
    // The fourth is of the drill above, and came along with the dump.
    expect(acts.slice(0, 3).map(({ act, outcome, details }) => [act, outcome, details])).toEqual([
      ['reconciled', 'done', expect.objectContaining({ accepted: true })],
      ['reconciled', 'refused', expect.objectContaining({ accepted: false })],
      ['operator-command', 'done', expect.objectContaining({ command: 'restore' })],
    ]);
    await restored.close();
  }, 900_000);
});

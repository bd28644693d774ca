import { type Address, addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../src/core/errors/app-error.ts';
import { createAuditStore } from '../../../src/engine/audit/store/audit-store.ts';
import { captureIntent } from '../../../src/engine/transactions/use/settle-intent.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { advanceConvert } from '../../../src/modules/convert/use/advance-convert.ts';
import { enterConvert } from '../../../src/modules/convert/use/enter-convert.ts';
import { roundFaults } from '../../../src/modules/games/rules/round.ts';
import { openRound } from '../../../src/modules/games/use/open-round.ts';
import { playRound } from '../../../src/modules/games/use/play-round.ts';
import { POINT_RULES } from '../../../src/modules/points/rules/rules.ts';
import { REBATE_BUDGET, SHOP } from '../../../src/modules/points/rules/shop.ts';
import { claimMission } from '../../../src/modules/points/use/claim-mission.ts';
import { minePoints } from '../../../src/modules/points/use/mine-points.ts';
import { redeem } from '../../../src/modules/points/use/redeem.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import { openReferralAccount } from '../../../src/modules/referrals/use/open-referral-account.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import { startUser } from '../../../src/modules/settings/use/start-user.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createGameSeeds } from '../../../src/platform/games/game-seeds.ts';
import { attemptRow, buttonRow, intentRow, secretRow, walletRow } from '../../conformance/store-rows.ts';
import { PARAMS } from '../../engine/intents/build.ts';
import { virtualDeps, virtualWorld } from '../../engine/transactions/virtual-world.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';
import { type Random, seededRandom } from '../../support/simulator/random.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const SEEDS = [1, 2, 3];
const STEPS = 130;
const CHEAP = SHOP.filter(({ points }) => points <= 300n);
const PEOPLE = 6;
const REBATES = 12_000_000n;
const CONVERT = 40_000_000n;
const GIFT = 1_000_000n;
const TREASURY_START = 100_000_000_000n;
const { dailyCap } = POINT_RULES[0].mining;
/** Thirty percent, written down once more: a count that asks the program would agree with its mistakes. */
const shareOf = (fee: bigint): bigint => (fee * 3n) / 10n;

/** Refusals are answers; everything else that is thrown is a fault. */
const refused = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      if (isAppError(error)) return true;
      throw error;
    },
  );

/**
 * Inviters, points, the shop, games, convert and payouts under random requests, on a real Postgres and a virtual chain, beside a
 * plain count of what must have come of them. Add a request by adding a function to `requests`.
 */
async function world(db: PrismaDatabase, seed: number) {
  const random: Random = seededRandom(seed);
  const chain = virtualWorld();
  chain.clock.set(NOON);
  const deps = virtualDeps(chain, db, { ids: fakeIds(1_000 + seed) });
  const { ids, treasury } = deps;
  /** People's clock may be set back; the cluster's never is. */
  let offset = 0;
  const clock = { now: () => chain.clock.now() + offset };
  const own = { db, clock, ids, vault: testSigner({ db, clock }, { ids }) };
  const games = { ...own, seeds: createGameSeeds(new Uint8Array(32).fill(seed)) };
  await db.wallets.insert(PASSED, treasury, {
    ...secretRow(walletRow()),
    walletId: treasury.id,
    userId: null,
    publicKey: treasury.address,
  });
  chain.balances.set(treasury.address, TREASURY_START);
  await db.shop.setStock(REBATE_BUDGET, REBATES);
  await db.shop.setStock('badge-1', 2n);
  const period = await db.convert.announce({
    budgetLamports: CONVERT,
    opensAt: NOON,
    closesAt: NOON + 3 * 86_400_000,
    announcedAt: NOON - 1,
    seal: null,
  });
  if (period === null) throw new Error('no period');

  const people = new Map<number, User>();
  const codes: { readonly code: string; readonly userId: string }[] = [];
  const bound = new Map<string, string | null>();
  const shares = new Map<string, bigint>();
  const mined = new Map<string, number>();
  const addresses = new Map<string, Set<Address>>();
  let fees = 0n;
  let wallets = 0;
  /** Play money that wallets held before anybody paid them. */
  let gifts = 0n;

  const someone = (): User | null => (people.size === 0 ? null : random.pick([...people.values()]));
  const activeOf = async (user: User) => (await db.users.find(user.id))?.activeWalletId ?? null;

  const requests: readonly (() => Promise<void>)[] = [
    async function start() {
      const telegramId = BigInt(seed * 1_000 + random.between(1, PEOPLE));
      const link = codes.length === 0 || random.chance(0.2) ? null : random.pick(codes);
      const inviteCode = link?.code ?? (random.chance(0.5) ? 'NOBODY00' : null);
      const arrival = { telegramId, firstName: 'P', language: null, inviteCode, campaignTag: 'TAG' };
      // Both devices of one person at once, now and then.
      const arrivals = await Promise.all(
        Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => startUser(own, arrival)),
      );
      for (const { user } of arrivals) {
        if (!bound.has(user.id)) bound.set(user.id, link?.userId ?? null);
        people.set(Number(telegramId), user);
      }
    },
    async function open() {
      const user = someone();
      if (user === null) return;
      const { account } = await openReferralAccount({ ...own, referrals: db.referrals }, user.id);
      if (!codes.some(({ code }) => code === account.code)) codes.push(account);
    },
    async function wallet() {
      const user = someone();
      if (user === null || (await activeOf(user)) !== null) return;
      wallets += 1;
      const bytes = new Uint8Array(32).fill(seed + 40);
      new DataView(bytes.buffer).setUint32(0, wallets);
      const row = walletRow({ userId: user.id, address: addressFromBytes(bytes) });
      await db.wallets.insert(PASSED, row, secretRow(row));
      await db.users.activate(PASSED, user.id, row.id);
      if (random.chance(0.5)) {
        chain.balances.set(row.address, GIFT);
        gifts += GIFT;
      }
      addresses.set(user.id, (addresses.get(user.id) ?? new Set<Address>()).add(row.address));
    },
    async function forget() {
      const user = someone();
      const id = user === null ? null : await activeOf(user);
      if (user === null || id === null) return;
      await db.users.activate(PASSED, user.id, null);
      await db.wallets.setDeletedAt(PASSED, id, clock.now());
    },
    async function trade() {
      const user = someone();
      const walletId = user === null ? null : await activeOf(user);
      const wallet = walletId === null ? null : await db.wallets.find(walletId);
      if (user === null || wallet === null) return;
      const feeLamports = BigInt(random.between(0, 4) * random.between(1, 9_000_000));
      const at = chain.clock.now();
      const intent = intentRow(wallet, { params: PARAMS.buy, kind: 'buy', createdAt: at, updatedAt: at });
      const attempt = attemptRow(intent, {
        signature: `trade-${intent.id}`,
        status: 'FINALIZED',
        signedAt: at,
        terms: null,
      });
      const receipt = {
        signature: attempt.signature,
        slot: 1n,
        landedAt: at,
        feeLamports: 5_000n,
        baseFeeLamports: 5_000n,
        priorityFeeLamports: 0n,
        walletLamportsDelta: 0n,
        tokenDeltas: [],
        rentLamports: 0n,
        platformFeeLamports: feeLamports,
      };
      await db.intents.insert(intent);
      await db.intents.insertAttempt(attempt);
      // An acknowledgement that was lost is asked for again.
      for (let time = 0; time < (random.chance(0.3) ? 2 : 1); time += 1) {
        await db.transact(async (stores) => {
          await stores.intents.update(
            intent.id,
            { statuses: ['CREATED', 'SUCCEEDED'] },
            { status: 'SUCCEEDED', outcome: { reason: null, details: {}, receipt }, updatedAt: at },
          );
          await captureIntent(deps, stores, intent, attempt, receipt);
        });
      }
      chain.balances.set(treasury.address, (chain.balances.get(treasury.address) ?? 0n) + feeLamports);
      fees += feeLamports;
      const inviter = bound.get(user.id);
      if (inviter) shares.set(inviter, (shares.get(inviter) ?? 0n) + shareOf(feeLamports));
    },
    async function mine() {
      const user = someone();
      if (user === null) return;
      const who = { telegramId: user.telegramId, userId: user.id };
      for (let tap = random.between(1, 12); tap > 0; tap -= 1) {
        chain.clock.advance(random.between(1, 900));
        const devices = await Promise.all(
          Array.from({ length: random.chance(0.2) ? 3 : 1 }, () => minePoints(own, who)),
        );
        for (const { result, miner } of devices) {
          if (result.kind !== 'mined') continue;
          const key = `${user.id}/${miner.day}`;
          mined.set(key, (mined.get(key) ?? 0) + result.points);
        }
      }
    },
    async function claim() {
      const user = someone();
      if (user === null) return;
      const mission = random.pick(['first-trade', 'daily-mine', 'daily-trades', 'invite-1', 'pin', 'forged']);
      await refused(claimMission(own, { telegramId: user.telegramId, userId: user.id }, mission));
    },
    async function buy() {
      const user = someone();
      if (user === null) return;
      const item = random.pick(random.chance(0.5) ? SHOP : CHEAP);
      const button = buttonRow(user.id, { expiresAt: NOON + 1e11 });
      const request = {
        userId: user.id,
        itemId: item.id,
        points: item.points,
        idemKey: ids.ulid(),
        buttonId: button.id,
      };
      await db.buttons.insert([button]);
      await Promise.all([refused(redeem(own, request)), refused(redeem(own, request))]);
    },
    async function bet() {
      const user = someone();
      if (user === null) return;
      const round = await openRound(games, user.id, random.pick(['coin', 'wheel'] as const));
      const points = random.pick([10n, 50n, 100n, -10n, 10n ** 18n]);
      const tap = (choice: number) =>
        refused(playRound(games, { userId: user.id, roundId: round.id, choice, points }));
      await Promise.all([tap(0), tap(1)]);
      const played = await db.games.find(round.id);
      if (played?.result) expect(roundFaults(played, (text) => games.seeds.sha256(text))).toEqual([]);
    },
    async function convert() {
      const user = someone();
      if (user === null) return;
      const button = buttonRow(user.id, { expiresAt: NOON + 1e11 });
      await db.buttons.insert([button]);
      const points = random.pick([1n, 100n, 500n, 10n ** 12n]);
      const entry = {
        userId: user.id,
        period: period.number,
        points,
        idemKey: ids.ulid(),
        buttonId: button.id,
      };
      await refused(enterConvert(own, entry));
      await advanceConvert({ db, clock, ids });
    },
    pay,
    async function time() {
      if (random.chance(0.3)) offset = -random.between(0, 2 * 86_400_000);
      else if (random.chance(0.5)) offset = 0;
      chain.clock.advance(random.between(0, 8 * 3_600_000));
    },
  ];

  /** A round of payouts by two collectors at once, every payout carried to its end in some weather. */
  async function pay(): Promise<void> {
    chain.faults.drop = random.chance(0.1);
    chain.faults.loseAnswer = random.chance(0.3);
    chain.faults.failWith = random.chance(0.35) ? '"InsufficientFundsForRent"' : null;
    const input = { ...deps, minimumLamports: 0n };
    await Promise.all([collectPayouts(input), collectPayouts(input)]);
    await settle();
    chain.faults.drop = false;
    chain.faults.loseAnswer = false;
    chain.faults.failWith = null;
  }

  async function settle(): Promise<void> {
    const steps = ['one', 'two'].map((owner) => createStepIntent({ ...deps, owner }, { stretchMs: 0 }));
    for (let turn = 0; turn < 400; turn += 1) {
      const due = await db.query<{ readonly id: string }>(
        `SELECT id FROM intents WHERE kind = 'payout' AND status IN ('CREATED', 'ACTIVE') ORDER BY id`,
        [],
      );
      if (due.length === 0) return;
      for (const { id } of due) {
        await random.pick(steps)(id);
        // The weather does not last for ever, and a second worker may come by.
        if (turn > 15) chain.faults.drop = false;
        if (turn > 15) chain.faults.failWith = null;
      }
      chain.clock.advance(2_500);
    }
    throw new Error('a payout never ends');
  }

  async function check(what: string): Promise<void> {
    const sums = await db.query<{ currency: string; sum: string }>(
      `SELECT currency, sum(amount)::text AS sum FROM ledger_entries JOIN ledger_transfers ON id = transfer_id GROUP BY currency`,
      [],
    );
    for (const { sum } of sums) expect(sum, `sum after ${what}`).toBe('0');
    const [row] = await db.query<Record<string, string>>(
      `SELECT (SELECT count(*) FROM ledger_accounts WHERE balance < 0)::text AS negative,
         (SELECT coalesce(sum(lamports), 0) FROM rewards WHERE source = 'referral')::text AS shared,
         (SELECT coalesce(sum(lamports), 0) FROM rewards WHERE source = 'rebate')::text AS rebates,
         (SELECT coalesce(sum(lamports), 0) FROM rewards WHERE source NOT IN ('referral', 'rebate'))::text AS converted,
         (SELECT coalesce(sum(lamports), 0) FROM rewards WHERE status = 'PAID')::text AS paid,
         (SELECT count(*) FROM point_redemptions WHERE item = 'badge-1')::text AS badges`,
      [],
    );
    expect(row?.['negative'], `after ${what}`).toBe('0');
    const shared = [...shares.values()].reduce((sum, one) => sum + one, 0n);
    expect(BigInt(row?.['shared'] ?? -1), `after ${what}`).toBe(shared);
    expect(shared).toBeLessThanOrEqual(shareOf(fees));
    expect(BigInt(row?.['rebates'] ?? -1)).toBeLessThanOrEqual(REBATES);
    expect(BigInt(row?.['converted'] ?? -1)).toBeLessThanOrEqual(CONVERT);
    expect(Number(row?.['badges'])).toBeLessThanOrEqual(2);
    for (const { id, inviterId } of await db.query<{ id: string; inviterId: string | null }>(
      'SELECT id, inviter_id AS "inviterId" FROM users',
      [],
    ))
      expect(inviterId, `inviter after ${what}`).toBe(bound.get(id) ?? null);
    for (const [key, points] of mined) expect(points, `${key} after ${what}`).toBeLessThanOrEqual(dailyCap);
    // What the chain says was paid, every lamport of it once.
    let held = 0n;
    for (const set of addresses.values())
      for (const address of set) held += chain.balances.get(address) ?? 0n;
    expect(held - gifts, `on chain after ${what}`).toBe(BigInt(row?.['paid'] ?? -1));
  }

  const often = requests.filter(({ name }) => ['wallet', 'trade', 'mine', 'buy', 'pay'].includes(name));
  return { random, requests: [...requests, ...often, ...often], check, pay };
}

describe('inviters and points under any sequence of requests', () => {
  const done = new Map<string, number>();

  it.each(SEEDS)(
    'sum to zero, owe and pay exactly, bind once and keep every cap (seed %i)',
    async (seed) => {
      const db = await createPrismaDatabase({ url: await createTestDatabase() });
      const { random, requests, check, pay } = await world(db, seed);
      for (let step = 0; step < STEPS; step += 1) {
        const request = random.pick(requests);
        await request();
        await check(`${step} ${request.name}`);
      }
      await pay();
      await check('the end');
      expect(await createAuditStore(db.query).mismatches()).toEqual([]);
      const moved = await db.query<{ readonly reason: string; readonly times: number }>(
        'SELECT reason, count(*)::int AS times FROM ledger_transfers GROUP BY reason',
        [],
      );
      for (const { reason, times } of moved) done.set(reason, (done.get(reason) ?? 0) + times);
      await db.close();
    },
    900_000,
  );

  it('were not idle: whatever moves points and lamports has happened', () => {
    const expected =
      'trade-fee payout-hold payout-capture payout-void points-mine points-trade points-mission points-redeem';
    expect([...done.keys()]).toEqual(expect.arrayContaining(expected.split(' ')));
  });
});

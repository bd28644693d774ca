import type { Person } from '@tradepost/local-telegram';
import { type Address, toBase58, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../src/core/amounts/bps.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { COPY_DEFAULTS, COPY_LIMITS, type Copy } from '../../src/modules/copying/rules/copy.ts';
import { rowOf } from '../../src/modules/copying/use/copy-buy.ts';
import type { LeaderTrade } from '../../src/modules/follows/rules/leader-trade.ts';
import { createHistoryWatch } from '../../src/modules/follows/use/read-histories.ts';
import { confirmable } from '../../src/modules/trading/use/trade-quote.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { createRpcHistory } from '../../src/platform/chain/rpc-history.ts';
import { PASSED } from '../support/passed.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const PAPER_RULES = { ...COPY_DEFAULTS, exits: { takes: [], stopBps: null, trailBps: null } };
const SET = { takes: [{ atBps: 10_000, shareBps: 10_000 }], stopBps: 3_000, trailBps: null };
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('copying', { spendCapLamports: 1_000n * SOL });
});
afterAll(() => rig.stop());

const mintOf = (symbol: string) => rig.token(symbol).mint as Address;
let tradeId = 0n;

/** A trade of the leader on the local chain, as the tape would have it. */
async function leads(
  wallet: Wallet,
  mint: Address,
  what: { readonly lamports: bigint } | { readonly share: number },
  seen: 'seen' | 'unseen' = 'seen',
): Promise<LeaderTrade> {
  const common = { wallet: wallet.address, mint, slippageBps: bps(500), tier: 'normal' as const };
  const quote = await rig.services.trade.quoteTrade(
    'lamports' in what
      ? { side: 'buy', ...common, amount: what }
      : { side: 'sell', ...common, amount: { shareBps: bps(what.share) } },
  );
  const { intent } = await rig.services.trade.confirmTrade({
    userId: wallet.userId ?? '',
    walletId: wallet.id,
    idemKey: rig.ids.token(),
    trade: confirmable(quote),
  });
  const attempt = await until(async () => {
    const whole = await rig.db.intents.whole(intent.id);
    if (whole?.intent.status === 'FAILED') throw new Error('the leader’s trade failed');
    return whole?.attempts.find(({ status }) => status === 'CONFIRMED' || status === 'FINALIZED');
  });
  const landed = await until(() => rig.chain.landed(attempt.signature));
  const moved = landed.tokenBalances
    .filter(({ owner, mint: of }) => owner === wallet.address && of === mint)
    .reduce((sum, { before, after }) => sum + after - before, 0n);
  tradeId += 1n;
  const trade: LeaderTrade = {
    leader: wallet.address,
    signature: attempt.signature,
    mint,
    side: moved > 0n ? 'buy' : 'sell',
    tradeId,
    at: rig.clock.now(),
    units: moved > 0n ? moved : -moved,
    paid: { mint: WSOL_MINT, units: moved > 0n ? quote.terms.amountIn : quote.terms.quotedOut },
    takenBack: false,
  };
  if (seen === 'seen') await rig.db.follows.record([trade]);
  return trade;
}

const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor(text);
};
const sayAndWait = async (person: Person, said: string, text: RegExp) => {
  await person.say(said);
  return person.waitFor(text);
};

const round = () => rig.services.watches.copying.round();
const held = async (wallet: Wallet, mint: Address) => (await rig.chain.holding(wallet.address, mint)).amount;

async function copied(userId: string) {
  const intents = await rig.db.intents.listByUser(userId, { limit: 50 });
  return intents.filter(({ idemKey }) => idemKey.startsWith('copy:'));
}

async function decisions(userId: string) {
  const [copy] = await rig.db.copies.listByUser(userId);
  return copy === undefined ? [] : rig.db.copies.trades(copy.id, null);
}

const exitsOf = async (userId: string) =>
  (await rig.db.orders.listOpen(userId)).flatMap(({ orders }) =>
    orders.map(({ type, status, terms }) => [type, status, terms.request]),
  );

async function withPin(name: string) {
  const trader = await rig.trader(name, 20n);
  const userId = trader.wallet.userId ?? '';
  const hash = await rig.services.guard.hashPin({ userId, pin: PIN });
  await rig.services.guard.setPin({ userId, hash, again: PIN, replaces: null });
  await rig.services.guard.changeSettings({ userId, change: { exits: SET } });
  return { ...trader, userId };
}

describe('copying a followed wallet', () => {
  it('asks again where a rehearsal has no answer, and skips with the reason when the trade is old', async () => {
    const leader = await rig.trader('Silent', 1n);
    const { userId } = await withPin('Waiting');
    const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 's' });
    await switchOn(userId, follow.id, { each: true });
    // The first test of the token: no earlier rehearsal is remembered.
    const trade = async (ageMs: number): Promise<void> => {
      tradeId += 1n;
      const paid = { mint: WSOL_MINT, units: SOL };
      const signature = toBase58(new Uint8Array(64).fill(Number(tradeId) + 1));
      const common = { leader: leader.wallet.address, signature, mint: mintOf('PUP'), side: 'buy' } as const;
      await rig.db.follows.record([
        { ...common, tradeId, at: rig.clock.now() - ageMs, units: 1n, paid, takenBack: false },
      ]);
    };
    const simulate = rig.chain.simulate.bind(rig.chain);
    const silent = async () => {
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'node', cause: 'no answer' });
    };
    Object.assign(rig.chain, { simulate: silent });
    const [copy] = await rig.db.copies.listByUser(userId);
    if (copy === undefined) throw new Error('it is on');
    await rig.db.copies.save(PASSED, { ...copy, since: copy.since - 60_000 });
    await trade(12_000);
    await round();
    const all = () => rig.db.copies.latest(copy.id, 10);
    expect(await all()).toMatchObject([{ status: 'SKIPPED', skip: { reason: 'round-trip', value: null } }]);
    await trade(0);
    await round();
    await round();
    expect(await all()).toHaveLength(1);
    Object.assign(rig.chain, { simulate });
    await round();
    await until(async () => (await decisions(userId)).some(({ status }) => status === 'BOUGHT'));
    expect(await copied(userId)).toHaveLength(1);
  });

  it('follow, replay, PIN; then the leader’s purchase is bought with exits, and sold as the leader sells', async () => {
    const leader = await rig.trader('Leader', 20n);
    const { person, wallet, userId } = await withPin('Copier');
    const pup = mintOf('PUP');
    await sayAndWait(person, '/home', /Send a name/);
    await tapAndWait(person, 'Following', /^Following/);
    await tapAndWait(person, 'Follow a wallet', /Which wallet/);
    await sayAndWait(person, leader.wallet.address, /Give it a name/);
    await sayAndWait(person, 'whale1', /^whale1 · /);
    const shown = await tapAndWait(person, 'Copy…', /^whale1 · \S+ · not copied/);
    expect(shown.text).toMatch(/7 d: 0 trades on our tape\nToo few to say: 0 of 10/);
    expect(shown.text).toMatch(/Copied wallets can sell to you\.\nMost followers get a worse price\./);
    const form = await tapAndWait(person, 'Copy this wallet', /^Copy whale1 with/);
    expect(form.text).toMatch(/Each buy: 0\.1 SOL[\s\S]*Exits: TP \+100% · SL −30%/);
    await tapAndWait(person, 'X', /Send the number/);
    await sayAndWait(person, '150%', /./);
    await sayAndWait(person, '50%', /Each buy: 50% of theirs/);
    await tapAndWait(person, '0.5', /Each buy: 0\.5 SOL/);
    await tapAndWait(person, 'Issuer powers', /issuer powers: yes/);
    await tapAndWait(person, 'Start copying', /Copied wallets can sell to you[\s\S]*Type your PIN/);
    await sayAndWait(person, '111222', /PIN/);
    expect(await rig.db.copies.listByUser(userId)).toEqual([]);
    await sayAndWait(person, PIN, /^whale1 · \S+ · copying/);

    const bought = await leads(leader.wallet, pup, { lamports: SOL });
    await Promise.all([round(), round()]);
    await until(async () => (await decisions(userId)).some(({ status }) => status === 'BOUGHT'));
    expect(await copied(userId)).toMatchObject([{ kind: 'buy', status: 'SUCCEEDED', walletId: wallet.id }]);
    await person.waitFor(/^Copy of whale1\nBought /, { past: true });
    expect(await exitsOf(userId)).toEqual([
      ['TAKE_PROFIT', 'OPEN', '+100%'],
      ['STOP_LOSS', 'OPEN', '-30%'],
    ]);
    const all = await held(wallet, pup);
    expect(all).toBeGreaterThan(0n);
    expect(await decisions(userId)).toMatchObject([{ side: 'buy', amount: SOL / 2n, moved: all }]);

    // The same trade heard of once more, and the same one again after a fork, change nothing.
    await rig.db.follows.record([bought]);
    await rig.db.follows.takeBack([bought.tradeId]);
    await rig.db.follows.record([bought]);
    await Promise.all([round(), round(), round()]);
    expect(await copied(userId)).toHaveLength(1);

    await leads(leader.wallet, pup, { share: 5_000 });
    const signs = rig.vault.sign.bind(rig.vault);
    const away = async () => {
      throw new AppError('SIGNER_UNAVAILABLE', { cause: 'a test' });
    };
    Object.assign(rig.vault, { sign: away });
    await round();
    // The units of a sale that is not even signed are not the exits' any more.
    const [, selling] = await decisions(userId);
    expect(selling).toMatchObject({ status: 'SELLING' });
    const [waiting] = await rig.db.orders.listOpen(userId);
    expect(waiting?.units).toBe(all - (selling?.amount ?? 0n));
    Object.assign(rig.vault, { sign: signs });
    await until(async () => (await decisions(userId)).some(({ status }) => status === 'SOLD'));
    const left = await held(wallet, pup);
    const [, half] = await decisions(userId);
    expect(half).toMatchObject({ side: 'sell', moved: all - left });
    // The leader's own balance may be odd: half of it is rounded down.
    expect(left - all / 2n).toBeLessThanOrEqual(1n + all / 1_000_000n);
    // The sold units are not the exits' any more.
    const [group] = await rig.db.orders.listOpen(userId);
    expect(group?.units).toBe(left);

    await leads(leader.wallet, pup, { share: 10_000 });
    await Promise.all([round(), round()]);
    await until(async () => (await decisions(userId)).filter(({ status }) => status === 'SOLD').length === 2);
    expect(await held(wallet, pup)).toBe(0n);
    await until(async () => (await exitsOf(userId)).length === 0);
    expect(await copied(userId)).toHaveLength(3);
  });

  it('buys once, although the process died between seeing and committing', async () => {
    const leader = await rig.trader('Dying', 20n);
    const { userId } = await withPin('Patient');
    const koi = mintOf('KOI');
    const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'w' });
    await switchOn(userId, follow.id);
    const before = { ...rig.vault };
    let deaths = 0;
    Object.assign(rig.vault, {
      confirmCopy: async () => {
        deaths += 1;
        throw new AppError('SIGNER_UNAVAILABLE', { cause: 'it dies here' });
      },
    });
    await leads(leader.wallet, koi, { lamports: SOL });
    await round();
    Object.assign(rig.vault, before);
    expect(deaths).toBeGreaterThan(0);
    expect(await copied(userId)).toEqual([]);
    expect(await decisions(userId)).toEqual([]);
    await Promise.all([round(), round(), round()]);
    await until(async () => (await decisions(userId)).some(({ status }) => status === 'BOUGHT'));
    expect(await copied(userId)).toHaveLength(1);
  });

  it('skips for the cap of the day where another purchase took the room while this one was quoted', async () => {
    const leader = await rig.trader('Twice', 20n);
    const { userId } = await withPin('Capped');
    const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'twice' });
    await switchOn(userId, follow.id, { tradeLamports: SOL / 2n, dayLamports: SOL / 2n });
    const confirm = rig.vault.confirmCopy.bind(rig.vault);
    const [copy] = await rig.db.copies.listByUser(userId);
    const other = { mint: mintOf('KOI'), side: 'buy', signature: 'other' } as const;
    // Another process commits its purchase while this one's way to the signer is long.
    Object.assign(rig.vault, {
      confirmCopy: async (input: Parameters<typeof confirm>[0]) => {
        const row = rowOf(rig, copy as Copy, { ...led, ...other }, { status: 'BUYING', amount: SOL / 2n });
        await rig.db.transact((stores) => stores.copies.decide(row));
        return confirm(input);
      },
    });
    const led = await leads(leader.wallet, mintOf('PUP'), { lamports: SOL });
    await round();
    Object.assign(rig.vault, { confirmCopy: confirm });
    const all = await rig.db.copies.latest(copy?.id ?? '', 10);
    const one = all.find(({ signature }) => signature === led.signature);
    expect(one).toMatchObject({
      status: 'SKIPPED',
      skip: { reason: 'day-cap', value: SOL, limit: SOL / 2n },
    });
    expect(await copied(userId)).toEqual([]);
    expect(await rig.db.copies.listByUser(userId)).toMatchObject([{ status: 'ON' }]);
  });

  it('skips with its number, pauses by one tap, and asks for the PIN to go on', async () => {
    const leader = await rig.trader('Small', 20n);
    const { person, userId } = await withPin('Skipper');
    const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'small' });
    await switchOn(userId, follow.id, { leastLamports: 2n * SOL });
    await leads(leader.wallet, mintOf('PUP'), { lamports: SOL });
    await round();
    expect(await copied(userId)).toEqual([]);
    await sayAndWait(person, '/home', /Send a name/);
    await tapAndWait(person, 'Following', /^Following/);
    await tapAndWait(person, 'small', /^small · /);
    await tapAndWait(person, 'Copy…', /copying/);
    await tapAndWait(person, 'Skips', /PUP: small 1, limit 2/);
    await tapAndWait(person, 'Back', /copying/);
    await tapAndWait(person, 'Pause', /paused\nPaused by you/);
    await leads(leader.wallet, mintOf('PUP'), { lamports: 3n * SOL });
    await round();
    expect(await copied(userId)).toEqual([]);
    await tapAndWait(person, 'Resume…', /^Copy small/);
    await tapAndWait(person, 'Save', /Type your PIN/);
    await sayAndWait(person, PIN, /^small · \S+ · copying/);
    // A new PIN ends the mandate, and /panic the copy's purchases.
    const replaces = await rig.services.guard.beginPinChange({ userId, pin: PIN });
    const hash = await rig.services.guard.hashPin({ userId, pin: '481516' });
    await rig.services.guard.setPin({ userId, hash, again: '481516', replaces });
    await tapAndWait(person, 'Refresh', /Paused: your PIN is needed again/);
    await tapAndWait(person, 'Stop', /not copied/);
    expect(await rig.db.copies.listByUser(userId)).toEqual([]);
  });

  it('the past of a wallet is read from the chain once it is followed, and the replay has it', async () => {
    const leader = await rig.trader('Olden', 20n);
    const pup = mintOf('PUP');
    // Before anybody follows the wallet, and no reader writes it down.
    const first = await leads(leader.wallet, pup, { lamports: SOL }, 'unseen');
    const second = await leads(leader.wallet, pup, { share: 5_000 }, 'unseen');
    await until(async () => (await rig.db.intents.listOpen(leader.wallet.userId ?? '')).length === 0);
    const { person, userId } = await withPin('Historian');
    await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'olden' });
    await sayAndWait(person, '/home', /Send a name/);
    await tapAndWait(person, 'Following', /^Following/);
    await tapAndWait(person, 'olden', /^olden · /);
    await tapAndWait(person, 'Copy…', /7 d: 0 trades/);
    const reader = () =>
      createHistoryWatch({
        db: rig.db,
        chain: rig.chain,
        history: createRpcHistory({ urls: [rig.local.rpcUrl] }),
        clock: rig.clock,
        money: [WSOL_MINT],
        isFirst: () => true,
        log: rig.log,
      });
    const past = () => rig.db.follows.history(leader.wallet.address);
    await reader().round();
    await tapAndWait(person, 'Refresh', /Reading its past: back to |Its past was read/);
    await until(async () => {
      await reader().round();
      return (await past())?.ended === 'whole';
    });
    await tapAndWait(person, 'Refresh', /7 d: 2 trades on our tape[\s\S]*Its past was read: all 7 days/);
    const found = await rig.db.follows.trades(leader.wallet.address, 0, 10);
    const common = { mint: pup, takenBack: false };
    expect(found).toMatchObject([
      { ...common, side: 'sell', units: second.units, signature: second.signature },
      { ...common, side: 'buy', units: first.units, signature: first.signature, paid: { mint: WSOL_MINT } },
    ]);
    // The fee of the service is part of the payment, and the network's is not.
    expect(found[1]?.paid?.units).toBe(SOL);
    // They are news to no person, and no copy decides on them.
    expect((await person.transcript()).match(/olden (bought|sold)/)).toBeNull();
  });

  it('on paper it decides alike and signs nothing; one tap and the PIN make it real', async () => {
    const leader = await rig.trader('Papered', 20n);
    const { person, wallet, userId } = await withPin('Careful');
    const pup = mintOf('PUP');
    const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'demo' });
    await sayAndWait(person, '/home', /Send a name/);
    await tapAndWait(person, 'Following', /^Following/);
    await tapAndWait(person, 'demo', /^demo · /);
    await tapAndWait(person, 'Copy…', /not copied/);
    await tapAndWait(person, 'Copy this wallet', /^Copy demo with/);
    await tapAndWait(person, '0.5', /Each buy: 0\.5 SOL/);
    await tapAndWait(person, 'Issuer powers', /issuer powers: yes/);
    await tapAndWait(
      person,
      'On paper',
      /^demo · \S+ · on paper\nPaper since .*: 0 bought, 0 sold, 0 skipped/,
    );
    const before = await rig.chain.balance(wallet.address);
    const key = { userId, leader: leader.wallet.address };
    const decided = () => rig.db.paperCopies.trades(key);

    const bought = await leads(leader.wallet, pup, { lamports: SOL });
    await until(async () => {
      await Promise.all([round(), round()]);
      return (await decided()).length === 1;
    });
    const [buy] = await decided();
    expect(buy).toMatchObject({ side: 'buy', skip: null, lamports: SOL / 2n, signature: bought.signature });
    // Half of the leader's sum brings less than half of their units: the fee, and the own size against the pools.
    expect(buy?.units).toBeGreaterThan(0n);
    expect(buy?.units).toBeLessThan(bought.units / 2n);
    await leads(leader.wallet, pup, { lamports: SOL });
    await leads(leader.wallet, pup, { share: 10_000 });
    await until(async () => {
      await round();
      return (await decided()).length === 3;
    });
    expect((await decided()).slice(1)).toMatchObject([
      { side: 'buy', skip: { reason: 'bought-before' }, units: 0n },
      { side: 'sell', skip: null, units: buy?.units },
    ]);
    const shown = await tapAndWait(person, 'Refresh', /1 bought, 1 sold, 1 skipped/);
    // A purchase and its sale at about one price lose the fees of both.
    expect(shown.text).toMatch(/On paper −\d[\d.]*% \(−0\.\d+ SOL\), without exits/);
    await tapAndWait(person, 'Skips', /demo · on paper[\s\S]*PUP: bought for 0\.5 SOL/);
    await tapAndWait(person, 'Back', /on paper/);
    // Nothing was signed, and no position, order or copy is there.
    expect(await rig.intents(person)).toEqual([]);
    expect(await rig.db.positions.list([wallet.id])).toEqual([]);
    expect(await rig.db.orders.listOpen(userId)).toEqual([]);
    expect(await rig.db.copies.listByUser(userId)).toEqual([]);
    expect(await rig.chain.balance(wallet.address)).toBe(before);

    // With its own rules, by the PIN, and on paper no more.
    const form = await tapAndWait(person, 'Copy for real', /^Copy demo with/);
    expect(form.text).toMatch(/Each buy: 0\.5 SOL[\s\S]*issuer powers: yes/);
    await tapAndWait(person, 'Start copying', /Type your PIN/);
    expect(await rig.db.copies.listByUser(userId)).toEqual([]);
    await sayAndWait(person, PIN, /^demo · \S+ · copying/);
    expect(await rig.db.paperCopies.find(key)).toBeNull();
    await leads(leader.wallet, pup, { lamports: SOL });
    await round();
    await until(async () => (await decisions(userId)).some(({ status }) => status === 'BOUGHT'));
    expect(await copied(userId)).toHaveLength(1);
    await expect(
      rig.services.copying.beginPaper({
        userId,
        followId: follow.id,
        walletId: wallet.id,
        rules: PAPER_RULES,
      }),
    ).rejects.toMatchObject({ code: 'BUTTON_STALE' });
  });

  it('of two wallets that copy each other copies no copy, and each goes on with the other’s own trades', async () => {
    const [one, other] = [await withPin('Castor'), await withPin('Pollux')];
    for (const [follower, leader] of [
      [one, other],
      [other, one],
    ] as const) {
      const { userId } = follower;
      const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'l' });
      await switchOn(userId, follow.id, { each: true });
    }
    await leads(one.wallet, mintOf('KOI'), { lamports: SOL });
    await round();
    await until(async () => (await held(other.wallet, mintOf('KOI'))) > 0n);
    const [bought] = await decisions(other.userId);
    const whole = await rig.db.intents.whole(bought?.intentId ?? '');
    const signature = whole?.attempts.at(-1)?.signature ?? '';
    tradeId += 1n;
    // The copy's purchase as the tape has it: for the other side it is a trade of the wallet that it copies.
    const paid = { mint: WSOL_MINT, units: SOL / 2n };
    const seen = {
      signature,
      mint: mintOf('KOI'),
      side: 'buy',
      at: rig.clock.now(),
      units: 1n,
      takenBack: false,
    } as const;
    await rig.db.follows.record([{ ...seen, leader: other.wallet.address, tradeId, paid }]);
    await round();
    const [copy] = await rig.db.copies.listByUser(one.userId);
    expect(await rig.db.copies.latest(copy?.id ?? '', 10)).toMatchObject([
      { status: 'SKIPPED', skip: { reason: 'copied' }, signature },
    ]);
    await leads(other.wallet, mintOf('KOI'), { lamports: SOL });
    await round();
    await until(async () => (await copied(one.userId)).length === 1);
  });

  it('the sixth of a person is refused, and the five go on', async () => {
    const { userId } = await withPin('Collector');
    const leader = await rig.trader('Sixth', 0n);
    for (let n = 0; n < COPY_LIMITS.perPerson; n += 1) {
      const { address } = (await rig.trader(`Leader ${n}`, 0n)).wallet;
      const follow = await rig.services.follows.follow({ userId, text: address, label: `l${n}` });
      await switchOn(userId, follow.id);
    }
    const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'six' });
    await expect(switchOn(userId, follow.id)).rejects.toMatchObject({
      code: 'COPY_REFUSED',
      details: { kind: 'too-many' },
    });
    const open = await rig.db.copies.listByUser(userId);
    expect(open.map(({ status }) => status)).toEqual(Array(COPY_LIMITS.perPerson).fill('ON'));
    expect(open.map((one) => one.leader)).not.toContain(leader.wallet.address);
  });

  it('takes no number that is none, no part outside of 1 to 100 %, no cap of 0, and no PIN at the wrong question', async () => {
    const leader = await rig.trader('Typed at', 0n);
    const { person, userId } = await withPin('Mistyper');
    await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'typed' });
    await sayAndWait(person, '/home', /Send a name/);
    await tapAndWait(person, 'Following', /^Following/);
    await tapAndWait(person, 'typed', /^typed · /);
    await tapAndWait(person, 'Copy…', /not copied/);
    await tapAndWait(person, 'Copy this wallet', /^Copy typed with/);
    await tapAndWait(person, 'X', /Send the number/);
    for (const [said, why] of [
      ['0%', /must be more than zero/],
      ['101%', /A part is at most 100%/],
      ['1.5%', /1 to 100%|whole/],
      ['NaN', /“NaN”/],
      ['0,5,5', /“0,5,5”/],
      ['-1', /negative/],
      ['424242', /deleted/i],
    ] as const) {
      const answer = await sayAndWait(person, said, why);
      expect(answer.text, said).not.toMatch(/Each buy: (?!0\.1 SOL)/);
    }
    await sayAndWait(person, '100%', /Each buy: 100% of theirs/);
    await tapAndWait(person, '0.1', /Each buy: 0\.1 SOL/);
    for (const [said, shown] of [
      ['0,2', /Their buys from 0\.2 SOL on/],
      ['0', /Their buys from 0 SOL on/],
    ] as const) {
      await tapAndWait(person, 'Theirs from…', /Send the number/);
      await sayAndWait(person, said, shown);
    }
    await tapAndWait(person, 'A buy…', /Send the number/);
    await sayAndWait(person, '0', /must be more than zero/);
    await sayAndWait(person, '0.001', /At most 0\.001 SOL a buy/);
    await tapAndWait(person, 'Start copying', /The size of a buy is at least|The limit of a buy is/);
    expect(await rig.db.copies.listByUser(userId)).toEqual([]);
  });

  it('is one where it is switched on twice at once, and an older screen changes nothing', async () => {
    const leader = await rig.trader('Wanted', 0n);
    const { userId } = await withPin('Eager');
    const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'w' });
    const both = await Promise.allSettled([switchOn(userId, follow.id), switchOn(userId, follow.id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'BUTTON_STALE' },
    });
    const [copy] = await rig.db.copies.listByUser(userId);
    expect(await rig.db.copies.listByUser(userId)).toHaveLength(1);
    expect(copy).toMatchObject({ status: 'ON', version: 1 });
    // A screen from before the copy, with wider rules and the right PIN.
    await expect(switchOn(userId, follow.id, { tradeLamports: 2n * SOL })).rejects.toMatchObject({
      code: 'BUTTON_STALE',
    });
    await expect(switchOn(userId, follow.id, {}, '111222')).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    expect(await rig.db.copies.listByUser(userId)).toEqual([copy]);
  });

  it('is refused above the caps of orders, and without the PIN', async () => {
    const { userId } = await withPin('Greedy');
    const leader = await rig.trader('Any', 0n);
    const follow = await rig.services.follows.follow({ userId, text: leader.wallet.address, label: 'any' });
    await expect(
      switchOn(userId, follow.id, { dayLamports: 1_000n * SOL, totalLamports: 1_000n * SOL }),
    ).rejects.toMatchObject({
      code: 'COPY_REFUSED',
      details: { kind: 'day-cap' },
    });
    await expect(switchOn(userId, follow.id, {}, null)).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    expect(await rig.db.copies.listByUser(userId)).toEqual([]);
  });
});

async function switchOn(
  userId: string,
  followId: string,
  rules: Partial<Parameters<typeof rig.services.copying.switchOn>[0]['rules']> = {},
  pin: string | null = PIN,
): Promise<void> {
  const { activeWalletId } = (await rig.db.users.find(userId)) ?? {};
  await rig.services.copying.switchOn({
    userId,
    followId,
    walletId: activeWalletId ?? '',
    version: null,
    pin,
    rules: {
      size: { kind: 'fixed', lamports: SOL / 2n },
      tradeLamports: SOL,
      dayLamports: 2n * SOL,
      totalLamports: 5n * SOL,
      leastLamports: 0n,
      each: false,
      young: true,
      accepted: ['MINT_AUTHORITY_LIVE', 'FREEZE_AUTHORITY_LIVE'],
      exits: SET,
      ...rules,
    },
  });
}

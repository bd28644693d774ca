import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { earnTransfer } from '../../src/engine/ledger/rules/point-postings.ts';
import { REBATE_BUDGET } from '../../src/modules/points/rules/shop.ts';
import { PASSED } from '../support/passed.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('points');
});
afterAll(() => rig.stop());

const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor(text);
};
const balance = async (person: Person) =>
  rig.db.ledger.balance({ kind: 'points', owner: (await rig.user(person)).id });
let serial = 0;
async function grant(person: Person, points: bigint): Promise<void> {
  serial += 1;
  const { id: userId } = await rig.user(person);
  const key = `grant/${serial}`;
  await rig.db.ledger.post(
    earnTransfer(
      { id: key, createdAt: Date.now() },
      { userId, points, reason: 'points-mission', key, ref: 'pin' },
    ),
  );
}
async function openPoints(person: Person): Promise<void> {
  await person.say('/home');
  await person.waitFor(/Points \d/);
  await tapAndWait(person, 'Earn', /Points/);
  await tapAndWait(person, 'Points', /not a token, no cash value/);
}

/** Taps until the bot says so: of two taps that a busy machine hands over together the second one is only too fast. */
async function mineWithoutEnergy(person: Person): Promise<void> {
  for (;;) {
    await pause(160);
    await person.tap('Mine +10');
    if (/No energy left/.test(await person.waitForToast(/No energy left|taps that fast/))) return;
  }
}

describe('mining', () => {
  it('gives points per tap until the energy is gone, and keeps it gone when wallets go', async () => {
    const { person, wallet } = await rig.trader('Miner');
    await openPoints(person);
    await person.tap('Mine +10');
    await person.waitForToast(/\+10 points · energy 90\/100 · today 10\/500/);
    await person.waitFor(/Energy 90\/100 · today 10\/500 · streak 1 day/);
    // However fast this machine is: a tap that came too early gives nothing, so tap until the energy is gone.
    while ((await balance(person)) < 100n) {
      await pause(160);
      await person.tap('Mine +10');
    }
    await mineWithoutEnergy(person);
    expect(await balance(person)).toBe(100n);

    await person.say('/home');
    await person.waitFor(/Points 100/);
    await rig.db.wallets.setDeletedAt(PASSED, wallet.id, Date.now());
    await rig.db.users.activate(PASSED, (await rig.user(person)).id, null);
    await person.start();
    await person.waitFor(/Create|wallet/);
    await person.tap('Create Deposit Wallet');
    await person.waitFor(/deposit wallet is ready/);
    await openPoints(person);
    await mineWithoutEnergy(person);
    expect(await balance(person)).toBe(100n);
  });

  it('answers /points with the wallet button before there is a wallet', async () => {
    const person = await rig.person('Early');
    await person.start();
    await person.waitFor(/Welcome/);
    await person.say('/points');
    await person.waitFor(
      (text, message) => /deposit wallet/.test(text) && message.reply_markup !== undefined,
    );
    expect(await balance(person)).toBe(0n);
  });
});

describe('the shop', () => {
  it('sells a discount that the next trade and its receipt show; the trade gives points and a mission', async () => {
    const { person } = await rig.trader('Buyer', 10n);
    await grant(person, 200n);
    await openPoints(person);
    await tapAndWait(person, 'Shop', /Shop · you have 200 points/);
    await tapAndWait(person, /Get fee −10 %, 1 day/, /Give 150 points for this/);
    await Promise.all([person.tap('Give 150 points'), person.tap('Give 150 points')]);
    await person.waitFor(/^Done\. Platform fee −10 % for 1 day/);
    expect(await balance(person)).toBe(50n);
    expect(await rig.db.shop.listByUser((await rig.user(person)).id)).toHaveLength(1);

    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.5', /our fee 0\.0045 SOL\n\(10% off by your points\)/);
    await person.tap('Confirm buy');
    const bought = await person.waitFor(/^Bought[\s\S]* · final/);
    await person.tap('Receipt', bought.message_id);
    const receipt = await person.waitFor(/Receipt R-/);
    expect(receipt.text).toContain('0.0045 SOL fee');
    expect(receipt.text).toContain('Fee discount 10 %');
    // 0.0045 SOL of fee, one point per 0.0001.
    await until(async () => (await balance(person)) === 95n);

    await openPoints(person);
    await person.waitFor(/Platform fee 10 % off until/);
    await tapAndWait(person, 'Missions', /First trade \+50: done, claim it/);
    await tapAndWait(person, 'Claim First trade', /✓ First trade \+50: claimed/);
    expect(await balance(person)).toBe(145n);
    await tapAndWait(person, 'Back', /no cash value/);
    await tapAndWait(person, 'History', /\+50 mission: First trade\n.*\+45 trade\n.*−150 shop/);
  });

  it('sells a wallet slot, a badge once, and says what is missing', async () => {
    const { person } = await rig.trader('Collector');
    await grant(person, 1_900n);
    await openPoints(person);
    await tapAndWait(person, 'Shop', /sold out/);
    expect((await person.lastMessage())?.text).toMatch(/Rebate of 0\.005 SOL: 3,000 points, sold out/);
    await tapAndWait(person, 'Get wallet slot', /Give 1,500 points/);
    await tapAndWait(person, 'Give 1,500 points', /one more wallet/);
    await tapAndWait(person, 'Home', /Points 400/);
    await person.tap('Wallets (1/4)');
    await person.waitFor(/Wallets/);
    await openPoints(person);
    await tapAndWait(person, 'Shop', /you have 400 points/);
    await tapAndWait(person, 'Get badge', /Give 300 points/);
    await tapAndWait(person, 'Give 300 points', /on your cards/);
    await tapAndWait(person, 'Points', /Badge ★/);
    await tapAndWait(person, 'Shop', /Badge ★ on your cards: 300 points, you have 1/);
    await tapAndWait(person, 'Get code', /takes 1000 points; you have 100/);
  });

  it('pays a rebate out of the budget to the deposit wallet, to the lamport', async () => {
    const { person, wallet } = await rig.trader('Rebater', 5n);
    await rig.db.shop.setStock(REBATE_BUDGET, 5_000_000n);
    await grant(person, 6_000n);
    const redeem = async () => {
      await openPoints(person);
      await tapAndWait(person, 'Shop', /Rebate of 0\.005 SOL: 3,000 points, 1 left/);
      await tapAndWait(person, 'Get rebate', /Give 3,000 points/);
      await person.tap('Give 3,000 points');
    };
    await redeem();
    await person.waitFor(/asks for one finished trade first/);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.1', /our fee/);
    await person.tap('Confirm buy');
    await person.waitFor(/^Bought[\s\S]* · final/);
    const before = await rig.chain.balance(wallet.address);
    await redeem();
    await person.waitFor(/paid to your deposit wallet/);
    await until(async () => (await rig.chain.balance(wallet.address)) === before + 5_000_000n);
    await person.waitFor(/Your rebate of 0\.005 SOL/);
    await openPoints(person);
    await tapAndWait(person, 'Shop', /Rebate of 0\.005 SOL: 3,000 points, sold out/);
  });
});

describe('the board', () => {
  it('names nobody who did not ask for it, and takes no links', async () => {
    const { person } = await rig.trader('Shy');
    await grant(person, 50_000n);
    await openPoints(person);
    await tapAndWait(person, 'Weekly board', /1\. anonymous \(you\) 50,000/);
    await tapAndWait(person, 'Show my name', /Everybody can read it/);
    await person.say('t.me/evil');
    await person.waitFor(/no link/);
    await person.say('Shy Fox');
    await person.waitFor(/1\. Shy Fox \(you\) 50,000/);
    await tapAndWait(person, 'Hide my name', /1\. anonymous \(you\)/);
    await tapAndWait(person, 'Back', /no cash value/);
    await tapAndWait(person, 'Rules', /Season 1 ends on 2027-02-01\. Then 50 % of an unspent balance stay/);
  });
});

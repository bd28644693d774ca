import { type Address, DONT_FRONT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeMessage } from '../../src/engine/signing/rules/decode-message.ts';
import { messageOf } from '../../src/engine/signing/rules/wire-transaction.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { labels, sayAndWait, tapAndWait } from './token-wizard.ts';

const CARD = /\n\S+( SOL)? · cap /;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('sending', { senders: true });
});
afterAll(() => rig.stop());

type Trader = Awaited<ReturnType<JourneyRig['trader']>>;

async function choosing(name: string, way: 'Protected' | 'Fast'): Promise<Trader> {
  const trader = await rig.trader(name, 5n);
  await sayAndWait(trader.person, '/setting', /Sending Normal/);
  await tapAndWait(trader.person, 'Sending', /hidden until it lands/);
  await tapAndWait(trader.person, way, new RegExp(`Sending ${way}`));
  return trader;
}

/** The one attempt of the person's last intent, and what its last instruction is. */
async function lastSent({ person }: Trader) {
  await until(async () => (await rig.intents(person)).every(({ status }) => status === 'SUCCEEDED'));
  const [intent] = await rig.intents(person);
  const [attempt] = await rig.db.intents.attempts(intent?.id ?? '');
  if (intent === undefined || attempt === undefined) throw new Error('nothing was sent');
  const { instructions } = decodeMessage(messageOf(attempt.signedTransaction), []);
  return { intent, attempt, last: instructions.at(-1) };
}

describe('sending Protected', () => {
  it('goes to the block engine alone, with the confirmed tip, and the receipt names it', async () => {
    const trader = await choosing('Paula', 'Protected');
    const { person } = trader;
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await tapAndWait(person, '🟢 0.5', /Tip up to 0\.000002 SOL \(Jito\)/);
    const done = await tapAndWait(person, 'Confirm buy', /^Bought/);
    const { intent, attempt, last } = await lastSent(trader);
    expect(last?.accounts.map(({ address }) => address)).toEqual([
      trader.wallet.address,
      intent.params.kind === 'buy' ? intent.params.tip?.to : null,
      DONT_FRONT,
    ]);
    expect(intent.outcome?.receipt?.tipLamports).toBe(1_000n);
    expect((await rig.chain.landed(attempt.signature))?.err).toBeNull();
    await until(async () => labels(await person.lastMessage()).includes('Receipt'));
    await person.tap('Receipt', done.message_id);
    await person.waitFor(/Tip 0\.000001 SOL to Jito/);
  });

  it('asks where no sender that protects answers, and goes by the nodes only when the person says so', async () => {
    const real = rig.botDeps.trade;
    await rig.restartBot({
      trade: {
        ...real,
        offerTip: async (sending) => (sending === 'protected' ? { kind: 'down' } : real.offerTip(sending)),
      },
    });
    const trader = await choosing('Ann', 'Protected');
    const { person } = trader;
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await tapAndWait(person, '🟢 0.5', /Protected sending does not answer/);
    expect(await rig.intents(person)).toEqual([]);
    await tapAndWait(person, 'Try again', /Protected sending does not answer/);
    const asked = await tapAndWait(person, 'Send normally', /At least/);
    expect(asked.text).not.toContain('Tip');
    await tapAndWait(person, 'Confirm buy', /^Bought/);
    expect((await lastSent(trader)).intent.params).not.toHaveProperty('tip');
    await rig.restartBot({});
  });
});

describe('sending Fast', () => {
  it('pays the sender’s least tip to one of its accounts, and the sale says what it brought without it', async () => {
    const trader = await choosing('Fay', 'Fast');
    const { person, wallet } = trader;
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await tapAndWait(person, '🟢 0.5', /Tip up to 0\.0004 SOL \(Sender\)/);
    await tapAndWait(person, 'Confirm buy', /^Bought/);
    const bought = await lastSent(trader);
    expect(bought.last?.accounts).toHaveLength(2);
    const tip = bought.intent.params.kind === 'buy' ? bought.intent.params.tip : undefined;
    expect(await rig.chain.balance(tip?.to as Address)).toBe(1_200_000n);
    const before = await rig.chain.balance(wallet.address);
    await tapAndWait(person, '🔴 50%', /Tip up to 0\.0004 SOL \(Sender\)/);
    const sold = await tapAndWait(person, 'Confirm sell', /^Sold/);
    const { receipt } = (await lastSent(trader)).intent.outcome ?? {};
    const gain = (await rig.chain.balance(wallet.address)) - before;
    const brought = gain + (receipt?.feeLamports ?? 0n) + 200_000n;
    expect(sold.text).toContain((Number(brought / 10_000n) / 100_000).toString());
  });
});

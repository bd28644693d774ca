import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { begin, buttons, labels, made, sayAndWait, tapAndWait, usual } from './token-wizard.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('create');
});
afterAll(() => rig.stop());

const png = () =>
  sharp({ create: { width: 600, height: 300, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();

describe('/create_token', () => {
  it('makes a token with a picture, and its creator gives every power up', async () => {
    const { person, wallet } = await rig.trader('Maker', 2n);
    await begin(person);
    await tapAndWait(person, 'token', /The symbol/);
    await sayAndWait(person, 'SYMBOLLONGER', /SYMBOLLONGER is too long: it counts as 12 letters, and 10 fit/);
    await sayAndWait(person, 'PUPPY', /Symbol PUPPY: 5 of 10/);
    await sayAndWait(person, 'Puppy Coin', /Name Puppy Coin: 10 of 32/);
    // In the middle of the questions, as a new process.
    await rig.restartBot();
    await sayAndWait(person, 'javascript:alert(1)', /must be an https, ipfs or ar link/);
    await person.sendPhoto((await png()).subarray(0, 60), 'Half a dog');
    await person.waitFor(/Send a picture/);
    await person.sendPhoto(await png(), 'The best dog');
    await person.waitFor(/Links/);
    await sayAndWait(person, 'no links', /^no is not a link\. Expected an address[\s\S]*Links, with spaces/);
    await sayAndWait(
      person,
      'puppy.example puppies.example',
      /more than one website[\s\S]*Links, with spaces/,
    );
    await sayAndWait(person, 'https://t.me/puppy x.com/puppy puppy.example', /Decimals/);
    await sayAndWait(person, '255', /from 0 to 18/);
    await tapAndWait(person, 'Back', /Links/);
    await tapAndWait(person, 'Skip', /Decimals/);
    await sayAndWait(person, '3', /How many tokens/);
    await sayAndWait(person, '0', /at least 1/);
    await sayAndWait(person, '99999999999999999999', /can be 18446744073709551 tokens at most/);
    await sayAndWait(person, '5,000', /Who gets them/);
    await sayAndWait(person, 'me', /must be a Solana address/);
    await tapAndWait(person, 'Main', /What you keep over PUPPY/);
    await tapAndWait(person, 'Freeze authority', /✓ Freeze authority/);
    const review = await tapAndWait(person, 'Review', /What buyers will see/);
    expect(review.text).toMatch(/PUPPY · Puppy Coin\ntoken · 3 decimals · 5,000 to Main/);
    expect(review.text).toMatch(/The best dog/);
    expect(review.text).toMatch(/CAREFUL/);
    expect(review.text).toMatch(/Creation fee 0\.02 SOL/);
    // Told before it is made: after, a launch would be another token.
    expect(review.text).toMatch(/one that is made cannot be launched later/);
    expect(buttons(review).map(({ text }) => text)).toContain('Launch instead');

    // The row behind the buttons outlives the process.
    await rig.restartBot();
    await tapAndWait(person, 'Edit', /What of PUPPY shall change/);
    await tapAndWait(person, 'Name', /The name/);
    await sayAndWait(person, 'Puppy', /PUPPY · Puppy\n/);
    const { mint } = await made(person);

    const token = await rig.chain.token(mint);
    expect(token).toMatchObject({ decimals: 3, supply: 5_000_000n, freezeAuthority: wallet.address });
    const last = await person.lastMessage();
    expect(buttons(last).find(({ text }) => text === 'Passport')?.url).toBe(
      `https://desk.example/token/${mint}`,
    );
    // Its card with the picture, which the passport page names.
    expect(last?.link_preview_options).toMatchObject({
      url: `https://desk.example/token/${mint}`,
      prefer_large_media: true,
    });
    const code = (await rig.db.referrals.account((await rig.user(person)).id))?.code;
    expect(buttons(last).find(({ text }) => text === 'Share')?.url).toContain(
      encodeURIComponent(`start=m_${mint}_${code}`),
    );

    await tapAndWait(person, 'Give up powers', /powers you hold/);
    for (const authority of ['freeze', 'mint'] as const) {
      await tapAndWait(person, `Give up the ${authority} authority`, /cannot be undone/);
      await person.tap('Give it up for good');
      await person.waitFor(
        (text, shown) =>
          text.includes(`The ${authority} authority is gone`) && labels(shown).includes('Give up powers'),
      );
      await tapAndWait(person, 'Give up powers', /gone since/);
    }
    // The account itself: what the chain port says of a token may be some seconds old.
    const [account] = (await rig.chain.accounts([mint])).accounts;
    const data = account?.data ?? new Uint8Array();
    expect([...data.subarray(0, 4), ...data.subarray(46, 50)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    const known = await rig.db.createdTokens.find(mint);
    expect(Object.keys(known?.revocations ?? {}).toSorted()).toEqual(
      expect.arrayContaining(['freeze', 'mint']),
    );
  });

  it.each(['token', 'token2022'])('makes a %s that its creator can withdraw', async (type) => {
    const { person, wallet } = await rig.trader(`Sender of ${type}`, 2n);
    const { wallet: other } = await rig.trader(`Receiver of ${type}`);
    await usual(person, type, 'SEND');
    await tapAndWait(person, 'Review', /What buyers will see/);
    const { mint } = await made(person);
    // Nobody buys it anywhere: it has no price.
    await rig.addAuthenticator(person);
    await person.say('/withdraw_spl');
    await person.waitFor(/Which token/);
    await person.tap(/SEND|…/);
    await person.waitFor(/which Solana address/);
    await sayAndWait(person, other.address, /How much/);
    await sayAndWait(person, '250', /cannot be undone/);
    await rig.confirmWithPin(person);
    await person.waitFor(/^Sent .*\(in \d/);
    const left = (await rig.chain.holdings(wallet.address)).find((holding) => holding.mint === mint);
    expect(left?.amount).toBe(999_999_750_000_000n);
    await tapAndWait(person, /Home/, /Tradepost/);
    await sayAndWait(person, mint, /\n\S+( SOL)? · cap |No market/);
  });

  it('offers the powers of token2022, each explained, and refuses what cannot be together', async () => {
    const { person } = await rig.trader('Powerful', 2n);
    await usual(person, 'token2022', 'TAX');
    await tapAndWait(person, 'Transfer fee', /a part of every transfer is withheld/);
    await sayAndWait(person, '1', /needs all four/);
    await sayAndWait(person, '101 5', /between 0 and 100/);
    await sayAndWait(person, '1.5 1000', /✓ Transfer fee/);
    await tapAndWait(person, 'Non-transferable', /cannot have a transfer fee/);
    expect(labels(await person.lastMessage())).not.toContain('Review');
    await tapAndWait(person, /Non-transferable/, /– Non-transferable/);
    await tapAndWait(person, 'Born frozen', /need a freeze authority/);
    await tapAndWait(person, /Born frozen/, /– Born frozen/);
    await tapAndWait(person, 'Permanent delegate', /take or burn the tokens of every holder/);
    await tapAndWait(person, 'Main', /✓ Permanent delegate/);
    const review = await tapAndWait(person, 'Review', /What buyers will see/);
    expect(review.text).toMatch(/BLOCK/);
    const { mint } = await made(person);
    const token = await rig.chain.token(mint);
    expect(token?.extensions.transferFee).not.toBeNull();
    expect(token?.extensions.permanentDelegate).not.toBeNull();
    // The trade card tells the same of its metadata as its page.
    expect(token?.updateAuthority).toBe((await rig.wallets(person))[0]?.address);
    await sayAndWait(person, mint, /BLOCK/);
    await tapAndWait(person, 'Safety', /Its author can change its name, picture and links/);
  });

  it('says what the wallet lacks, and offers no Create button', async () => {
    const { person } = await rig.trader('Poor');
    await usual(person, 'token', 'POOR');
    const review = await tapAndWait(person, 'Review', /Short by/);
    expect(labels(review)).not.toContain('Create token');
    expect(labels(review)).toContain('Deposit');
    await tapAndWait(person, 'Cancel', /Stopped/);
    await sayAndWait(person, '/create_token', /Which type/);
    await tapAndWait(person, 'Cancel', /Stopped/);
    expect(await rig.intents(person)).toHaveLength(0);
  });

  it('reminds a creator of the powers that are left, and only of these', async () => {
    const { person } = await rig.trader('Reminded', 2n);
    await usual(person, 'token2022', 'DAY');
    await tapAndWait(person, 'Review', /What buyers will see/);
    const { mint } = await made(person);
    const dueAfter = Date.now() + 25 * 3_600_000;
    const [id] = await until(async () => {
      const ids = await rig.db.notices.undelivered(dueAfter, 100);
      const rows = await Promise.all(ids.map((one) => rig.db.notices.find(one)));
      const own = rows.filter(
        (row) => row?.kind === 'revoke-reminder' && JSON.stringify(row.payload).includes(mint),
      );
      return own.length > 0 && own.map((row) => row?.id ?? '');
    });
    expect(await rig.db.notices.undelivered(Date.now() + 23 * 3_600_000, 100)).not.toContain(id);
    const deliver = rig.deliverNotice;
    await deliver(id ?? '');
    const reminder = await person.waitFor(/You still hold its mint authority, metadata authority/);
    expect(labels(reminder)).toContain('Give up powers');
  });

  it('answers /launch and /my_tokens with what the buttons under Create open', async () => {
    const newcomer = await rig.person('Newcomer');
    for (const command of ['/launch', '/my_tokens']) await sayAndWait(newcomer, command, /One step first/);
    const { person } = await rig.trader('Commander', 1n);
    // A launch needs a referral account, and asks for it before the first question: no answer is lost to it.
    await sayAndWait(person, '/launch', /One tap first/);
    await tapAndWait(person, 'Create referral account', /A launchpad makes the token/);
    for (const [command, button, shown] of [
      ['/launch', 'Launch', /A launchpad makes the token[\s\S]*Which one\?/],
      ['/my_tokens', 'My tokens', /You have made no token here yet/],
    ] as const) {
      await sayAndWait(person, '/home', /SOL/);
      await tapAndWait(person, 'Create', /you get the whole supply/);
      const byButton = await tapAndWait(person, button, shown);
      const byCommand = await sayAndWait(person, command, shown);
      expect([byCommand.text, labels(byCommand)]).toEqual([byButton.text, labels(byButton)]);
    }
  });

  it('launches a token with a first buy, which trades at once', async () => {
    const { person, wallet } = await rig.trader('Launcher', 2n);
    await begin(person);
    await tapAndWait(person, 'Launch it instead', /Which one/);
    await person.tap({ data: 'form:pad0' });
    await person.waitFor(/The symbol/);
    await sayAndWait(person, 'MOON', /The name/);
    await tapAndWait(person, 'MOON', /Send a picture/);
    await tapAndWait(person, 'Skip', /A description/);
    await tapAndWait(person, 'Skip', /Links/);
    await tapAndWait(person, 'Skip', /first buy/);
    await sayAndWait(person, 'abc', /is not an amount/);
    await sayAndWait(person, '50', /do not hold enough/);
    await sayAndWait(person, '3', /Short by/);
    expect(labels(await person.lastMessage())).not.toContain('Launch');
    await tapAndWait(person, 'Change first buy', /Your own first buy/);
    await tapAndWait(person, 'No first buy', /Your first buy 0 SOL/);
    await tapAndWait(person, 'Change first buy', /first buy/);
    await tapAndWait(person, '0.1 SOL', /Your first buy 0\.1 SOL/);
    await tapAndWait(person, 'Launch', /^Launched MOON/);
    const done = await person.lastMessage();
    const mint = address(/\n([1-9A-HJ-NP-Za-km-z]{32,44})/.exec(done?.text ?? '')?.[1] ?? '');
    const held = (await rig.chain.holdings(wallet.address)).find((holding) => holding.mint === mint);
    expect(held?.amount).toBeGreaterThan(0n);
    await sayAndWait(person, mint, /\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🔴 100%', /Sell [\s\S]*At least/);
    await tapAndWait(person, 'Confirm sell', /^Sold/);
  });
});

import type { Person } from '@tradepost/local-telegram';
import sharp from 'sharp';
import type { ChainReader } from './chain-reader.ts';
import { equal, holds, say } from './checks.ts';
import { buttonUrl, hasButton, signatureOf, waitForScreen } from './screens.ts';

/** `/create_token` from the type to the last authority: everything is read back from the chain and the open host. */
export async function makeToken(who: Person, wallet: string, chain: ChainReader): Promise<void> {
  say('Carol makes a token with a picture');
  await answerQuestions(who);
  const review = await waitForScreen(who, /What buyers will see/);
  holds('the review warns of the powers she keeps', /CAREFUL/.test(review.text ?? ''));
  const before = await chain.lamports(wallet);
  await who.tap('Create token');
  const done = await who.waitFor(
    (text, message) => text.startsWith('Created') && hasButton(message, 'Give up powers'),
    { timeoutMs: 40_000 },
  );
  const signature = signatureOf(done);
  console.log(`  signature ${signature}`);
  const mint = /\n([1-9A-HJ-NP-Za-km-z]{32,44})/.exec(done.text ?? '')?.[1] ?? '';
  equal('her wallet holds the whole supply', await chain.tokens(wallet, mint), 21_000_000n * 1_000_000n);
  const creation = await chain.transaction(signature);
  const rent = [mint, ...creation.deltas.keys()]
    .filter((key, index, keys) => key !== wallet && keys.indexOf(key) === index)
    .reduce((sum, key) => sum + (creation.deltas.get(key) ?? 0n), 0n);
  equal(
    'she paid the rent, the creation fee of 0.02 SOL and the network fee, nothing else',
    before - (await chain.lamports(wallet)),
    rent + creation.feeLamports,
  );
  holds(
    'the creation fee is a transfer in the same transaction',
    [...creation.deltas.values()].includes(20_000_000n),
  );
  holds(
    'the share link opens the token',
    buttonUrl(done, 'Share').includes(encodeURIComponent(`m_${mint}_`)),
  );
  const passport = buttonUrl(done, 'Passport');
  const read = async (): Promise<string> => (await fetch(`${passport}.json`)).text();
  holds('its passport says who may make more', (await read()).includes(wallet));

  say('She gives her powers over it up, one by one');
  for (const [authority, before_] of [
    ['mint', done],
    ['metadata', null],
  ] as const) {
    await who.tap('Give up powers', before_?.message_id);
    await waitForScreen(who, /powers you hold/);
    await who.tap(`Give up the ${authority} authority`);
    await waitForScreen(who, /cannot be undone/);
    await who.tap('Give it up for good');
    const gone = await who.waitFor(
      (text, message) => /is gone for good/.test(text) && hasButton(message, 'Give up powers'),
      { timeoutMs: 40_000 },
    );
    const proof = signatureOf(gone);
    console.log(`  signature ${proof}`);
    holds(
      `the passport shows the proof that the ${authority} authority is gone`,
      (await read()).includes(proof),
    );
  }
  await who.tap('Give up powers');
  await waitForScreen(who, /All three are gone/);
}

async function answerQuestions(who: Person): Promise<void> {
  await who.say('/create_token');
  const first = await waitForScreen(who, /Which type|referral account/);
  if (hasButton(first, 'Create referral account')) {
    await who.tap('Create referral account');
    await waitForScreen(who, /Which type/);
  }
  await who.tap('token2022');
  await waitForScreen(who, /The symbol/);
  await who.say('CAROL');
  await waitForScreen(who, /The name/);
  await who.say('Carol’s Coin');
  await waitForScreen(who, /Send a picture/);
  await who.sendPhoto(
    await sharp({ create: { width: 320, height: 320, channels: 3, background: '#c0392b' } })
      .png()
      .toBuffer(),
    'Made on the tour',
  );
  await waitForScreen(who, /Links/);
  await who.tap('Skip');
  await waitForScreen(who, /Decimals/);
  await who.tap('6');
  await waitForScreen(who, /How many tokens/);
  await who.say('21000000');
  await waitForScreen(who, /Who gets them/);
  await who.tap('Main');
  await waitForScreen(who, /What you keep/);
  await who.tap('Review');
}

import { setTimeout as pause } from 'node:timers/promises';
import { createPerson } from '@tradepost/local-telegram';
import { equal, holds, say } from './checks.ts';
import { waitForScreen } from './screens.ts';

type Urls = {
  readonly chatUrl: string;
  readonly openApiUrl: string;
  readonly proApiUrl: string;
  readonly mailUrl: string;
  readonly rpcUrl: string;
};

type InboxMail = {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
};

const EMAIL = 'mara@example.org';
const WSOL = 'So11111111111111111111111111111111111111112';
/** Telegram id of the operator, as `OPERATORS` names it. */
export const OPERATOR = 105;

/** An API key as the specification has it: form, confirmation, review in the chat, one-time link, call. By plain HTTP, as a browser does it. */
export async function keyStory(urls: Urls): Promise<void> {
  const { openApiUrl, proApiUrl } = urls;
  const operator = await createPerson({
    url: urls.chatUrl,
    user: { id: OPERATOR, first_name: 'Olga', language_code: 'en' },
  });
  say('Olga, the operator, opens the bot once, so that it may write to her');
  await operator.start();
  await waitForScreen(operator, /Welcome to Tradepost/);

  say('Mara asks for a key by the form of the open host');
  const request = {
    email: EMAIL,
    project: 'Rebalancer <script>alert(1)</script>',
    use: 'A bot that rebalances a small portfolio once an hour.',
    perDay: '10000',
    peakPerSecond: '2',
    swap: 'on',
  };
  const limits = await form(`${openApiUrl}/keys/limits`, request);
  holds('the page prints what her numbers give', limits.text.includes('15,000'));
  holds('and shows a script in a field as text', !limits.text.includes('<script>'));
  const asked = await form(`${openApiUrl}/keys`, request);
  holds('she is told to look at her inbox', asked.text.includes('Look at your inbox'));

  say('She confirms her address; a scanner that only opens the link changes nothing');
  const first = await mail(urls, /Confirm your request/);
  holds('the first mail holds nothing of what the form said', !first.text.includes('Rebalancer'));
  const confirm = first.links[0] ?? '';
  for (let looks = 0; looks < 100; looks += 1) await (await fetch(confirm)).text();
  await form(confirm, {});

  say('The request is in the chat; Olga grants it');
  const card = await waitForScreen(operator, /API key wanted/);
  holds(
    'the card shows the markup as text',
    (card.text ?? '').includes('Rebalancer <script>alert(1)</script>'),
  );
  holds('and what her numbers give', (card.text ?? '').includes('2 per second, 4 at once, 15,000 a day'));
  const grantedAt = performance.now();
  await operator.tap('Grant as asked', card.message_id);
  const granted = await mail(urls, /Your API key is granted/);
  const claim = granted.links[0] ?? '';
  console.log(`  ${Math.round(performance.now() - grantedAt)} ms from the tap to the mail`);
  for (let looks = 0; looks < 100; looks += 1) await (await fetch(claim)).text();
  const pressedAt = performance.now();
  const claims = await Promise.all(Array.from({ length: 50 }, () => form(claim, {})));
  console.log(`  ${Math.round(performance.now() - pressedAt)} ms for 50 presses of its button at once`);
  const keys = claims.flatMap(({ text }) => /dx_live_\w{12}_\w{43}/.exec(text)?.[0] ?? []);
  equal('50 claims at once made one key', BigInt(keys.length), 1n);
  const key = keys[0] ?? '';
  const late = await (await fetch(claim)).text();
  holds(
    'the used link says so and offers to revoke',
    /This link was used/.test(late) && /Revoke that key/.test(late),
  );

  say('She calls with it');
  const { pools } = (await (await fetch(`${urls.rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly { readonly mintA: string; readonly mintB: string }[];
  };
  const token = pools.find(({ mintB }) => mintB === WSOL)?.mintA ?? '';
  const quote = `/dex/quote?fromTokenAddress=${WSOL}&toTokenAddress=${token}&amount=1000000`;
  const answer = await fetch(`${proApiUrl}/usage`, { headers: { 'x-api-key': key } });
  equal('the keyed host answers', BigInt(answer.status), 200n);
  equal(
    '14,999 requests are left of the day',
    BigInt(answer.headers.get('x-quota-remaining') ?? '0'),
    14_999n,
  );
  const swap = await fetch(`${proApiUrl}${quote}`, { headers: { 'x-api-key': key } });
  equal('and quotes a swap', BigInt(swap.status), 200n);

  say('She rotates it: the new key works, the old one for seven more days');
  const rotated = await fetch(`${proApiUrl}/keys/rotate`, { method: 'POST', headers: { 'x-api-key': key } });
  equal('the rotation is mailed', BigInt(rotated.status), 200n);
  const link = (await mail(urls, /new API key in place/)).links[0] ?? '';
  const second = /dx_live_\w{12}_\w{43}/.exec((await form(link, {})).text)?.[0] ?? '';
  // Both draw on one bucket of the account, four at once: it fills up again by two a second.
  await pause(2_000);
  for (const one of [key, second]) {
    const { status } = await fetch(`${proApiUrl}/usage`, { headers: { 'x-api-key': one } });
    equal(one === key ? 'the old key works' : 'the new key works', BigInt(status), 200n);
  }

  say('She signs in by a mailed link, and revokes the old key');
  await form(`${openApiUrl}/account/login`, { email: EMAIL });
  const door = (await mail(urls, /Your way into/)).links[0] ?? '';
  const opened = await form(door, {});
  const headers = { cookie: opened.cookie };
  const account = await (await fetch(`${openApiUrl}/account`, { headers })).text();
  const id = key.split('_')[2] ?? '';
  holds(
    'the account lists both keys',
    [key, second].every((one) => account.includes(one.split('_')[2] ?? '')),
  );
  const ask = await (await fetch(`${openApiUrl}/account/revoke/${id}`, { headers })).text();
  const formToken = /name="form" value="([^"]+)"/.exec(ask)?.[1] ?? '';
  await form(`${openApiUrl}/account/revoke/${id}`, { form: formToken }, headers);
  const revokedAt = performance.now();
  let status = 200;
  while (status !== 403 && performance.now() - revokedAt < 5_000) {
    await pause(50);
    ({ status } = await fetch(`${proApiUrl}/usage`, { headers: { 'x-api-key': key } }));
  }
  console.log(`  ${Math.round(performance.now() - revokedAt)} ms from the revocation to the refusal`);
  equal('the old key is shut out', BigInt(status), 403n);

  console.log(`\n──────── the chat of Olga ────────\n${await operator.transcript()}`);
}

async function form(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string; readonly cookie: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { status: response.status, text: await response.text(), cookie };
}

/** The newest mail with that subject, as soon as it is there. */
async function mail({ mailUrl }: Urls, subject: RegExp): Promise<InboxMail> {
  for (const startedAt = performance.now(); performance.now() - startedAt < 30_000; ) {
    const mails = (await (await fetch(`${mailUrl}.json`)).json()) as readonly InboxMail[];
    const found = mails.find((one) => subject.test(one.subject) && one.to.includes(EMAIL));
    if (found !== undefined) return found;
    await pause(50);
  }
  throw new Error(`no mail "${subject.source}" came`);
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import type { KeyRequestDraft } from '../../src/modules/keys/rules/key-request.ts';
import { confirmRequest } from '../../src/modules/keys/use/confirm-request.ts';
import { requestKey } from '../../src/modules/keys/use/request-key.ts';
import { createLinkTokens } from '../../src/platform/api-keys/link-tokens.ts';
import { startJourneyRig } from './rig.ts';

type Rig = Awaited<ReturnType<typeof startJourneyRig>>;

const SITE = 'https://desk.example';
const SCRIPT = '<script>alert(1)</script>';
const operators = new Set<bigint>();
const sent: { readonly to: string; readonly subject: string; readonly text: string }[] = [];
let rig: Rig;
let serial = 0;

beforeAll(async () => {
  const mailer = {
    send: async (mail: (typeof sent)[number]) => {
      sent.push(mail);
      return mail.to.startsWith('nobody') && mail.subject.includes('granted')
        ? ({ kind: 'bounced', reason: `550 no such mailbox ${SCRIPT}` } as const)
        : ({ kind: 'sent' } as const);
    },
  };
  rig = await startJourneyRig('key-review', { keys: { mailer, siteUrl: () => SITE, operators } });
});
afterAll(() => rig.stop());

async function operator(name: string, language?: string) {
  const person = await rig.person(name, language);
  await person.start();
  await person.waitFor(/Tradepost/);
  operators.add(BigInt(person.user.id));
  return person;
}

/** A request whose address was confirmed. */
async function request(change: Partial<KeyRequestDraft> = {}): Promise<string> {
  serial += 1;
  const email = `mara${serial}@example.org`;
  const deps = {
    ...rig.botDeps,
    guardRules: LOCAL_RULES,
    operators,
    tokens: createLinkTokens(),
    nudge: () => rig.services.relay.nudge(),
  };
  const draft = {
    email,
    project: `Rebalancer ${SCRIPT}`,
    use: `It rebalances ${SCRIPT} & more`,
    perDay: 10_000,
    peakPerSecond: 2,
    scopes: ['swap'] as const,
    ...change,
  };
  await requestKey(deps, draft);
  const mail = await mailTo(draft.email, /Confirm/);
  await confirmRequest(deps, /confirm\/(\S+)/.exec(mail.text)?.[1] ?? '');
  return draft.email;
}

async function mailTo(email: string, subject: RegExp) {
  let found: (typeof sent)[number] | undefined;
  await expect
    .poll(() => (found = sent.find((mail) => mail.to === email && subject.test(mail.subject))), {
      timeout: 10_000,
    })
    .toBeDefined();
  if (found === undefined) throw new Error('no mail');
  return found;
}

const statusOf = async (email: string) => (await rig.db.keyRequests.listByEmail(email, 1))[0];

it('comes to every operator, with a stranger’s markup as text; the first answer counts', async () => {
  const olga = await operator('Olga');
  const oscar = await operator('Oscar', 'es');
  const email = await request();
  const card = await olga.waitFor(/API key wanted/);
  const carta = await oscar.waitFor(/Piden una clave/);
  for (const { text } of [card, carta]) {
    expect(text).toContain(`Rebalancer ${SCRIPT}`);
    expect(text).toContain(`It rebalances ${SCRIPT} & more`);
  }
  await Promise.all([
    olga.tap('Grant as asked', card.message_id),
    oscar.tap('Conceder lo pedido', carta.message_id),
  ]);
  const [one, other] = [
    (await olga.waitFor(/Granted|Another operator was first/)).text ?? '',
    (await oscar.waitFor(/Concedida|Otra persona/)).text ?? '',
  ];
  expect([/Granted/.test(one), /Concedida: Reb/.test(other)].filter(Boolean)).toHaveLength(1);
  expect((await mailTo(email, /granted/)).text).toContain(
    '2 requests per second, 4 at once, 15,000 a day; for swap',
  );
  expect(sent.filter((mail) => mail.to === email)).toHaveLength(2);
});

it('is granted with other limits, asked back about, and refused with a reason', async () => {
  const olga = await operator('Olga Two');
  const first = await request();
  await olga.waitFor(/API key wanted/);
  await olga.tap('Grant other limits');
  await olga.waitFor(/How many requests per second/);
  await olga.say('many');
  await olga.waitFor(/whole number from 1/);
  await olga.say('200');
  await olga.waitFor(/How many requests per day/);
  await olga.say('0');
  await olga.waitFor(/Granted/);
  expect(await statusOf(first)).toMatchObject({
    status: 'granted',
    granted: { ratePerSecond: 200, burst: 400, dayQuota: null },
  });

  const second = await request();
  await olga.waitFor((text) => text.includes('API key wanted') && text.includes(second));
  await olga.tap('Ask back');
  await olga.waitFor(/What do you want to know/);
  await olga.say(`Which market? ${SCRIPT}`);
  await olga.waitFor(/The question about/);
  expect((await mailTo(second, /question/)).text).toContain(`> Which market? ${SCRIPT}`);

  await olga.say('/keys');
  await olga.waitFor(/that wait: 1/);
  await olga.tap(/Show Rebalancer/);
  await olga.waitFor(/Asked back: Which market/);
  await olga.tap('Refuse with a reason');
  await olga.waitFor(/Why is/);
  await olga.say('Too vague.');
  await olga.waitFor(/Refused/);
  expect((await mailTo(second, /Your request/)).text).toContain('> Too vague.');
  expect(await statusOf(second)).toMatchObject({ status: 'refused', reason: 'Too vague.' });
});

it('is nothing to anybody else, nor to somebody who left the operators while the card was open', async () => {
  const eve = await rig.person('Eve');
  await eve.start();
  await eve.say('/keys');
  await eve.waitFor(/There is no command \/keys/);

  const olga = await operator('Olga Three');
  const email = await request();
  const card = await olga.waitFor(/API key wanted/);
  operators.delete(BigInt(olga.user.id));
  await olga.tap('Grant as asked', card.message_id);
  await olga.waitFor(/Only operators may do this/);
  expect((await statusOf(email))?.status).toBe('confirmed');
});

it('tells the operators of a mail that bounced, once', async () => {
  const olga = await operator('Olga Four');
  const email = await request({ email: 'nobody@example.org' });
  const card = await olga.waitFor((text) => text.includes('API key wanted') && text.includes(email));
  await olga.tap('Grant as asked', card.message_id);
  const told = await olga.waitFor(/did not arrive/);
  expect(told.text).toContain(`nobody@example.org`);
  expect(told.text).toContain(`550 no such mailbox ${SCRIPT}`);
  expect((await statusOf(email))?.status).toBe('bounced');
});

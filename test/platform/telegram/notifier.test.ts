import { createPerson, type LocalTelegram, type Person, startLocalTelegram } from '@tradepost/local-telegram';
import { NO_SPEC_EXTENSIONS } from '@tradepost/solana';
import { Api } from 'grammy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import type { CreateTokenParams } from '../../../src/engine/intents/kinds/create-token/params.ts';
import type { Intent, IntentOutcome } from '../../../src/engine/intents/rules/intent.ts';
import { encodeIntentNotice, encodeRewardPaid } from '../../../src/engine/intents/rules/notice-payload.ts';
import type { Notice } from '../../../src/engine/notices/store-port.ts';
import { encodeDeposit } from '../../../src/modules/deposits/rules/deposit-notice.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import { clientOptions } from '../../../src/platform/telegram/client.ts';
import { createBotNotifier } from '../../../src/platform/telegram/notifier.ts';
import { createButtonStates } from '../../../src/platform/telegram/ui/state.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { fakeTokenData } from '../../support/fakes/token-data.ts';
import { PASSED } from '../../support/passed.ts';

const TO = address('So11111111111111111111111111111111111111112');
const SIGNATURE = '5h3G'.padEnd(88, 'x');
let telegram: LocalTelegram;
beforeAll(async () => {
  telegram = await startLocalTelegram({});
});
afterAll(() => telegram.stop());

let nextId = 500;
let db: ReturnType<typeof fakeDatabase>;
let user: User;
let person: Person;
let notifier: ReturnType<typeof createBotNotifier>;
let intent: Intent;
const ids = fakeIds(9);
const clock = fakeClock();
/** Of the chain; null where no node answers. */
let height: bigint | null = null;

beforeEach(async () => {
  nextId += 1;
  db = fakeDatabase();
  user = await insertUser(db, ids, BigInt(nextId));
  const walletId = ids.ulid();
  await db.wallets.insert(
    PASSED,
    {
      id: walletId,
      userId: user.id,
      name: 'Main',
      address: TO,
      createdAt: 0,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    },
    {
      walletId,
      userId: user.id,
      publicKey: TO,
      version: 1,
      kekId: 'k',
      wrappedDek: new Uint8Array(1),
      sealedSeed: new Uint8Array(1),
    },
  );
  person = await createPerson({ core: telegram.core, user: { id: nextId, first_name: 'Alice' } });
  await person.start();
  const api = new Api(telegram.token, clientOptions(telegram.botApiUrl));
  notifier = createBotNotifier({
    api,
    db,
    trade: { slippageThatPasses: async () => null },
    chain: {
      token: async () => null,
      holding: async () => {
        throw new Error('nobody asks');
      },
      latestBlockhash: async () => {
        if (height === null) throw new Error('no node answers');
        return { blockhash: 'b', lastValidBlockHeight: height + 150n, slot: height, livesMs: 30_000 };
      },
      slotMs: () => 200,
    },
    states: createButtonStates({ buttons: db.buttons, clock, ids }),
    tokens: fakeTokenData(),
    launchReads: {
      tape: { trades: async () => [], cursor: async () => null },
      markets: { ofMint: async () => [] },
      history: { signatures: async () => [] },
    },
    launch: { launchpads: [] },
    clock,
    solPrice: async () => null,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    passportUrl: () => null,
    keyReview: {
      isOperator: () => false,
      proposed: () => {
        throw new Error('nobody asked for a key');
      },
      waiting: async () => [],
      find: async () => null,
      grant: async () => null,
      refuse: async () => null,
      ask: async () => null,
    },
    options: { explorerUrl: 'https://example.org/{signature}' },
  });
  ({ intent } = await db.intents.insert({
    id: ids.ulid(),
    receipt: 'R-7F3K2AB',
    kind: 'withdraw-sol',
    userId: user.id,
    walletId,
    idemKey: ids.token(),
    confirmation: null,
    params: {
      kind: 'withdraw-sol',
      destination: TO,
      lamports: 500_000_000n,
      everything: false,
      tier: 'normal',
    },
    status: 'CREATED',
    notBefore: null,
    leaseOwner: null,
    leaseUntil: null,
    leaseEpoch: 0,
    outcome: null,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  }));
});

const outcome: IntentOutcome = {
  reason: null,
  details: null,
  receipt: {
    signature: SIGNATURE,
    slot: 5n,
    landedAt: null,
    feeLamports: 5_000n,
    baseFeeLamports: 5_000n,
    priorityFeeLamports: 0n,
    walletLamportsDelta: -500_005_000n,
    tokenDeltas: [],
    rentLamports: 0n,
    platformFeeLamports: 0n,
  },
};

function notice(kind: Notice['kind'], change: Partial<Notice> = {}): Notice {
  return {
    id: ids.ulid(),
    userId: user.id,
    intentId: intent.id,
    kind,
    payload: encodeIntentNotice({
      status: 'ACTIVE',
      signature: SIGNATURE,
      attempt: 1,
      lastValidBlockHeight: 150n,
      sentAt: clock.now(),
      terms: null,
      outcome: kind === 'progress' ? null : outcome,
    }),
    createdAt: clock.now() + 2_100,
    deliveredAt: null,
    attempts: 0,
    ...change,
  };
}

async function attempt(status: 'SIGNED' | 'CONFIRMED', n = 1) {
  await db.intents.update(intent.id, { statuses: ['CREATED'] }, { status: 'ACTIVE' });
  await db.intents.insertAttempt({
    id: ids.ulid(),
    intentId: intent.id,
    n,
    signedTransaction: new Uint8Array(1),
    signature: n === 1 ? SIGNATURE : `${n}${SIGNATURE.slice(1)}`,
    blockhash: 'b',
    lastValidBlockHeight: 150n,
    signedSlot: 1n,
    signedAt: 0,
    status,
    sendCount: 1,
    lastSentAt: 0,
    landedSlot: null,
    chainError: null,
    deathProof: null,
    landingProof: null,
    terms: null,
  });
}

/** With everything as it stands, as the worker hands it over. */
async function deliver(notice: Notice) {
  const { intentId } = notice;
  const addressee = await db.users.find(notice.userId);
  if (addressee === null) throw new Error('a notice for nobody');
  return notifier.deliver({
    notice,
    user: addressee,
    about: intentId === null ? null : await db.intents.whole(intentId),
    progress: intentId === null ? null : await db.notices.progressMessage(intentId),
  });
}

describe('the notifier', () => {
  it('tells one intent in one message, edited from sent to landed to final', async () => {
    await attempt('SIGNED');
    expect(await deliver(notice('progress'))).toEqual({ kind: 'delivered' });
    const sent = await person.waitFor(/Sent to the network. Waiting for the final result/);
    const [live] = await db.intents.attempts(intent.id);
    await db.intents.updateAttempt(live?.id ?? '', { statuses: ['SIGNED'] }, { status: 'CONFIRMED' });
    await deliver(notice('confirmed'));
    const landed = await person.waitFor(/Sent 0.5 SOL \(in 2.1 s\)/);
    expect(landed.message_id).toBe(sent.message_id);
    await db.intents.update(intent.id, { statuses: ['ACTIVE'] }, { status: 'SUCCEEDED', outcome });
    await deliver(notice('final'));
    const final = await person.waitFor(/Sent 0.5 SOL \(final\)/);
    expect(final.message_id).toBe(sent.message_id);
  });

  it('says once in a message of its own that it is late, also where it is signed anew, and ends it with the final word', async () => {
    const taken = async () => ((await person.transcript()).match(/Bot \(deletes/g) ?? []).length;
    const before = await taken();
    await attempt('SIGNED');
    await deliver(notice('progress'));
    const sent = await person.waitFor(/Sent to the network/);
    const [live] = await db.intents.attempts(intent.id);
    await db.intents.updateAttempt(live?.id ?? '', { statuses: ['SIGNED'] }, { sendCount: 6 });
    const late = notice('progress');
    await deliver(late);
    const told = await person.waitFor(
      /Sent, not on the chain yet.*signed anew within your limits.*pay at most once/s,
    );
    expect(told.message_id).not.toBe(sent.message_id);
    expect((await taken()) - before).toBe(1);
    // The process ended before it was marked as delivered.
    await deliver(late);
    expect((await taken()) - before).toBe(2);
    const kept = (await db.notices.progressMessage(intent.id))?.messageId;
    await db.intents.updateAttempt(live?.id ?? '', { statuses: ['SIGNED'] }, { status: 'DEAD' });
    await attempt('SIGNED', 2);
    await deliver(notice('progress'));
    await person.waitFor(/Sent, not on the chain yet/);
    expect((await db.notices.progressMessage(intent.id))?.messageId).toBe(kept);
    const second = (await db.intents.attempts(intent.id))[1];
    await db.intents.updateAttempt(second?.id ?? '', { statuses: ['SIGNED'] }, { sendCount: 6 });
    await deliver(notice('progress'));
    expect((await db.notices.progressMessage(intent.id))?.messageId).toBe(kept);
    await db.intents.update(intent.id, { statuses: ['ACTIVE'] }, { status: 'SUCCEEDED', outcome });
    await deliver(notice('final'));
    expect((await person.waitFor(/Sent 0.5 SOL \(final\)/)).message_id).toBe(kept);
    expect((await taken()) - before).toBe(2);
  });

  it('says until when a late attempt can land, by the height of now, and no time once that is over', async () => {
    await attempt('SIGNED');
    const [live] = await db.intents.attempts(intent.id);
    await db.intents.updateAttempt(live?.id ?? '', { statuses: ['SIGNED'] }, { sendCount: 6 });
    // Its last block is 150: 75 more of 200 ms.
    height = 75n;
    clock.set(Date.UTC(2026, 10, 21, 14, 2, 11));
    await deliver(notice('progress'));
    await person.waitFor(/Possible until about 14:02:26 UTC\. .*pay at most once/s);
    height = 150n;
    await deliver(notice('progress'));
    await person.waitFor(/It is sent again until it lands or can no longer land/);
    height = null;
    await deliver(notice('progress'));
    await person.waitFor(/It is sent again until it lands or can no longer land/);
  });

  it('changes nothing when a notice is repeated, and never falls back from landed to sent', async () => {
    await attempt('CONFIRMED');
    await deliver(notice('confirmed'));
    const landed = await person.waitFor(/\(in \d/);
    expect(await deliver(notice('progress'))).toEqual({ kind: 'delivered' });
    expect((await person.lastMessage())?.text).toBe(landed.text);
  });

  it('says expired only when it is, and unknown when nobody knows', async () => {
    await attempt('SIGNED');
    await db.intents.update(intent.id, { statuses: ['ACTIVE'] }, { status: 'NEEDS_REVIEW' });
    await deliver(notice('final'));
    const unknown = await person.waitFor(/Result not known yet. Do not repeat it/);
    expect(unknown.text).not.toMatch(/fail/i);
  });

  it('takes back in words what a node had said too early', async () => {
    await attempt('CONFIRMED');
    await deliver(notice('confirmed'));
    await person.waitFor(/Sent 0.5 SOL \(in/);
    const doubt = { reason: null, details: { disputed: true, corrected: true }, receipt: null };
    await db.intents.update(intent.id, { statuses: ['ACTIVE'] }, { status: 'NEEDS_REVIEW', outcome: doubt });
    await deliver(notice('final'));
    const told = await person.waitFor(/nodes we ask do not agree/);
    expect(told.text).toMatch(/nothing is sent again or given back until a person has looked/);
    expect(told.text).toMatch(/A message here said something else before/);
  });

  it('calls a failure that only one node has told not final, and offers no second try', async () => {
    await attempt('CONFIRMED');
    const [live] = await db.intents.attempts(intent.id);
    await db.intents.updateAttempt(live?.id ?? '', { statuses: ['CONFIRMED'] }, { chainError: '"x"' });
    await deliver(notice('confirmed'));
    const early = await person.waitFor(/The network refused it/);
    expect(early.text).toMatch(/Not final yet/);
    await db.intents.update(intent.id, { statuses: ['ACTIVE'] }, { status: 'FAILED', outcome });
    await deliver(notice('final'));
    const final = await person.waitFor(/The network refused it. Nothing moved but the fee: .+\.$/);
    expect(final.text).not.toMatch(/Not final yet/);
  });

  it('sends a new message when the old one is gone', async () => {
    await db.notices.setProgressMessage({ intentId: intent.id, chatId: user.telegramId, messageId: 999_999 });
    await attempt('SIGNED');
    expect(await deliver(notice('progress'))).toEqual({ kind: 'delivered' });
    const message = await person.waitFor(/Sent to the network/);
    expect((await db.notices.progressMessage(intent.id))?.messageId).toBe(message.message_id);
  });

  it('words a refusal that is on record', async () => {
    await db.intents.update(
      intent.id,
      { statuses: ['CREATED'] },
      {
        status: 'REJECTED',
        outcome: {
          reason: 'INSUFFICIENT_LAMPORTS',
          details: { needed: '3', available: '2', amount: '1', fees: '2' },
          receipt: null,
        },
      },
    );
    await deliver(notice('final'));
    await person.waitFor(/Not done: Not enough SOL.*Nothing was sent/s);
  });

  it('offers to finish a token whose second half came to nothing, and nothing of the kind for another', async () => {
    const params: CreateTokenParams = {
      kind: 'create-token',
      spec: {
        program: 'token2022',
        name: 'Puppy',
        symbol: 'PUP',
        decimals: 6,
        supply: 1n,
        mintTo: TO,
        mintAuthority: true,
        freezeAuthority: false,
        updateAuthority: true,
        extensions: NO_SPEC_EXTENSIONS,
      },
      way: 'native',
      uri: 'https://x.example/a.json',
      metadataHash: null,
      recordLamports: 0n,
      mintRentLamports: 1n,
      holdingRentLamports: 1n,
      feeLamports: 1n,
      tier: 'normal',
    };
    const ended = async (change: Partial<CreateTokenParams>): Promise<string> => {
      const id = ids.ulid();
      const { intent: created } = await db.intents.insert({
        ...intent,
        id,
        receipt: `R-${id}`,
        idemKey: id,
        kind: 'create-token',
        params: { ...params, ...change },
      });
      const end = { status: 'EXPIRED', outcome: { reason: null, details: null, receipt: null } } as const;
      await db.intents.update(created.id, { statuses: ['CREATED'] }, end);
      await deliver(notice('final', { intentId: created.id }));
      const message = await person.lastMessage();
      return `${message?.text} ${JSON.stringify(message?.reply_markup)}`;
    };
    expect(await ended({})).not.toMatch(/Finish/);
    const half = await ended({ prepared: { mint: TO, rentLamports: 1n, feeLamports: 1n } });
    expect(half).toMatch(/second transaction did not reach.*PUP is on the chain without supply.*Finish/s);
    expect(half).not.toMatch(/Nothing was paid/);
  });

  it.each([
    ['referral', /earned 0\.003 SOL.* from your invitees/],
    ['rebate', /rebate of 0\.003 SOL.* is paid/],
    ['conversion', /converted points brought 0\.003 SOL/],
    ['several', /0\.003 SOL.* shares of your invitees’ fees, rebates and converted points/],
  ] as const)('says of lamports that were paid whether they are a %s', async (source, text) => {
    const payload = encodeRewardPaid({ lamports: 3_000_000n, signature: SIGNATURE, source });
    await deliver(notice('reward-paid', { intentId: null, payload }));
    expect((await person.lastMessage())?.text).toMatch(text);
  });

  it.each([
    [null, true, /^Received 0\.003 SOL.* in Main\.$/],
    [TO, true, /^Received 3000000 So11…1112 in Main\./],
    [TO, false, /calls itself So11…1112 arrived in Main\. You did not buy it here\..*open no link/s],
  ] as const)('says what arrived, of %s, bought here %s', async (mint, known, text) => {
    const [wallet] = await db.wallets.listByUser(user.id);
    const said = { walletId: wallet?.id ?? '', mint, units: 3_000_000n, known, signature: SIGNATURE };
    await deliver(notice('deposit', { intentId: null, payload: encodeDeposit(said) }));
    const shown = await person.lastMessage();
    expect(shown?.text).toMatch(text);
    const buttons = shown?.reply_markup?.inline_keyboard.flat().map((button) => button.text);
    expect(buttons).toEqual([...(mint === null ? [] : ['Positions']), 'Wallets', 'Home']);
  });

  it.each([
    [{ mint: null, units: 3_000_000n, seenByOne: true as const }, /^Received 0\.003 SOL.*seen by one node/],
    [{ mint: null, units: 0n, was: 3_000_000n }, /^Correction: 0\.003 SOL in Main did not arrive/],
    [
      { mint: null, units: 1_000_000n, was: 3_000_000n },
      /^Correction: 0\.001 SOL arrived in Main, and not 0\.003 SOL/,
    ],
    [{ mint: TO, units: 5n, was: 7n }, /^Correction: 5 So11…1112 arrived in Main, and not 7 So11…1112/],
  ])('says in words that one node alone saw a deposit, and what was not so', async (change, text) => {
    const [wallet] = await db.wallets.listByUser(user.id);
    const said = { walletId: wallet?.id ?? '', known: true, signature: SIGNATURE, ...change };
    await deliver(notice('deposit', { intentId: null, payload: encodeDeposit(said) }));
    expect((await person.lastMessage())?.text).toMatch(text);
  });

  it('marks a person who blocked the bot and leaves them alone', async () => {
    await person.block(true);
    const reward = notice('reward-paid', {
      intentId: null,
      payload: encodeRewardPaid({ lamports: 3_000_000n, signature: SIGNATURE, source: 'referral' }),
    });
    expect(await deliver(reward)).toEqual({ kind: 'away' });
    expect((await db.users.find(user.id))?.blockedAt).toBe(clock.now());
    expect(await deliver(reward)).toEqual({ kind: 'away' });
  });

  it('asks to come back after as long as Telegram says', async () => {
    telegram.core.faults.add({
      method: 'sendMessage',
      times: 1,
      code: 429,
      retryAfterSeconds: 30,
      chatId: nextId,
    });
    const joined = notice('invitee-joined', { intentId: null, payload: {} });
    expect(await deliver(joined)).toEqual({ kind: 'retry', afterMs: 30_000 });
    expect(await deliver(joined)).toEqual({ kind: 'delivered' });
    await person.waitFor(/A person joined/);
  });
});

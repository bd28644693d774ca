import type { Person } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { bps } from '../../src/core/amounts/bps.ts';
import { createIntent } from '../../src/engine/transactions/use/create-intent.ts';
import { launchPasses } from '../../src/modules/launches/use/launch-figures.ts';
import { createLaunchNews } from '../../src/modules/launches/use/tell-launches.ts';
import { createLaunchWatch } from '../../src/modules/launches/use/watch-launches.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { openTransactionSource } from '../../src/platform/chain/transaction-source/open-source.ts';
import type { LaunchFeed } from '../../src/platform/ports/launch-feed.ts';
import { openLaunchFeed } from '../../src/platform/venues/launch-feeds.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { begin, labels } from './token-wizard.ts';

const SOL = 1_000_000_000n;

let rig: JourneyRig;
/** Launches that are on a fork which died: the node has no account of theirs. */
const forked = new Set<Address>();
/** The newest final slot, where a test holds it back. */
let finalSlot: bigint | null = null;
/** The newest confirmed slot that the product is let see. */
let confirmedSlot: bigint | null = null;
let feed: LaunchFeed;

beforeAll(async () => {
  rig = await startJourneyRig('launch feed', { unlimited: true });
  const source = openTransactionSource(
    { source: 'addresses', isLocal: true, rpcPerSecond: null },
    { urls: [rig.local.rpcUrl], wsUrls: [] },
  );
  const pads = { meteoraDbcConfig: null, launchlabPlatform: null };
  const real = await openLaunchFeed({
    chain: rig.chain,
    source,
    programs: createPrograms(),
    deskUrl: rig.local.deskUrl,
    pads,
  });
  feed = {
    horizon: async (level) => (level === 'finalized' ? finalSlot : confirmedSlot) ?? real.horizon(level),
    pads: real.pads.map((pad) => ({
      ...pad,
      events: async (range, isKnown) =>
        (await pad.events(range, isKnown)).filter(
          (event) => event.kind !== 'created' || !forked.has(event.mint),
        ),
      states: async (curves) => {
        const { slot, looks } = await pad.states(curves);
        return {
          slot,
          looks: looks.map((look, index) => (forked.has(curves[index]?.mint as Address) ? 'absent' : look)),
        };
      },
    })),
  };
});
afterAll(() => rig.stop());

/** A process of its own that reads launches. */
const watcher = () =>
  createLaunchWatch({
    db: rig.db,
    feed,
    clock: rig.clock,
    looksPerSecond: null,
    isFirst: () => true,
    ...createLaunchNews({
      ...rig,
      nudge: () => rig.services.relay.nudge(),
      passes: (launch, filter) =>
        launchPasses({ ...rig, ...rig.botDeps.launchReads, tokens: rig.botDeps.tokens }, launch, filter),
    }),
    log: rig.log,
  });

const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor(text);
};
const sayAndWait = async (person: Person, said: string, text: RegExp) => {
  await person.say(said);
  return person.waitFor(text);
};
const times = async (person: Person, text: RegExp): Promise<number> =>
  [...(await person.transcript()).matchAll(new RegExp(text, 'g'))].length;

/** The slot of the first transaction that names an address. */
async function slotOf(named: Address): Promise<bigint> {
  const params = [named, { limit: 10, commitment: 'confirmed' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSignaturesForAddress', params });
  return until(async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(rig.local.rpcUrl, { method: 'POST', headers, body });
    const { result } = (await answer.json()) as { readonly result: readonly { readonly slot: number }[] };
    return BigInt(result.at(-1)?.slot ?? 0);
  });
}

/** Launches a token of the desk in the chat, without a first buy. */
async function launched(symbol: string): Promise<Address> {
  const { person } = await rig.trader(`Maker of ${symbol}`, 2n);
  await begin(person);
  await tapAndWait(person, 'Launch it instead', /Which one/);
  await person.tap({ data: 'form:pad0' });
  await person.waitFor(/The symbol/);
  await sayAndWait(person, symbol, /The name/);
  await tapAndWait(person, symbol, /Send a picture/);
  await tapAndWait(person, 'Skip', /A description/);
  await tapAndWait(person, 'Skip', /Links/);
  await tapAndWait(person, 'Skip', /first buy/);
  await tapAndWait(person, 'No first buy', /Your first buy 0 SOL/);
  await tapAndWait(person, 'Launch', new RegExp(`^Launched ${symbol}`));
  const done = await person.lastMessage();
  return address(/\n([1-9A-HJ-NP-Za-km-z]{32,44})/.exec(done?.text ?? '')?.[1] ?? '');
}

async function bought(wallet: Wallet, mint: Address, lamports: bigint): Promise<void> {
  const trade = await rig.services.trade.quoteTrade({
    side: 'buy',
    wallet: wallet.address,
    mint,
    slippageBps: bps(5_000),
    tier: 'normal',
    amount: { lamports },
  });
  const { intent } = await createIntent(
    { ...rig, relay: rig.services.relay },
    {
      userId: wallet.userId ?? '',
      walletId: wallet.id,
      idemKey: `buy ${lamports} ${mint}`,
      params: { kind: 'buy', mint, lamportsIn: lamports, terms: trade.terms, tier: 'normal' },
    },
  );
  const ended = await until(async () => {
    const found = await rig.db.intents.find(intent.id);
    return found !== null && ['SUCCEEDED', 'FAILED', 'EXPIRED'].includes(found.status) ? found : null;
  });
  expect(ended.status).toBe('SUCCEEDED');
}

describe('the launch feed', () => {
  it('lists a token a moment after it was made, and tells of each stage once, whatever runs again', async () => {
    const { person: ana } = await rig.trader('Ana', 1n);
    await sayAndWait(ana, '/new', /^New · 24 h · page 1\nNo launch was seen here/);
    await tapAndWait(ana, 'Alert me', /^Launch alerts/);
    for (const stage of ['New', 'Near', 'Graduated']) {
      await ana.tap(stage);
      await until(async () => labels(await ana.lastMessage()).includes(`✓ ${stage}`));
    }
    const [first, second] = [watcher(), watcher()];
    const run = () => Promise.all([first.round(), second.round()]);
    await run();

    const mint = await launched('MOON');
    // The gate of the feed: two blocks after the creation's it is there, and no source showed the product more.
    const created = await slotOf(mint);
    confirmedSlot = created + 2n;
    await until(async () => (await rig.chain.latestBlockhash()).slot >= created + 2n);
    await run();
    confirmedSlot = null;
    expect(await rig.db.seenLaunches.find(mint)).toMatchObject({ createdSlot: created });
    expect(await rig.db.seenLaunches.find(mint)).toMatchObject({ stage: 'new', pad: 'desk', soldBps: 0 });
    await ana.waitFor(/MOON launched at Desk Launch/);
    await sayAndWait(ana, 'new', /^New · 24 h · page 1\nMO\S* <1 min · n\/a · 0% · dev 0%/);
    await tapAndWait(ana, /^MO/, /^MOON[\s\S]*· cap /);

    const { wallet } = await rig.trader('Whale', 40n);
    // 14.2 of the 17 SOL at which the curve ends, in parts that move the price less than a purchase may.
    for (const tenths of [41n, 61n, 40n]) await bought(wallet, mint, (tenths * SOL) / 10n);
    await until(async () => {
      await run();
      return (await rig.db.seenLaunches.find(mint))?.stage === 'near';
    });
    await ana.waitFor(/MOON is near its end/);
    await bought(wallet, mint, 5n * SOL);
    await until(async () => {
      await run();
      return (await rig.db.seenLaunches.find(mint))?.stage === 'graduated';
    });
    await ana.waitFor(/MOON graduated from Desk Launch/);
    await watcher().round();
    await run();
    await sayAndWait(ana, '/new', /^New · 24 h/);
    await tapAndWait(ana, 'Graduated', /^Graduated · 24 h · page 1\nMO/);
    for (const told of [/MOON launched at/, /MOON is near its end/, /MOON graduated from/])
      expect(await times(ana, told)).toBe(1);
    // Alerts buy nothing.
    expect(await rig.intents(ana)).toEqual([]);
  }, 40_000);

  it('takes a launch back with its fork: its message is edited, and again when it stands', async () => {
    const { person: ben } = await rig.trader('Ben', 1n);
    await sayAndWait(ben, '/new', /^New · 24 h/);
    await tapAndWait(ben, 'Alert me', /^Launch alerts/);
    await ben.tap('New');
    await until(async () => labels(await ben.lastMessage()).includes('✓ New'));
    const watch = watcher();
    await watch.round();
    finalSlot = await feed.horizon('finalized');
    const mint = await launched('FORK');
    await watch.round();
    const told = await ben.waitFor(/FORK launched at Desk Launch/);

    forked.add(mint);
    await until(async () => {
      await watch.round();
      return (await rig.db.seenLaunches.find(mint))?.takenBack === true;
    });
    const gone = await ben.waitFor(/FORK: the network took its launch at Desk Launch back/);
    expect(gone.message_id).toBe(told.message_id);
    const listed = await sayAndWait(ben, '/new', /^New · 24 h/);
    expect(listed.text).not.toMatch(/FO/);

    forked.delete(mint);
    await watch.round();
    finalSlot = null;
    const back = await ben.waitFor(/FORK launched at Desk Launch/);
    expect(back.message_id).toBe(told.message_id);
  }, 40_000);

  it('filters by what is typed, and says what it expected', async () => {
    const { person: cleo } = await rig.trader('Cleo', 1n);
    await sayAndWait(cleo, '/new', /^New · 24 h/);
    await tapAndWait(cleo, 'Filter', /No filter: all launches pass/);
    await tapAndWait(cleo, 'Type…', /Send conditions/);
    for (const wrong of ['cap>1e99', 'age<-1'])
      await sayAndWait(cleo, wrong, /is no condition. Expected is a figure/);
    await sayAndWait(cleo, 'edad<2h curve>99', /^Filter · launches\nage<2h curve>99/);
    await tapAndWait(cleo, 'Back', /Filter: age<2h[\s\S]*No launch passes/);
    await tapAndWait(cleo, 'Filter', /age<2h curve>99/);
    await tapAndWait(cleo, 'Clear', /No filter: all launches pass/);
    expect(await rig.db.seenLaunches.alert((await rig.user(cleo)).id)).toMatchObject({
      filter: '',
      stages: [],
    });
  }, 60_000);
});

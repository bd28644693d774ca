import { generateKeyPairSync } from 'node:crypto';
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { Person } from '@tradepost/local-telegram';
import { type Address, addressFromBytes, TOKEN_PROGRAM, toBase58, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { FOLLOW_LIMITS } from '../../src/modules/follows/rules/follow.ts';
import { createHistoryWatch } from '../../src/modules/follows/use/read-histories.ts';
import { createFollowWatch } from '../../src/modules/follows/use/watch-follows.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { createRpcHistory } from '../../src/platform/chain/rpc-history.ts';
import type { TapeEvent } from '../../src/platform/ports/tape-store.ts';
import { followRow, leaderTradeRow } from '../conformance/follow-store.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('follows');
});
afterAll(() => rig.stop());

/** Of a wallet that a key belongs to. */
const someWallet = (): Address =>
  addressFromBytes(
    generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  );

const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor(text);
};
const sayAndWait = async (person: Person, said: string, text: RegExp) => {
  await person.say(said);
  return person.waitFor(text);
};

/** The question again, with its buttons: the edit that takes those of the one before away is no answer. */
const refused = async (person: Person, said: string, why: RegExp) => {
  await person.say(said);
  return person.waitFor((text, { reply_markup }) => why.test(text) && reply_markup !== undefined);
};

async function onList(name: string) {
  const { person, wallet } = await rig.trader(name, 1n);
  await sayAndWait(person, '/home', /Send a name/);
  await tapAndWait(person, 'Following', /^Following/);
  return { person, wallet, userId: wallet.userId ?? '' };
}

describe('following a wallet', () => {
  it('takes an address and a name, and can be changed, muted and ended', async () => {
    const { person, userId } = await onList('Follower');
    const leader = someWallet();
    await tapAndWait(person, 'Follow a wallet', /Which wallet/);
    await sayAndWait(person, leader, /Give it a name/);
    await sayAndWait(person, 'whale1', /^whale1 · [\s\S]*Notices: all[\s\S]*No trade/);
    await tapAndWait(person, 'Notices ✓', /Notices: quiet/);
    await tapAndWait(person, 'Notices: off', /Notices: all/);
    await tapAndWait(person, 'From…', /From how much SOL/);
    await sayAndWait(person, 'max', /./);
    await sayAndWait(person, '0,5', /Notices: from 0\.5 SOL/);
    await tapAndWait(person, 'From…', /From how much SOL/);
    await sayAndWait(person, '0', /Notices: all/);
    await tapAndWait(person, 'Rename', /Which name/);
    await sayAndWait(person, 'Ana', /^Ana · /);
    const [follow] = await rig.db.follows.listByUser(userId);
    expect(follow).toMatchObject({ leader, label: 'Ana', minLamports: 0n, notices: true });
    await tapAndWait(person, 'Remove', /Follow “Ana” no more/);
    await tapAndWait(person, 'Remove', /You follow no wallet yet/);
    expect(await rig.db.follows.listByUser(userId)).toEqual([]);
  });

  it('refuses what is no wallet, a wallet of one’s own, the same one twice and the 21st, and stores nothing', async () => {
    const { person, wallet, userId } = await onList('Refused');
    const mint = rig.token('PUP').mint as Address;
    await tapAndWait(person, 'Follow a wallet', /Which wallet/);
    const account = createPrograms().associatedTokenAddress(wallet.address, mint, TOKEN_PROGRAM);
    for (const no of [mint, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', account])
      await sayAndWait(person, no, /That is a token or a program, and no wallet/);
    for (const short of ['3yZe7d', toBase58(new Uint8Array(31).fill(7))])
      await sayAndWait(person, short, /address/i);
    await sayAndWait(person, wallet.address, /Give it a name/);
    await sayAndWait(person, 'mine', /That is a wallet of your own/);
    const leader = someWallet();
    for (const says of [/^one · /, /You follow this wallet already/]) {
      await sayAndWait(person, '/home', /Send a name/);
      await tapAndWait(person, 'Following', /^Following/);
      await tapAndWait(person, 'Follow a wallet', /Which wallet/);
      await sayAndWait(person, leader, /Give it a name/);
      await sayAndWait(person, 'one', says);
    }
    for (let n = 1; n < FOLLOW_LIMITS.perPerson; n += 1)
      await rig.db.follows.insert(followRow(userId, { label: `w${n}` }));
    await expect(
      rig.services.follows.follow({ userId, text: someWallet(), label: 'x' }),
    ).rejects.toMatchObject({ code: 'FOLLOW_REFUSED', details: { kind: 'too-many', max: 20 } });
    expect(await rig.db.follows.listByUser(userId)).toHaveLength(FOLLOW_LIMITS.perPerson);
  });

  it('shows a hundred rows in pages of five, and the trades of one with the way to its token', async () => {
    const { person, userId } = await onList('Pager');
    const mint = rig.token('PUP').mint as never;
    for (let n = 0; n < 12; n += 1)
      await rig.db.follows.insert(
        followRow(userId, { id: `01FOLLOW0000000000000000${n + 10}`, label: `w${n}` }),
      );
    const [first] = await rig.db.follows.listByUser(userId);
    const leader = first?.leader ?? someWallet();
    await rig.db.follows.record([
      leaderTradeRow({ leader, mint, units: 5_000_000n, paid: null, at: rig.clock.now() + 60_000 }),
    ]);
    await tapAndWait(person, 'Refresh', /Following · 12 · page 1 of 3\n1 w0[\s\S]*5 w4/);
    await tapAndWait(person, '›', /page 2 of 3\n6 w5/);
    await tapAndWait(person, '‹', /page 1 of 3/);
    await tapAndWait(person, 'w0', /^w0 · [\s\S]*🟢 5 PUP/);
    await tapAndWait(person, 'PUP', /^PUP[\s\S]*· cap /);
  });
});

/** The tape of one market, and a reader of it that tells through the bot. */
async function tapeOf(symbol: string) {
  const log: TapeEvent[] = [];
  const baseMint = rig.token(symbol).mint as Address;
  const watch = createFollowWatch({
    db: rig.db,
    clock: rig.clock,
    ids: rig.ids,
    tape: {
      logEnd: async () => log.at(-1)?.place ?? 0n,
      logAfter: async (place, { limit }) => log.filter((event) => event.place > place).slice(0, limit),
    },
    markets: { all: async () => [{ id: 1, baseMint, quoteMint: WSOL_MINT }] as never },
    feed: { listen: () => () => undefined },
    solPrice: async () => null,
    money: [WSOL_MINT],
    nudge: () => rig.services.relay.nudge(),
    onChange: () => undefined,
    log: rig.log,
  });
  await watch.round();
  return {
    /** The wallet buys so many minutes from now, as the tape has it, and the reader reads. */
    buys: async (trader: Address, minute: number): Promise<void> => {
      const place = BigInt(log.length + 1);
      const at = Math.ceil(rig.clock.now() / 1_000) + minute * 60;
      const trade = { id: place, marketId: 1, at, side: 'buy', base: 5_000_000n, quote: SOL };
      log.push({
        kind: 'trade',
        place,
        marketId: 1,
        tradeId: place,
        trade: { ...trade, trader, signature: rig.ids.token() } as never,
      });
      await watch.round();
    },
  };
}

/** Four wallets on the chain: the faucet funds all but the third, which a wallet of its own funds. */
async function fundedWallets(): Promise<readonly Address[]> {
  const [sponsor, ...keys] = Array.from({ length: 5 }, () => Keypair.generate()) as [Keypair, ...Keypair[]];
  const addressOf = (key: Keypair) => address(key.publicKey.toBase58());
  for (const key of [sponsor, ...keys.filter((_, n) => n !== 2)]) await rig.fund(addressOf(key), SOL);
  const transfer = SystemProgram.transfer({
    fromPubkey: sponsor.publicKey,
    toPubkey: (keys[2] ?? sponsor).publicKey,
    lamports: 400_000_000,
  });
  await new Connection(rig.local.rpcUrl, 'confirmed').sendTransaction(new Transaction().add(transfer), [
    sponsor,
  ]);
  const wallets = keys.map(addressOf);
  const history = createRpcHistory({ urls: [rig.local.rpcUrl] });
  for (const wallet of wallets)
    await until(async () => (await history.signatures(wallet, { before: null, limit: 1 })).length > 0);
  return wallets;
}

/** Reads the funders of all followed wallets from the chain. */
async function readFunders(wallets: readonly Address[]): Promise<void> {
  const watch = createHistoryWatch({
    db: rig.db,
    chain: rig.chain,
    history: createRpcHistory({ urls: [rig.local.rpcUrl] }),
    clock: rig.clock,
    money: [WSOL_MINT],
    isFirst: () => true,
    log: rig.log,
  });
  await until(async () => {
    await watch.round();
    return (await rig.db.follows.funders(wallets)).size === wallets.length;
  });
}

describe('the signal of followed wallets', () => {
  const badWallets = ['1', '0', '11', '2.5', 'three', '-3', '3 wallets'];
  const badSpans = ['0 min', '30 s', '25h', '2 d', '1.5 h', 'soon', '30 30'];

  it('is off, takes no bad input, and tells once of three wallets that bought, with their funders', async () => {
    const { person, userId } = await onList('Signalled');
    const wallets = await fundedWallets();
    for (const [n, text] of wallets.entries())
      await rig.services.follows.follow({ userId, text, label: `w${n + 1}` });
    // A quiet wallet counts, too.
    const [quiet] = await rig.db.follows.listByUser(userId);
    await rig.db.follows.change({ ...(quiet ?? expect.fail('no follow')), notices: false });
    await readFunders(wallets);
    const [one, two, three, four] = wallets as [Address, Address, Address, Address];

    await tapAndWait(person, 'Refresh', /Following · 4/);
    await tapAndWait(person, 'Signal: off', /^Signal · off\n/);
    await tapAndWait(person, 'Turn on…', /How many of your wallets\? Send a number from 2 to 10/);
    for (const bad of badWallets) await refused(person, bad, /A signal takes 2 to 10 wallets/);
    await refused(person, '5', /You follow 4, so 5 wallets are too many/);
    await sayAndWait(person, '3', /Within which time\?/);
    for (const bad of badSpans) await refused(person, bad, /A signal takes 1 minute to 24 hours/);
    expect(await rig.db.signals.find(userId)).toBeNull();
    await sayAndWait(person, '30 min', /^Signal · 3 in 30 min\n/);
    expect(await rig.db.signals.find(userId)).toMatchObject({ wallets: 3, spanMs: 1_800_000 });
    await tapAndWait(person, 'Following', /Following · 4/);
    await tapAndWait(person, 'Signal: 3 in 30 min', /^Signal · 3 in 30 min/);

    const tape = await tapeOf('PUP');
    const signals = async () => (await person.transcript()).match(/of your wallets bought/g)?.length ?? 0;
    await tape.buys(one, 1);
    await tape.buys(two, 2);
    await tape.buys(two, 3);
    await person.waitFor(/w2 bought 5 PUP/);
    expect(await signals()).toBe(0);
    await tape.buys(three, 4);
    const message = await person.waitFor(/of your wallets bought/);
    expect(message.text).toMatch(
      /^🟢 3 of your wallets bought PUP within 30 min\nw1, w2, w3\n3 wallets, 2 funders\n/,
    );
    // The fourth in the window is a trade, and no signal.
    await tape.buys(four, 5);
    await person.waitFor(/w4 bought 5 PUP/);
    expect(await signals()).toBe(1);
    expect(await person.transcript()).not.toMatch(/w1 bought/);
    // The next window speaks again.
    for (const [n, wallet] of [one, two, four].entries()) await tape.buys(wallet, 40 + n);
    await person.waitFor(/w1, w2, w4\n3 wallets, 1 funder: perhaps one owner/);
    expect(await signals()).toBe(2);
    await tapAndWait(person, 'Card', /^PUP[\s\S]*· cap /);

    await sayAndWait(person, '/home', /Send a name/);
    await tapAndWait(person, 'Following', /Following · 4/);
    for (const name of ['w1', 'w2']) {
      await tapAndWait(person, name, new RegExp(`^${name} · `));
      await tapAndWait(person, 'Remove', /no more\?/);
      await tapAndWait(person, 'Remove', /^Following/);
    }
    await person.waitFor(/The signal needs 3 wallets, you follow 2/);
    await tapAndWait(
      person,
      'Signal: 3 in 30 min',
      /^Signal · 3 in 30 min[\s\S]*needs 3 wallets, you follow 2/,
    );
    await tapAndWait(person, 'Change…', /How many/);
    await tapAndWait(person, '2', /Within which time/);
    await tapAndWait(person, '6 h', /^Signal · 2 in 6 h\n(?![\s\S]*needs)/);
    await tapAndWait(person, 'Turn off', /^Signal · off/);
    expect(await rig.db.signals.find(userId)).toBeNull();
  });

  it('is set in Spanish as well, and asks for wallets first', async () => {
    const { person, userId } = await onList('Señal');
    const user = await rig.user(person);
    await rig.db.users.update(userId, { settings: { ...user.settings, language: 'es' } });
    await sayAndWait(person, '/home', /Envía nombre/);
    await tapAndWait(person, 'Siguiendo', /^Siguiendo/);
    await tapAndWait(person, 'Señal: no', /^Señal · no[\s\S]*Sigue antes 2 carteras/);
    for (const label of ['una', 'dos'])
      await rig.services.follows.follow({ userId, text: someWallet(), label });
    await tapAndWait(person, 'Siguiendo', /^Siguiendo · 2/);
    await tapAndWait(person, 'Señal: no', /^Señal · no\n/);
    await tapAndWait(person, 'Activar…', /¿Cuántas de tus carteras\?/);
    for (const bad of ['1', '2,5', 'dos']) await refused(person, bad, /Una señal pide de 2 a 10 carteras/);
    await refused(person, '3', /Sigues 2: 3 carteras son demasiadas/);
    await sayAndWait(person, '2', /¿En cuánto tiempo\?/);
    for (const bad of ['59 segundos', '1,5 h', '2 días'])
      await refused(person, bad, /Una señal dura de 1 minuto a 24 horas/);
    await sayAndWait(person, '1 día', /^Señal · 2 en 24 h/);
    expect(await rig.db.signals.find(userId)).toMatchObject({ wallets: 2, spanMs: 86_400_000 });
  });

  it('is judged again when its last answer comes: a wallet was removed meanwhile', async () => {
    const { person, userId } = await onList('Remover');
    for (const label of ['a', 'b']) await rig.services.follows.follow({ userId, text: someWallet(), label });
    await tapAndWait(person, 'Refresh', /Following · 2/);
    await tapAndWait(person, 'Signal: off', /^Signal · off/);
    await tapAndWait(person, 'Turn on…', /How many/);
    await sayAndWait(person, '2', /Within which time/);
    const [first] = await rig.db.follows.listByUser(userId);
    await rig.services.follows.unfollow({ userId, followId: first?.id ?? '' });
    await sayAndWait(person, '1 h', /You follow 1, so 2 wallets are too many/);
    expect(await rig.db.signals.find(userId)).toBeNull();
    await expect(
      rig.services.follows.setSignal({ userId, wallets: 2, spanMs: 3_600_000 }),
    ).rejects.toMatchObject({
      code: 'SIGNAL_REFUSED',
      details: { kind: 'followed', wallets: 2, followed: 1 },
    });
    await expect(
      rig.services.follows.setSignal({ userId, wallets: 2, spanMs: 59_999 }),
    ).rejects.toMatchObject({ code: 'SIGNAL_REFUSED', details: { kind: 'span' } });
  });
});

import {
  createInitializePausableConfigInstruction,
  createInitializeTransferHookInstruction,
  ExtensionType,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { parseHtml } from '@tradepost/local-telegram';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { bps } from '../../src/core/amounts/bps.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { tokenSafety } from '../../src/modules/tokens/rules/safety.ts';
import { loadSwapToken } from '../../src/modules/trading/use/load-token.ts';
import { quoteTrade } from '../../src/modules/trading/use/quote-trade.ts';
import { prepareWithdrawal } from '../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import { errorSentence } from '../../src/platform/telegram/errors.ts';
import { type MoneyRig, startMoneyRig, until } from '../engine/transactions/money-rig.ts';
import { createTraders, type Owned, type Traders } from '../modules/positions/traders.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import {
  createTokenMaker,
  type MadeToken,
  type MintExtension,
  type TokenMaker,
} from '../support/token-maker.ts';

const SOL = 1_000_000_000n;
const SEED = 'barred-tokens';
const UNITS = 5_000_000n;
const PROGRAM = new PublicKey(TOKEN_2022_PROGRAM);

const db = fakeDatabase();
let rig: MoneyRig;
let traders: Traders;
let maker: TokenMaker;

beforeAll(async () => {
  rig = await startMoneyRig(db, SEED);
  traders = createTraders(rig, db);
  maker = createTokenMaker(rig.local.rpcUrl, SEED);
  await rig.fund(rig.treasury.address, SOL);
});
afterAll(() => rig?.stop());

const PAUSABLE: MintExtension = {
  type: ExtensionType.PausableConfig,
  setUp: (mint, authority) => createInitializePausableConfigInstruction(mint, authority, PROGRAM),
};
const HOOKED: MintExtension = {
  type: ExtensionType.TransferHook,
  setUp: (mint, authority) =>
    createInitializeTransferHookInstruction(mint, authority, new PublicKey(TOKEN_PROGRAM), PROGRAM),
};

/** Every act that a person may ask of a token, before anything is simulated. */
const asks = (who: Owned, { mint }: MadeToken): Readonly<Record<string, () => Promise<unknown>>> => {
  const trade = { wallet: who.address, mint, slippageBps: bps(500), tier: 'normal' } as const;
  // A simulation of it would say nothing that a person understands.
  const deps = {
    ...rig.trade,
    chain: { ...rig.chain, simulate: () => Promise.reject(new Error('simulated')) },
  };
  return {
    buy: () => quoteTrade(deps, { side: 'buy', ...trade, amount: { lamports: SOL / 10n } }),
    sell: () => quoteTrade(deps, { side: 'sell', ...trade, amount: { units: UNITS } }),
    'sell a share': () => quoteTrade(deps, { side: 'sell', ...trade, amount: { shareBps: bps(5_000) } }),
    withdraw: () =>
      prepareWithdrawal(
        { db, chain: deps.chain, programs: rig.programs },
        {
          userId: who.userId,
          walletId: who.id,
          destination: rig.treasury.address,
          asset: { kind: 'token', mint },
          amount: { kind: 'max' },
          tier: 'normal',
        },
      ),
  };
};

async function refusals(who: Owned, made: MadeToken): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const [what, ask] of Object.entries(asks(who, made))) {
    const error = await ask().then(
      () => new Error('it was let through'),
      (thrown: unknown) => thrown,
    );
    found[what] =
      error instanceof AppError ? parseHtml(errorSentence(error, wordsOf('en')).markup).text : String(error);
  }
  return found;
}

async function held(extension: MintExtension, name: string): Promise<{ who: Owned; made: MadeToken }> {
  const made = await maker.makeMint([extension]);
  const who = await traders.owned(name, SOL);
  if (extension === PAUSABLE) {
    await maker.give(who.address, made, UNITS);
    await until(async () => (await traders.heldOf(who, made.mint)) === UNITS, 'the tokens');
  }
  return { who, made };
}

describe('a token that its issuer has paused', () => {
  it('is refused by that word wherever it would move, and its card says it', async () => {
    const { who, made } = await held(PAUSABLE, 'Paused');
    const before = await rig.chain.token(made.mint);
    expect(before?.extensions).toMatchObject({ pausable: true });
    expect(before?.extensions.paused).toBeUndefined();
    expect((await refusals(who, made))['withdraw']).toBe('Error: it was let through');
    await maker.pause(made);
    await until(async () => (await rig.chain.token(made.mint))?.extensions.paused === true, 'the pause');
    const said = Object.values(await refusals(who, made));
    expect(said).toHaveLength(4);
    for (const text of said) expect(text).toMatch(/paused by its issuer/);
    await expect(loadSwapToken(rig.chain, made.mint)).rejects.toMatchObject({
      code: 'TOKEN_NOT_TRANSFERABLE',
      details: { reason: 'paused' },
    });
    const token = await rig.chain.token(made.mint);
    if (token === null) throw new Error('no token');
    const { warnings } = tokenSafety(token, { epoch: 0n, wellKnown: [] });
    expect(warnings).toContainEqual({ code: 'PAUSED', severity: 'BLOCK' });
  });
});

describe('a token whose transfers run a program of its issuer', () => {
  it('is refused with that reason where nothing here can trade or send it', async () => {
    const { who, made } = await held(HOOKED, 'Hooked');
    const { buy, withdraw } = await refusals(who, made);
    for (const text of [buy, withdraw]) expect(text).toMatch(/runs a program of its issuer/);
  });
});

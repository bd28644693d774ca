import {
  amountToUiAmountForScaledUiAmountMintWithoutSimulation,
  createInitializeInterestBearingMintInstruction,
  createInitializeScaledUiAmountConfigInstruction,
  ExtensionType,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { parseHtml } from '@tradepost/local-telegram';
import { TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { refusalSentence } from '../../src/engine/intents/chat/standing.ts';
import type { Token } from '../../src/modules/tokens/rules/token.ts';
import { tokensView } from '../../src/modules/wallets/chat/view.ts';
import { walletFunds } from '../../src/modules/wallets/use/list-wallets.ts';
import { prepareWithdrawal } from '../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import { errorSentence } from '../../src/platform/telegram/errors.ts';
import {
  readTokenAmount,
  scaleNote,
  tokenText,
  typableTokenText,
} from '../../src/platform/telegram/ui/token-amounts.ts';
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
const SEED = 'scaled-amounts';
const PROGRAM = new PublicKey(TOKEN_2022_PROGRAM);

const db = fakeDatabase();
let rig: MoneyRig;
let traders: Traders;
let maker: TokenMaker;
let friend: Owned;

beforeAll(async () => {
  rig = await startMoneyRig(db, SEED);
  traders = createTraders(rig, db);
  maker = createTokenMaker(rig.local.rpcUrl, SEED);
  await rig.fund(rig.treasury.address, SOL);
  friend = await traders.owned('Friend', SOL);
});
afterAll(() => rig?.stop());

const scaled = (multiplier: number): MintExtension => ({
  type: ExtensionType.ScaledUiAmountConfig,
  setUp: (mint, authority) =>
    createInitializeScaledUiAmountConfigInstruction(mint, authority, multiplier, PROGRAM),
});
const interest = (bps: number): MintExtension => ({
  type: ExtensionType.InterestBearingConfig,
  setUp: (mint, authority) => createInitializeInterestBearingMintInstruction(mint, authority, bps, PROGRAM),
});

async function held(
  extension: MintExtension,
  units: bigint,
): Promise<{ who: Owned; made: MadeToken; token: Token }> {
  const made = await maker.makeMint([extension]);
  const who = await traders.owned('Holder', SOL / 10n);
  await maker.give(who.address, made, units);
  await until(async () => (await traders.heldOf(who, made.mint)) === units, 'the tokens');
  const token = await rig.chain.token(made.mint);
  if (token === null) throw new Error('no token');
  return { who, made, token };
}

const withdraw = (from: Owned, token: Token, typed: string) =>
  prepareWithdrawal(
    { db, chain: rig.chain, programs: rig.programs },
    {
      userId: from.userId,
      walletId: from.id,
      destination: friend.address,
      asset: { kind: 'token', mint: token.mint },
      amount: readTokenAmount(typed, token),
      tier: 'normal',
    },
  );

const KINDS: readonly (readonly [string, number, boolean])[] = [
  ['scaled by 1.05', 1.05, true],
  ['scaled by 0.1', 0.1, true],
  ['scaled by 1234.5678', 1_234.567_8, true],
  ['scaled by 1', 1, false],
  ['scaled beyond what a screen can show', 1e200, false],
];

describe('a token that scales its amounts', () => {
  it.each(KINDS)('%s is shown as the token’s own program says', async (_, multiplier, isScaled) => {
    const units = 987_654_321n;
    const { made, token } = await held(scaled(multiplier), units);
    expect(token.uiScale != null).toBe(isScaled);
    expect(token.extensions.scaledAmounts).toBe(true);
    expect(scaleNote(wordsOf('en'), token) !== null).toBe(isScaled);
    if (!isScaled) return;
    const theirs = amountToUiAmountForScaledUiAmountMintWithoutSimulation(units, made.decimals, multiplier);
    expect(Math.abs(Number(typableTokenText(wordsOf('en'), units, token)) - Number(theirs))).toBeLessThan(
      0.000_001_5,
    );
  });

  it('pays interest only on the screen', async () => {
    const { token } = await held(interest(32_767), 1_000_000_000n);
    // It was made seconds ago; half a day later it shows more.
    expect(token.extensions.interestBearing).toBe(true);
    expect(Number(typableTokenText(wordsOf('en'), 1_000_000_000n, token))).toBeGreaterThanOrEqual(1_000);
  });

  it('is typed as it is shown: what a refusal names is accepted, and means at most what is held', async () => {
    const units = 1_500_000_001n;
    const { who, token } = await held(scaled(1.05), units);
    expect(tokenText(wordsOf('en'), units, token)).toBe('1,575.000001');
    const refusal = await withdraw(who, token, '1575.000003').catch((error: unknown) => error);
    if (!(refusal instanceof AppError)) throw new Error('not refused');
    const { text } = parseHtml(errorSentence(refusal, wordsOf('en')).markup);
    const named = /needed, (\S+) there/.exec(text)?.[1];
    expect(named).toBe('1575.000001');
    const quote = await withdraw(who, token, named ?? '');
    expect(quote).toMatchObject({ asset: 'token' });
    const { amount } = quote as { readonly amount: bigint };
    expect(units - amount).toBeGreaterThanOrEqual(0n);
    expect(units - amount).toBeLessThan(2n);
    // As it is read from a record.
    const stored: unknown = JSON.parse(
      JSON.stringify(refusal.details, (_key, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      ),
    );
    expect(parseHtml(refusalSentence(wordsOf('en'), refusal.code, stored).markup).text).toBe(text);
  });

  it('refuses less than one unit of it', async () => {
    const { token } = await held(scaled(1_234.567_8), 1_000n);
    expect(() => readTokenAmount('0.000001', token)).toThrow(/AMOUNT_DUST/);
  });

  it('is marked in the list of a wallet', async () => {
    const { who, token } = await held(scaled(1.05), 100_000_000n);
    const { tokens } = await walletFunds(rig.chain, who);
    const view = tokensView(wordsOf('en'), {
      wallet: who,
      held: tokens.map((holding) => ({ holding, token, microUsd: null })),
      count: 1,
      page: 0,
      pages: 1,
      inDoubt: false,
      stateId: 'A'.repeat(22),
    });
    expect(parseHtml(view.text.markup).text).toContain('105 (× 1.05)');
  });
});

import { ExtensionType } from '@solana/spl-token';
import { parseHtml } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, type Words, wordsOf } from '../../src/compose/texts/words.ts';
import { bps } from '../../src/core/amounts/bps.ts';
import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { createIntent } from '../../src/engine/transactions/use/create-intent.ts';
import { quoteLaunch } from '../../src/modules/launch/use/quote-launch.ts';
import { placeOrders } from '../../src/modules/orders/use/place-orders.ts';
import { quoteTrade } from '../../src/modules/trading/use/quote-trade.ts';
import { prepareWithdrawal } from '../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import type { Chain } from '../../src/platform/ports/chain.ts';
import { errorSentence } from '../../src/platform/telegram/errors.ts';
import { typableSol } from '../../src/platform/telegram/ui/amounts.ts';
import { readAmount } from '../../src/platform/telegram/ui/read-amount.ts';
import { type MoneyRig, startMoneyRig, until } from '../engine/transactions/money-rig.ts';
import { createTraders, type Owned, type Traders } from '../modules/positions/traders.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { buyOf } from '../support/order-acts.ts';
import { orderPlace } from '../support/order-place.ts';
import { createTokenMaker, type MadeToken, type TokenMaker } from '../support/token-maker.ts';

const SOL = 1_000_000_000n;
const SEED = 'largest-amount';
const RUNS = 8;

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

/** What a flow does with a text that is typed at its question. */
type Flow = (typed: string) => Promise<unknown>;

/** How each sentence that names a largest or smallest amount names it, in the languages of the chat. */
const NAMED = [
  /(?:Possible now|Ahora se puede): (\S+)(?: SOL)? (?:or less|o menos)/,
  /(?:Withdraw up to|Retira hasta) (\S+) SOL/,
  /(?:Type|Escribe) (\S+) (?:or less|o menos)/,
  /needed, (\S+) there/,
  /hacen falta \S+, hay (\S+?)\.$/,
  /(?:at least|al menos) (\S+) SOL\.$/,
];

/** The amount that the refusal of a typed text names, exactly as it is read on the screen. */
async function namedBy(flow: Flow, typed: string, words: Words): Promise<string> {
  const refusal = await flow(typed).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refusal instanceof AppError)) throw new Error(`${typed} is not refused: ${String(refusal)}`);
  const { text } = parseHtml(errorSentence(refusal, words).markup);
  const found = NAMED.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  if (found === undefined) throw new Error(`no amount is named: ${text}`);
  return found;
}

async function isAccepted(flow: Flow, tooMuch: string): Promise<void> {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await flow(await namedBy(flow, tooMuch, wordsOf(language)));
  }
}

const buying =
  (wallet: Address, mint: Address): Flow =>
  (typed) => {
    const amount = readAmount(typed, 9);
    if (amount.kind !== 'exact') throw new Error('exact');
    return quoteTrade(rig.trade, {
      side: 'buy',
      wallet,
      mint,
      amount: { lamports: amount.units },
      slippageBps: bps(500),
      tier: 'normal',
    });
  };

const selling =
  (wallet: Address, { mint, decimals }: Pick<MadeToken, 'mint' | 'decimals'>): Flow =>
  (typed) => {
    const amount = readAmount(typed, decimals);
    if (amount.kind !== 'exact') throw new Error('exact');
    return quoteTrade(rig.trade, {
      side: 'sell',
      wallet,
      mint,
      amount: { units: amount.units },
      slippageBps: bps(5_000),
      tier: 'normal',
    });
  };

const withdrawing =
  (from: Owned, token: Pick<MadeToken, 'mint' | 'decimals'> | null, chain: Chain = rig.chain): Flow =>
  (typed) =>
    prepareWithdrawal(
      { db, chain, programs: rig.programs },
      {
        userId: from.userId,
        walletId: from.id,
        destination: friend.address,
        asset: token === null ? { kind: 'sol' } : { kind: 'token', mint: token.mint },
        amount: readAmount(typed, token?.decimals ?? 9),
        tier: 'normal',
      },
    );

const tokenOf = (symbol: string): MadeToken => {
  const { mint, program, decimals } = rig.token(symbol);
  return { mint: mint as Address, program: program as Address, decimals };
};

/** Balances of all sizes: some exact, some with a lamport more than something round. */
const lamportsFrom = (min: bigint, max: bigint) => fc.bigInt({ min, max });

describe('the largest amount that a refusal names is accepted as it is read', () => {
  it('of a purchase, and it lands', async () => {
    const { mint } = tokenOf('PUP');
    await fc.assert(
      fc.asyncProperty(lamportsFrom(10_000_000n, 3n * SOL), async (lamports) => {
        const who = await traders.owned('Buyer', lamports);
        const flow = buying(who.address, mint);
        for (const asked of [lamports, lamports - 1n, lamports + SOL]) {
          await isAccepted(flow, formatUnits(asked, 9));
        }
      }),
      { numRuns: RUNS },
    );
    const who = await traders.owned('Lands', SOL);
    const flow = buying(who.address, mint);
    const { terms, tier } = (await flow(await namedBy(flow, '1', wordsOf('en')))) as Awaited<
      ReturnType<typeof quoteTrade>
    >;
    const { intent } = await createIntent(rig.deps, {
      userId: who.userId,
      walletId: who.id,
      idemKey: 'largest-buy',
      params: { kind: 'buy', mint, tier, terms, lamportsIn: terms.amountIn },
    });
    expect((await rig.settled(intent.id)).status).toBe('SUCCEEDED');
  });

  it('of a withdrawal of SOL, whatever the network fee becomes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        lamportsFrom(3_000_000n, 3n * SOL),
        fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 3 }),
        async (lamports, prices) => {
          const who = await traders.owned('Sender', lamports);
          let calls = 0;
          const chain: Chain = {
            ...rig.chain,
            priorityPrice: async () => prices[calls++ % prices.length] ?? 0n,
          };
          const flow = withdrawing(who, null, chain);
          // More than there is, everything, and what would leave too little behind.
          for (const asked of [lamports + 1_500n * SOL, lamports, lamports - 700_000n]) {
            await isAccepted(flow, formatUnits(asked, 9));
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it.each(['KOI', 'TAX'])(
    'of a sale and a withdrawal of %s, in one account or two',
    async (symbol) => {
      const token = tokenOf(symbol);
      const unit = 10n ** BigInt(token.decimals);
      const parts = symbol === 'TAX' ? [ExtensionType.TransferFeeAmount] : [];
      await fc.assert(
        fc.asyncProperty(
          fc.bigInt({ min: unit, max: 5_000n * unit }),
          fc.option(fc.bigInt({ min: 1n, max: 2_000n * unit })),
          async (own, more) => {
            const who = await traders.owned('Holder', SOL / 10n);
            await maker.give(who.address, token, own);
            if (more !== null) {
              await maker.give(who.address, token, more, await maker.openOther(who.address, token, parts));
            }
            const held = await until(() => traders.heldOf(who, token.mint), 'the tokens');
            const tooMuch = formatUnits(held + own + unit, token.decimals);
            await isAccepted(selling(who.address, token), tooMuch);
            await isAccepted(withdrawing(who, token), tooMuch);
          },
        ),
        { numRuns: RUNS },
      );
    },
    120_000,
  );

  it('of a holding of round thousands, which a comma would make ambiguous', async () => {
    const token = tokenOf('KOI');
    const who = await traders.owned('Round', SOL / 10n);
    await maker.give(who.address, token, 1_500n * 10n ** 9n);
    await until(async () => (await traders.heldOf(who, token.mint)) > 0n, 'the tokens');
    expect(await namedBy(selling(who.address, token), '2000', wordsOf('en'))).toBe('1500');
    await isAccepted(selling(who.address, token), '2000');
    await isAccepted(withdrawing(who, token), '2000');
  });

  it('of the first buy of a launch', async () => {
    await fc.assert(
      fc.asyncProperty(lamportsFrom(40_000_000n, 2n * SOL), async (lamports) => {
        const who = await traders.owned('Creator', lamports);
        const quote = (typed: string) => {
          const amount = readAmount(typed, 9);
          return quoteLaunch(rig.launch, {
            wallet: who.address,
            pad: 'desk',
            symbol: 'BIG',
            firstBuyLamports: amount.kind === 'exact' ? amount.units : 0n,
            slippageBps: 500,
            tier: 'normal',
            metadata: { description: 'x', imageUri: 'https://x.example/p.png' },
          });
        };
        const short = await quote(formatUnits(lamports, 9));
        expect(short.missingLamports).toBeGreaterThan(0n);
        const shown = typableSol(wordsOf('en'), short.mostFirstBuyLamports).replace(' SOL', '');
        expect(await quote(shown)).toMatchObject({ missingLamports: 0n });
        const above = formatUnits(short.mostFirstBuyLamports + 1n, 9);
        expect(await quote(above)).toMatchObject({ missingLamports: 1n });
      }),
      { numRuns: RUNS },
    );
  });

  it('and the smallest amount of an order', async () => {
    const flow: Flow = async (typed) => {
      const place = await orderPlace();
      const amount = readAmount(typed, 9);
      return placeOrders(place.deps, place.draft(buyOf(amount.kind === 'exact' ? amount.units : 0n)));
    };
    await isAccepted(flow, '0.009999999');
  });
});

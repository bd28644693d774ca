import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tradepost/solana';
import { bps } from '../../src/core/amounts/bps.ts';
import type { CreateTokenParams } from '../../src/engine/intents/kinds/create-token/params.ts';
import type { LaunchParams } from '../../src/engine/intents/kinds/launch/params.ts';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import { quoteLaunch } from '../../src/modules/launch/use/quote-launch.ts';
import { quoteCreateToken } from '../../src/modules/mint/use/quote-create-token.ts';
import { DEFAULT_SETTINGS } from '../../src/modules/settings/rules/settings.ts';
import type { User } from '../../src/modules/settings/rules/user.ts';
import { quoteTrade } from '../../src/modules/trading/use/quote-trade.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { TEST_PIN } from '../../test/support/fakes/pins.ts';
import { PASSED } from '../../test/support/passed.ts';
import type { Random } from '../../test/support/simulator/random.ts';
import type { composeProcess } from './compose.ts';
import { createPowers } from './powers.ts';
import type { TortureWorld } from './world.ts';

const SOL = 1_000_000_000n;
const BUY_LAMPORTS = 2_000_000n;
/** Hundreds of strangers trade the same pool: the price the terms were made at is long gone. */
const SLIPPAGE = bps(5_000);

type Process = Awaited<ReturnType<typeof composeProcess>>;
export type Request = { readonly userId: string; readonly walletId: string; readonly params: IntentParams };
export type Person = {
  readonly userId: string;
  readonly wallet: Wallet;
  /** Who has one withdraws; orders at a price that fell would ask for it, too. */
  readonly hasPin: boolean;
};

/** People with funded wallets; all but the first four were invited by one of those. */
export async function settlePeople(
  process: Process,
  world: TortureWorld,
  count: number,
  /** Of the signer's own process each withdrawal needs one: every second person has it, and the last ones. */
  { pins }: { readonly pins: 'none' | { readonly last: number } } = { pins: 'none' },
): Promise<readonly Person[]> {
  const { deps, vault, treasury } = process;
  await airdrop(world, treasury.address, 10n * SOL);
  const people: Person[] = [];
  for (let index = 0; index < count; index += 1) {
    const walletId = deps.ids.ulid();
    const telegramId = BigInt(10_000 + index);
    const inviterId = index < 4 ? null : (people[index % 4]?.userId ?? null);
    const { userId, certificate } = await vault.openPerson({ telegramId, inviterId });
    const person: User = {
      id: userId,
      telegramId,
      firstName: `Person ${index}`,
      telegramLanguage: null,
      settings: DEFAULT_SETTINGS,
      activeWalletId: null,
      inviterId,
      screenMessageId: null,
      blockedAt: null,
      createdAt: deps.clock.now(),
    };
    await deps.db.users.insert(person, certificate);
    const secret = await vault.create({ walletId, userId });
    const wallet = {
      id: walletId,
      userId,
      name: 'Main',
      address: secret.publicKey,
      createdAt: deps.clock.now(),
      deletedAt: null,
      origin: 'made' as const,
      confirmedAt: null,
      payoutFrom: null,
    };
    await deps.db.wallets.insert(PASSED, wallet, secret);
    await deps.db.users.activate(PASSED, userId, walletId);
    const hasPin = pins !== 'none' && (index % 2 === 1 || index >= count - pins.last);
    if (hasPin) await givePin(process, userId);
    await airdrop(world, wallet.address, 20n * SOL);
    people.push({ userId, wallet, hasPin });
  }
  return people;
}

/** As the signer hashes it, set long ago. */
async function givePin({ deps, vault }: Process, userId: string): Promise<void> {
  const draft = await vault.draft({ userId, text: TEST_PIN });
  const pinHash = await vault.pinOfDraft({ userId, draft, pin: TEST_PIN });
  await deps.db.transact(async ({ guards }) =>
    guards.save({ ...(await guards.lock(userId)), pinHash, pinSetAt: 0 }, PASSED),
  );
}

export async function airdrop(
  world: Pick<TortureWorld, 'chain'>,
  to: Address,
  lamports: bigint,
): Promise<void> {
  const response = await fetch(world.chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [to, Number(lamports)] }),
  });
  const { error } = (await response.json()) as { readonly error?: { readonly message: string } };
  if (error !== undefined) throw new Error(`the faucet refused: ${error.message}`);
}

/** Makes requests of every kind a person can have; payouts follow by themselves. */
export async function createRequests(
  process: Process,
  world: TortureWorld,
  people: readonly Person[],
  random: Random,
) {
  // Most of it lies in pools with SOL: of another token no exit on a fall of liquidity can be placed.
  const token = world.chain.world.tokens.find((one) => one.symbol === 'PUP');
  const [first, , , recipient] = people;
  if (token === undefined || first === undefined || recipient === undefined)
    throw new Error('nobody to trade');
  const tier = 'economy';
  while ((await process.deps.chain.balance(people.at(-1)?.wallet.address ?? first.wallet.address)) === 0n)
    await pause(50);
  const quote = async (side: 'buy' | 'sell', amount: bigint) => {
    const common = { wallet: first.wallet.address, mint: token.mint, slippageBps: SLIPPAGE, tier } as const;
    return side === 'buy'
      ? quoteTrade(process.trade, { ...common, side, amount: { lamports: amount } })
      : quoteTrade(process.trade, { ...common, side, amount: { units: amount } });
  };
  const buy = (await quote('buy', BUY_LAMPORTS)).terms;
  const stockUp = (await quote('buy', SOL)).terms;
  const buying = (terms: typeof buy): IntentParams => ({
    kind: 'buy',
    mint: token.mint,
    lamportsIn: terms.amountIn,
    terms,
    tier,
  });
  const created = await quoteCreateToken(process.mint, {
    wallet: first.wallet.address,
    tier,
    draft: {
      symbol: 'RACK',
      program: 'token2022',
      freezeAuthority: true,
      metadataUri: 'https://x.example/rack.json',
    },
  });
  const launched = await quoteLaunch(process.launch, {
    wallet: first.wallet.address,
    pad: 'desk',
    symbol: 'PYRE',
    metadataUri: 'https://x.example/pyre.json',
    firstBuyLamports: BUY_LAMPORTS,
    slippageBps: 100,
    tier,
  });
  const making = <P extends CreateTokenParams | LaunchParams>({ wallet }: Person, params: P): P => ({
    ...params,
    spec: { ...params.spec, mintTo: wallet.address },
  });
  const powers = createPowers(world);
  let sell: typeof buy | null = null;
  const of = ({ userId, wallet }: Person, params: IntentParams): Request => ({
    userId,
    walletId: wallet.id,
    params,
  });
  const pinned = people.slice(4).filter(({ hasPin }) => hasPin);
  /** The person, or where PINs are asked for one who has one. */
  const payerFor = (person: Person): Person =>
    person.hasPin ? person : (pinned[people.indexOf(person) % pinned.length] ?? person);
  return {
    /** Everyone's first need: tokens to sell and to send. */
    stock: people.map((person) => of(person, buying(stockUp))),
    /** Call when the stock has arrived. */
    async open(): Promise<void> {
      sell = (await quote('sell', buy.quotedOut)).terms;
    },
    async next(): Promise<Request> {
      const person = random.pick(people.slice(4));
      switch (random.between(0, 6)) {
        case 0:
          return of(payerFor(person), {
            kind: 'withdraw-sol',
            destination: recipient.wallet.address,
            lamports: 1_000_000n,
            everything: false,
            tier,
          });
        case 1:
          return of(payerFor(person), {
            kind: 'withdraw-token',
            mint: token.mint,
            tokenProgram: token.program,
            decimals: token.decimals,
            destination: recipient.wallet.address,
            amount: buy.quotedOut / 10n,
            tier,
          });
        case 2:
          return of(person, buying(buy));
        case 3:
          return of(person, making(person, created.params));
        case 4:
          return of(person, making(person, launched.params));
        case 5:
          return (await powers.next()) ?? of(person, making(person, created.params));
        default:
          if (sell === null) throw new Error('there is nothing to sell yet');
          return of(person, { kind: 'sell', mint: token.mint, amountIn: sell.amountIn, terms: sell, tier });
      }
    },
  };
}

export type Requests = Awaited<ReturnType<typeof createRequests>>;

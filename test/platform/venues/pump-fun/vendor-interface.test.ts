import { readFileSync } from 'node:fs';
import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  type Instruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { associatedTokenAddress } from '@tradepost/venues';
import { expect, it } from 'vitest';
import { pumpFun } from '../../../../packages/venues/src/pump-fun/index.ts';
import {
  CURVE_AT,
  creatorVaultAddress,
  curveAddress,
  curveV2Address,
  PUMP_EVENT_AUTHORITY,
  PUMP_GLOBAL,
  PUMP_GLOBAL_VOLUME,
  PUMP_PROGRAM,
  sharingConfigAddress,
  userVolumeAddress,
} from '../../../../packages/venues/src/pump-fun/layout.ts';
import { u64 } from '../../../../packages/venues/src/shared/instruction-data.ts';
import { PUMP_FEES_PROGRAM, pumpFeeConfigAddress } from '../../../../packages/venues/src/shared/pump-fees.ts';
import {
  BUYBACK_RECIPIENT,
  buildCurve,
  COIN,
  CREATOR,
  type CurveFixture,
  DOLLARS,
  FEE_RECIPIENT,
  MAYHEM_RECIPIENT,
} from '../../../../packages/venues/test/pump-fun/build.ts';
import { buildMint, poolOf, testAddress } from '../../../../packages/venues/test/shared/build.ts';
import { address } from '../../../../src/core/address/address.ts';
import { readSwapCall } from '../../../../src/engine/signing/rules/swap-forms.ts';

type VendorForm = {
  readonly discriminator: readonly number[];
  readonly args: Readonly<Record<string, 'u64' | 'OptionBool'>>;
  /** `name`, `name writable` or `name writable signer`. */
  readonly accounts: readonly string[];
};

/** The vendor's own description of its swaps: names, order and flags of accounts, and the arguments. */
const VENDOR = (
  JSON.parse(readFileSync(new URL('vendor-interface.json', import.meta.url), 'utf8')) as {
    readonly instructions: Readonly<Record<string, VendorForm>>;
  }
).instructions;
const BYTES = { u64: 8, OptionBool: 1 } as const;
const [TRADER, AMOUNT, LEAST] = [testAddress(90), 7_000n, 5_000n];

const TOKEN_2022_COIN = buildMint(COIN, { tokenProgram: TOKEN_2022_PROGRAM });
const PLAIN = ['buy_exact_sol_in', 'sell'] as const;
const SECOND = ['buy_exact_quote_in_v2', 'sell_v2'] as const;
const KINDS: readonly (readonly [string, CurveFixture, readonly [string, string]])[] = [
  ['a plain coin', {}, PLAIN],
  ['a plain coin under Token-2022', { coin: TOKEN_2022_COIN }, PLAIN],
  ['a mayhem coin', { flagAt: CURVE_AT.isMayhem }, SECOND],
  ['a cashback coin', { flagAt: CURVE_AT.isCashback }, SECOND],
  ['a holder-reward coin', { flagAt: CURVE_AT.isHolderReward, length: 151 }, SECOND],
  ['a dollar coin', { quote: DOLLARS }, SECOND],
  [
    'a dollar coin under Token-2022 with cashback',
    { quote: DOLLARS, coin: TOKEN_2022_COIN, flagAt: CURVE_AT.isCashback },
    SECOND,
  ],
  ['a coin quoted in another token', { quote: buildMint(testAddress(33)) }, SECOND],
];

/** Each account of the vendor's lists by its name there. */
function named(input: CurveFixture): Readonly<Record<string, Address>> {
  const [coin, quote] = buildCurve(input).mints;
  const curve = curveAddress(COIN);
  const recipient = input.flagAt === CURVE_AT.isMayhem ? MAYHEM_RECIPIENT : FEE_RECIPIENT;
  const [vault, volume] = [creatorVaultAddress(CREATOR), userVolumeAddress(TRADER)];
  const coinsOf = (owner: Address) => associatedTokenAddress(owner, COIN, coin.tokenProgram);
  const quoteOf = (owner: Address) => associatedTokenAddress(owner, quote.mint, quote.tokenProgram);
  return {
    global: PUMP_GLOBAL,
    mint: COIN,
    base_mint: COIN,
    quote_mint: quote.mint,
    token_program: coin.tokenProgram,
    base_token_program: coin.tokenProgram,
    quote_token_program: quote.tokenProgram,
    associated_token_program: ASSOCIATED_TOKEN_PROGRAM,
    fee_recipient: recipient,
    associated_quote_fee_recipient: quoteOf(recipient),
    buyback_fee_recipient: BUYBACK_RECIPIENT,
    associated_quote_buyback_fee_recipient: quoteOf(BUYBACK_RECIPIENT),
    bonding_curve: curve,
    associated_bonding_curve: coinsOf(curve),
    associated_base_bonding_curve: coinsOf(curve),
    associated_quote_bonding_curve: quoteOf(curve),
    user: TRADER,
    associated_user: coinsOf(TRADER),
    associated_base_user: coinsOf(TRADER),
    associated_quote_user: quoteOf(TRADER),
    creator_vault: vault,
    associated_creator_vault: quoteOf(vault),
    sharing_config: sharingConfigAddress(COIN),
    global_volume_accumulator: PUMP_GLOBAL_VOLUME,
    user_volume_accumulator: volume,
    associated_user_volume_accumulator: quoteOf(volume),
    fee_config: pumpFeeConfigAddress(PUMP_PROGRAM),
    fee_program: PUMP_FEES_PROGRAM,
    system_program: SYSTEM_PROGRAM,
    event_authority: PUMP_EVENT_AUTHORITY,
    program: PUMP_PROGRAM,
  };
}

function form(name: string): VendorForm {
  const found = VENDOR[name];
  if (found === undefined) throw new Error(`the vendor has no ${name}`);
  return found;
}

/** The accounts as the vendor writes them, each with its address. */
const metasOf = (name: string, input: CurveFixture): readonly string[] => {
  const places = named(input);
  return form(name).accounts.map((account) => {
    const [of = '', ...flags] = account.split(' ');
    return [places[of] ?? `no ${of}`, ...flags].join(' ');
  });
};

const written = ({ accounts }: Instruction): readonly string[] =>
  accounts.map((meta) =>
    [meta.address, ...(meta.writable ? ['writable'] : []), ...(meta.signer ? ['signer'] : [])].join(' '),
  );

/** The last instruction of a purchase or a sale of the kind, over the trader's associated accounts. */
function built(input: CurveFixture, side: 'buy' | 'sell'): Instruction {
  const fixture = buildCurve(input);
  const [coin, quote] = fixture.mints;
  const coins = associatedTokenAddress(TRADER, COIN, coin.tokenProgram);
  const quotes = associatedTokenAddress(TRADER, quote.mint, quote.tokenProgram);
  const [mintIn, source, destination] = side === 'buy' ? [quote.mint, quotes, coins] : [COIN, coins, quotes];
  const swap = poolOf(pumpFun, fixture).swap({
    owner: TRADER,
    mintIn,
    source,
    destination,
    amountIn: AMOUNT,
    amountOut: LEAST,
    minOut: LEAST,
    tokenAccountRent: 2_039_280n,
  });
  const last = swap.at(-1);
  if (last === undefined) throw new Error('nothing was built');
  return last;
}

const sides = KINDS.flatMap(([title, input, [buy, sell]]) => [
  [title, 'buy', buy, input] as const,
  [title, 'sell', sell, input] as const,
]);

it.each(sides)('%s, %s: the vendor’s %s, byte for byte and account for account', (_, side, name, input) => {
  const { discriminator, args } = form(name);
  const instruction = built(input, side);
  const bytes = [
    ...discriminator,
    ...u64(AMOUNT),
    ...u64(LEAST),
    ...(args['track_volume'] === undefined ? [] : [1]),
  ];
  expect([...instruction.data]).toEqual(bytes);
  const size = Object.values(args).reduce((sum, type) => sum + BYTES[type], discriminator.length);
  expect(instruction.data).toHaveLength(size);
  const accounts = metasOf(name, input);
  expect(written(instruction).slice(0, accounts.length)).toEqual(accounts);
  // The first form has two accounts more than its description: the program reads them from behind it.
  const behind = name.endsWith('_v2') ? [] : [curveV2Address(COIN), `${BUYBACK_RECIPIENT} writable`];
  expect(written(instruction).slice(accounts.length)).toEqual(behind);
});

it.each(sides)(
  '%s, %s: the signer reads in %s whose it is, from where to where, how much and at least what',
  (_, side, _name, input) => {
    const places = named(input);
    const isSol = input.quote === undefined;
    const coins = places['associated_base_user'];
    const money = isSol ? 'lamports' : places['associated_quote_user'];
    expect(readSwapCall(built(input, side))).toMatchObject({
      owner: TRADER,
      source: side === 'buy' ? money : coins,
      destination: side === 'buy' ? coins : money,
      amountIn: AMOUNT,
      minOut: LEAST,
    });
  },
);

it.each(['buy', 'buy_v2'])(
  'the signer knows no %s: its first number is an output, and its second only a bound',
  (name) => {
    const { discriminator, args } = form(name);
    const exactIn = built(name === 'buy' ? {} : { quote: DOLLARS }, 'buy');
    const more = args['track_volume'] === undefined ? [] : [1];
    const data = Uint8Array.from([...discriminator, ...u64(LEAST), ...u64(AMOUNT), ...more]);
    expect(data).toHaveLength(exactIn.data.length);
    expect(readSwapCall(exactIn)).not.toBeNull();
    expect(readSwapCall({ ...exactIn, data })).toBeNull();
  },
);

it('an account of wrapped SOL is named by a purchase with SOL, and no token of it moves', () => {
  const call = readSwapCall(built({ flagAt: CURVE_AT.isCashback }, 'buy'));
  expect(call).toMatchObject({
    source: 'lamports',
    idle: associatedTokenAddress(TRADER, WSOL_MINT, TOKEN_PROGRAM),
  });
  expect(address(PUMP_PROGRAM)).toBe('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P');
});

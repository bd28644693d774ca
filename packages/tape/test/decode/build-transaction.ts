import { type Address, addressBytes, addressFromBytes, TOKEN_PROGRAM } from '@tradepost/solana';
import type { DecodableMarket } from '../../src/decode/decode-trades.ts';
import type { TapeInstruction, TapeTransaction, TokenChange } from '../../src/transaction.ts';

/** An address that is the same for the same name, and nobody's. */
export function named(name: string): Address {
  const bytes = new Uint8Array(32).fill(7);
  bytes.set(new TextEncoder().encode(name).subarray(0, 31));
  return addressFromBytes(bytes);
}

export const PROGRAM = named('program');
export const TRADER = named('trader');
export const BASE = named('base mint');
export const QUOTE = named('quote mint');

export function buildMarket(overrides: Partial<DecodableMarket> = {}): DecodableMarket {
  return {
    id: 1,
    address: named('pool'),
    programId: PROGRAM,
    kind: 'tokens',
    baseVault: named('base vault'),
    quoteVault: named('quote vault'),
    baseMint: BASE,
    quoteMint: QUOTE,
    transferFees: { base: null, quote: null },
    ...overrides,
  };
}

export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

export const bytes = (...parts: readonly (number | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part])));

/** A plain `Transfer` of the token program. */
export function transfer(from: Address, to: Address, amount: bigint, height = 2): TapeInstruction {
  return { program: TOKEN_PROGRAM, accounts: [from, to, TRADER], data: bytes(3, u64(amount)), height };
}

/** `TransferChecked`: what arrives may be less. */
export function checked(from: Address, to: Address, amount: bigint, height = 2): TapeInstruction {
  return {
    program: TOKEN_PROGRAM,
    accounts: [from, BASE, to, TRADER],
    data: bytes(12, u64(amount), 6),
    height,
  };
}

export function call(market: DecodableMarket, height = 1, program = market.programId): TapeInstruction {
  return { program, accounts: [TRADER, market.address], data: bytes(9, 9), height };
}

export const WALLET_BASE = named('wallet base');
export const WALLET_QUOTE = named('wallet quote');

/** The base bought for the quote, as the two transfers of a swap. */
export const buy = (market: DecodableMarket, quote: bigint, base: bigint): readonly TapeInstruction[] => [
  transfer(WALLET_QUOTE, market.quoteVault, quote),
  transfer(market.baseVault, WALLET_BASE, base),
];
export const sell = (market: DecodableMarket, base: bigint, quote: bigint): readonly TapeInstruction[] => [
  transfer(WALLET_BASE, market.baseVault, base),
  transfer(market.quoteVault, WALLET_QUOTE, quote),
];

/** A transaction whose vaults changed by so much, from a million each. */
export function buildTransaction(
  instructions: readonly TapeInstruction[],
  changes: readonly (readonly [DecodableMarket, { readonly base: bigint; readonly quote: bigint }])[],
  overrides: Partial<TapeTransaction> = {},
): TapeTransaction {
  const HELD = 1_000_000_000n;
  const tokens: TokenChange[] = changes.flatMap(([market, { base, quote }]) => [
    {
      account: market.baseVault,
      owner: market.address,
      mint: market.baseMint,
      before: HELD,
      after: HELD + base,
    },
    ...(market.kind === 'lamports'
      ? []
      : [
          {
            account: market.quoteVault,
            owner: market.address,
            mint: market.quoteMint,
            before: HELD,
            after: HELD + quote,
          },
        ]),
  ]);
  const lamports = changes.flatMap(([market, { quote }]) =>
    market.kind === 'lamports' ? [{ account: market.quoteVault, before: HELD, after: HELD + quote }] : [],
  );
  return {
    signature: 'sig',
    slot: 5_000n,
    index: 3,
    at: 1_700_000_000,
    failed: false,
    signers: [TRADER],
    feeLamports: 5_000n,
    instructions,
    lamports,
    tokens,
    logs: [],
    ...overrides,
  };
}

export const addressData = (address: Address): Uint8Array => addressBytes(address);

import {
  type Address,
  type ChainAccount,
  MINT_BYTES,
  NO_TOKEN_POWERS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  type TokenExtensions,
  type TransferFeeRate,
} from '@tradepost/solana';
import type { Token } from '../../modules/tokens/rules/token.ts';
import {
  interestMultiplier,
  scaledMultiplier,
  scaleOf,
  type UiScale,
} from '../../modules/tokens/rules/ui-scale.ts';
import { type ByteReader, byteReader, decodeOrNull } from './byte-reader.ts';
import { decodeText } from './text-layout.ts';

/** Token-2022 pads a mint to a token account's length, so that one byte behind it can tell the two apart. */
const ACCOUNT_TYPE_AT = 165;
const ACCOUNT_TYPE_MINT = 1;
/** A multisig may hold any bytes its maker likes, a mint's look included; the program tells it by this length alone. */
const MULTISIG_BYTES = 355;

/** Extension type ids. Source of truth: spl-token-2022 `ExtensionType`. */
export const EXTENSION = {
  transferFeeConfig: 1,
  mintCloseAuthority: 3,
  confidentialTransferMint: 4,
  defaultAccountState: 6,
  nonTransferable: 9,
  interestBearing: 10,
  permanentDelegate: 12,
  transferHook: 14,
  metadataPointer: 18,
  tokenMetadata: 19,
  scaledUiAmount: 25,
  pausable: 26,
} as const;

const FROZEN = 2;

/** A mint as its account says, and where its metadata is. `name` and `symbol` are those kept inside the mint itself. */
export type DecodedMint = Omit<Token, 'mint'> & { readonly metadataAddress: Address | null };

/** The powers of a mint without extensions. */
export { NO_TOKEN_POWERS as NO_EXTENSIONS };

/**
 * Reads a mint of either token program; null for anything else, uninitialised mints, token accounts and torn data
 * included. `now` (seconds of Unix time) is when a scale of its amounts counts; without it there is none.
 * Source of truth: spl-token `Mint::unpack`, spl-token-2022 `StateWithExtensions`.
 */
export function decodeMint(
  mint: Address,
  account: ChainAccount,
  now: number | null = null,
): DecodedMint | null {
  const is2022 = account.owner === TOKEN_2022_PROGRAM;
  if (!is2022 && account.owner !== TOKEN_PROGRAM) return null;
  const { data } = account;
  const extended = is2022 && data.length > ACCOUNT_TYPE_AT;
  if (!extended && data.length !== MINT_BYTES) return null;
  if (data.length === MULTISIG_BYTES) return null;
  if (extended && data[ACCOUNT_TYPE_AT] !== ACCOUNT_TYPE_MINT) return null;
  return decodeOrNull(() => {
    const reader = byteReader(data, 0, MINT_BYTES);
    const mintAuthority = optionKey(reader);
    const supply = reader.u64();
    const decimals = reader.u8();
    const initialised = reader.u8() === 1;
    const freezeAuthority = optionKey(reader);
    if (!initialised) return null;
    const base = { tokenProgram: account.owner, decimals, supply, mintAuthority, freezeAuthority };
    return extended
      ? { ...base, ...readExtensions(mint, byteReader(data, ACCOUNT_TYPE_AT + 1), now) }
      : { ...base, symbol: null, name: null, metadataAddress: null, extensions: NO_TOKEN_POWERS };
  });
}

/** The extensions behind a Token-2022 mint; none for a plain one. Throws inside `decodeOrNull` only. */
export function mintExtensions(account: ChainAccount): readonly Extension[] {
  if (account.owner !== TOKEN_2022_PROGRAM || account.data.length <= ACCOUNT_TYPE_AT) return [];
  return [...extensionEntries(byteReader(account.data, ACCOUNT_TYPE_AT + 1))];
}

type Extension = { readonly type: number; readonly body: ByteReader };

/** Type, length, value, until the free space behind them. */
function* extensionEntries(reader: ByteReader): Generator<Extension> {
  while (reader.remaining() >= 4) {
    const type = reader.u16();
    const length = reader.u16();
    // Zero is "uninitialised": the rest of the account is free space.
    if (type === 0) return;
    yield { type, body: byteReader(reader.bytes(length)) };
  }
}

/** `COption<Pubkey>`: a four-byte tag, then the key. */
function optionKey(reader: ByteReader): Address | null {
  const present = reader.u32() === 1;
  const key = reader.address();
  return present ? key : null;
}

function readExtensions(
  mint: Address,
  reader: ByteReader,
  now: number | null,
): Pick<DecodedMint, 'extensions' | 'symbol' | 'name' | 'updateAuthority' | 'metadataAddress' | 'uiScale'> {
  let extensions = NO_TOKEN_POWERS;
  let metadataAddress: Address | null = null;
  let text: OwnMetadata | null = null;
  let uiScale: UiScale | null = null;
  for (const { type, body } of extensionEntries(reader)) {
    switch (type) {
      case EXTENSION.transferFeeConfig:
        extensions = { ...extensions, transferFee: readTransferFee(body) };
        break;
      case EXTENSION.mintCloseAuthority:
        extensions = { ...extensions, mintCloseAuthority: body.optionalAddress() };
        break;
      case EXTENSION.confidentialTransferMint:
        extensions = { ...extensions, confidentialTransfer: true };
        break;
      case EXTENSION.defaultAccountState:
        extensions = { ...extensions, defaultFrozen: body.u8() === FROZEN };
        break;
      case EXTENSION.nonTransferable:
        extensions = { ...extensions, nonTransferable: true };
        break;
      case EXTENSION.interestBearing:
        extensions = { ...extensions, interestBearing: true };
        if (now !== null) uiScale = scaleOf(readInterest(body, now));
        break;
      case EXTENSION.scaledUiAmount:
        extensions = { ...extensions, scaledAmounts: true };
        if (now !== null) uiScale = scaleOf(readMultiplier(body, now));
        break;
      case EXTENSION.permanentDelegate:
        extensions = { ...extensions, permanentDelegate: body.optionalAddress() };
        break;
      case EXTENSION.transferHook:
        body.skip(32);
        extensions = { ...extensions, transferHook: body.optionalAddress() };
        break;
      case EXTENSION.metadataPointer:
        body.skip(32);
        metadataAddress = body.optionalAddress();
        break;
      case EXTENSION.tokenMetadata:
        text = decodeOrNull(() => readTokenMetadata(mint, body));
        break;
      case EXTENSION.pausable:
        extensions = { ...extensions, pausable: true, ...readPause(body) };
        break;
      default:
        break;
    }
  }
  // A name inside the mint counts only when the mint points at itself; otherwise it is a stranger's leftover.
  const own = metadataAddress === mint ? text : null;
  const scaled = uiScale === null ? {} : { uiScale };
  return { extensions, metadataAddress, ...scaled, ...(own ?? { symbol: null, name: null }) };
}

function readInterest(body: ByteReader, now: number): number {
  body.skip(32);
  const [startedAt, averageBps, changedAt, bps] = [body.i64(), body.i16(), body.i64(), body.i16()];
  return interestMultiplier({ startedAt, averageBps, changedAt, bps }, now);
}

function readMultiplier(body: ByteReader, now: number): number {
  body.skip(32);
  const [multiplier, newerAt, newer] = [body.f64(), body.i64(), body.f64()];
  return scaledMultiplier({ multiplier, newer, newerAt }, now);
}

/** The authority, then whether it has paused. Source of truth: spl-token-2022 `PausableConfig`. */
function readPause(body: ByteReader): Pick<TokenExtensions, 'paused'> {
  body.skip(32);
  return body.u8() === 1 ? { paused: true } : {};
}

function readTransferFee(body: ByteReader): NonNullable<TokenExtensions['transferFee']> {
  const authority = body.optionalAddress();
  body.skip(32 + 8);
  const older = readRate(body);
  const newer = readRate(body);
  return { authority, older: older.rate, newer: newer.rate, newerEpoch: newer.epoch };
}

function readRate(body: ByteReader): { readonly epoch: bigint; readonly rate: TransferFeeRate } {
  const epoch = body.u64();
  const maximum = body.u64();
  return { epoch, rate: { bps: body.u16(), maximum } };
}

type OwnMetadata = {
  readonly name: string;
  readonly symbol: string;
  readonly updateAuthority: Address | null;
};

/** Update authority, mint, name, symbol, uri, pairs. Source of truth: spl-token-metadata-interface `TokenMetadata`. */
function readTokenMetadata(mint: Address, body: ByteReader): OwnMetadata | null {
  const updateAuthority = body.optionalAddress();
  if (body.address() !== mint) return null;
  return {
    name: decodeText(body.bytes(body.u32())),
    symbol: decodeText(body.bytes(body.u32())),
    updateAuthority,
  };
}

import {
  type Address,
  addressFromBytes,
  type Instruction,
  METADATA_PROGRAM,
  NO_SPEC_EXTENSIONS,
  type SpecExtensions,
  SYSTEM_PROGRAM,
  shortAddress,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import type { CreateTokenParams } from '../../../engine/intents/kinds/create-token/params.ts';
import type { LaunchParams } from '../../../engine/intents/kinds/launch/params.ts';
import { isDeskLaunch } from '../../../engine/intents/kinds/launch/policy.ts';
import type { RevokeAuthorityParams } from '../../../engine/intents/kinds/revoke-authority/params.ts';
import { decodeInstruction, type WalletAction } from '../../../engine/signing/rules/decode-instruction.ts';
import { expectedCreation, sameInstructions } from '../../../engine/signing/rules/token-rules.ts';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import { NATIVE_METADATA, SEAL_NATIVE_METADATA } from './instructions/metadata.ts';
import { REVOCABLE_AUTHORITIES, revokeInstruction } from './instructions/revoke-authority.ts';
import type { TokenSpec } from './token-spec.ts';

export type MintRequest = CreateTokenParams | RevokeAuthorityParams | LaunchParams;

type Parties = { readonly wallet: Address; readonly treasury: Address; readonly signers: readonly Address[] };

/** The one launchpad whose launches are made of the common programs' instructions, see `isDeskLaunch`. */
const DESK = 'desk';
/** As they are in a mint or in a Metaplex record. */
type Texts = { readonly name: string; readonly symbol: string; readonly uri: string };

/**
 * The creation, launch or revocation of a landed transaction of ours, read back from its instructions (budget and memo left out). The
 * result is believed only when the signing policy, given it as an intent's row, rebuilds exactly these instructions. Null for anything
 * else, a launch at a pad's own program included. Facts that are not in the bytes are left empty: the hash of a stored document, and names
 * of a token that has none on the chain. A Metaplex record's own mint is `mintOfRecord`.
 */
export function recoveredMintRequest(
  own: readonly Instruction[],
  landed: LandedTransaction,
  parties: Parties,
  mintOfRecord: Address | null,
): MintRequest | null {
  return parties.signers.length === 1
    ? revocation(own, parties.wallet, mintOfRecord)
    : creation(own, landed, parties);
}

function revocation(
  own: readonly Instruction[],
  wallet: Address,
  mintOfRecord: Address | null,
): RevokeAuthorityParams | null {
  const [only] = own;
  const first = only?.accounts[0]?.address;
  if (only === undefined || first === undefined) return null;
  const isRecord = only.programId === METADATA_PROGRAM;
  const mint = isRecord ? mintOfRecord : first;
  if (mint === null) return null;
  const tokenProgram = isRecord ? TOKEN_PROGRAM : only.programId;
  const requests = REVOCABLE_AUTHORITIES.map(
    (authority): RevokeAuthorityParams => ({
      kind: 'revoke-authority',
      mint,
      tokenProgram,
      authority,
      record: isRecord ? first : null,
      tier: 'normal',
    }),
  );
  return (
    requests.find((request) => sameInstructions(own, [revokeInstruction({ ...request, holder: wallet })])) ??
    null
  );
}

function creation(
  own: readonly Instruction[],
  landed: LandedTransaction,
  parties: Parties,
): CreateTokenParams | LaunchParams | null {
  const mint = parties.signers[1];
  if (mint === undefined) return null;
  const made = readMint(own, mint);
  if (made === null) return null;
  const actions = own.map(decodeInstruction);
  const paid = (to: (address: Address) => boolean): bigint =>
    actions.reduce(
      (sum, action) => (action.kind === 'transfer-sol' && to(action.to) ? sum + action.lamports : sum),
      0n,
    );
  const rentOf = (account: Address | undefined): bigint =>
    landed.balances.find((balance) => balance.address === account && balance.before === 0n)?.after ?? 0n;
  const { spec, way, uri, mintRentLamports, holding, record } = made;
  const common = { spec, uri, metadataHash: null, feeLamports: paid((to) => to === parties.treasury) };
  const token: CreateTokenParams = {
    kind: 'create-token',
    ...common,
    way,
    recordLamports: rentOf(record),
    mintRentLamports,
    holdingRentLamports: rentOf(holding),
    tier: 'normal',
  };
  const expected = expectedCreation(own, token, parties);
  if (expected !== null && sameInstructions(own, expected)) return token;
  const bought = boughtAtDesk(actions, spec);
  const lamports = paid((to) => to !== parties.treasury);
  const wallet = landed.balances.find(({ address }) => address === parties.wallet);
  const spent = wallet === undefined ? 0n : wallet.before - wallet.after;
  const launch: LaunchParams = {
    kind: 'launch',
    pad: DESK,
    program: null,
    config: null,
    ...common,
    firstBuy: lamports === 0n ? null : { lamports, quotedTokens: bought, minTokens: bought, slippageBps: 0 },
    costLamports: spent - landed.feeLamports - common.feeLamports - lamports,
    tier: 'normal',
  };
  return isDeskLaunch(own, launch, parties) ? launch : null;
}

/** The units that the creator kept when the supply went into the curve. */
function boughtAtDesk(actions: readonly WalletAction[], { supply }: TokenSpec): bigint {
  const moved = actions.find((action) => action.kind === 'transfer-token');
  return moved?.kind === 'transfer-token' ? supply - moved.amount : 0n;
}

/** The token that these instructions make, as far as they say; a lie in it is found when they are built again. */
function readMint(own: readonly Instruction[], mint: Address) {
  const account = own.find(({ programId, data }) => programId === SYSTEM_PROGRAM && data.length === 52);
  const owner = account === undefined ? null : addressFromBytes(account.data.subarray(20, 52));
  if (account === undefined || (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM)) return null;
  const ofMint = own.filter(({ programId }) => programId === owner);
  const tagged = (tag: number, next?: number): Uint8Array | null =>
    ofMint.find(({ data }) => data[0] === tag && (next === undefined || data[1] === next))?.data ?? null;
  const initialized = tagged(20);
  const supply = tagged(7);
  const opened = own.map(decodeInstruction).find((action) => action.kind === 'create-associated');
  if (initialized === null || supply?.length !== 9 || opened?.kind !== 'create-associated') return null;

  const native = ofMint.find(({ data }) => startsWith(data, NATIVE_METADATA));
  const metaplex = own.find(({ programId }) => programId === METADATA_PROGRAM);
  const texts = native !== undefined ? readTexts(native.data, 8) : metaplex && readTexts(metaplex.data, 1);
  if (texts === null) return null;
  const way = native !== undefined ? 'native' : metaplex !== undefined ? 'metaplex' : 'none';
  const isFinal =
    way === 'native'
      ? ofMint.some(({ data }) => startsWith(data, SEAL_NATIVE_METADATA))
      : way === 'metaplex' && metaplex?.data.at(-2) === 0;
  const short = shortAddress(mint);
  const spec: TokenSpec = {
    program: owner === TOKEN_PROGRAM ? 'token' : 'token2022',
    name: texts?.name ?? short,
    symbol: texts?.symbol ?? short,
    decimals: initialized[1] ?? 0,
    supply: u64(supply, 1),
    mintTo: opened.owner,
    mintAuthority: tagged(6, 0) === null,
    freezeAuthority: initialized[34] === 1,
    updateAuthority: !isFinal,
    extensions: readExtensions(tagged),
  };
  return {
    spec,
    way,
    uri: texts?.uri ?? '',
    mintRentLamports: u64(account.data, 4),
    holding: opened.account,
    record: metaplex?.accounts[0]?.address,
  } as const;
}

/** Source of truth for tags and layouts: `initializeExtensions`. Bytes that are cut short leave the extension out. */
function readExtensions(tagged: (tag: number, next?: number) => Uint8Array | null): SpecExtensions {
  const fee = tagged(26, 0);
  const close = tagged(25, 1);
  const state = tagged(28, 0);
  const interest = tagged(33, 0);
  const delegate = tagged(35);
  return {
    ...NO_SPEC_EXTENSIONS,
    transferFee:
      fee?.length === 78
        ? {
            configAuthority: addressFromBytes(fee.subarray(3, 35)),
            withdrawalAuthority: addressFromBytes(fee.subarray(36, 68)),
            bps: view(fee).getUint16(68, true),
            maximum: u64(fee, 70),
          }
        : null,
    mintCloseAuthority: close?.length === 34 ? addressFromBytes(close.subarray(2)) : null,
    defaultAccountState: state === null ? null : state[2] === 2 ? 'frozen' : 'initialized',
    nonTransferable: tagged(32) !== null,
    interest:
      interest?.length === 36
        ? { authority: addressFromBytes(interest.subarray(2, 34)), bps: view(interest).getInt16(34, true) }
        : null,
    permanentDelegate: delegate?.length === 33 ? addressFromBytes(delegate.subarray(1)) : null,
  };
}

/** Name, symbol and URI, each with its length in four bytes before it; null when they end too early. */
function readTexts(data: Uint8Array, from: number): Texts | null {
  let at = from;
  const next = (): string | null => {
    if (at + 4 > data.length) return null;
    const length = view(data).getUint32(at, true);
    at += 4 + length;
    return at > data.length ? null : new TextDecoder().decode(data.subarray(at - length, at));
  };
  const [name, symbol, uri] = [next(), next(), next()];
  return name == null || symbol == null || uri == null ? null : { name, symbol, uri };
}

function startsWith(data: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => data[index] === byte);
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function u64(data: Uint8Array, at: number): bigint {
  return view(data).getBigUint64(at, true);
}

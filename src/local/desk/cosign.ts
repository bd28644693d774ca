import {
  type ChainKey,
  decodeMessage,
  isTokenProgram,
  type LocalChain,
  readTokenAccount,
  readTransferFee,
  resolveKeys,
  viewOf,
  WireError,
  type WireInstruction,
  type WireMessage,
} from '@tradepost/local-chain';
import { type Address, toBase58 } from '@tradepost/solana';
import { DeskError } from './desk-error.ts';
import type { DeskPool } from './pool.ts';
import { deskQuote } from './quote.ts';

const TRANSFER_CHECKED = 12;

export type MakerSignature = { readonly address: Address; readonly signature: string };

export type DeskDeps = {
  readonly chain: Pick<LocalChain, 'account' | 'slots'>;
  /** Every pool as it is now. */
  readonly pools: () => readonly DeskPool[];
  readonly keyOf: (pool: DeskPool) => ChainKey;
};

type Keyed = { readonly program: Address; readonly accounts: readonly Address[]; readonly data: Uint8Array };
type Transfer = {
  readonly source: Address;
  readonly mint: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly amount: bigint;
  readonly program: Address;
};

/**
 * The makers' signatures for a message that swaps at the desk. A maker's key answers for everything its vaults hold. So it signs only a
 * message that is provably one swap per pool at no better than the current price: any other mention of the maker or its vaults, in any
 * program, refuses the whole message. Throws DeskError.
 */
export function cosign(deps: DeskDeps, messageBytes: Uint8Array): readonly MakerSignature[] {
  const message = readMessage(messageBytes);
  const all = deps.pools();
  const resolved = resolveKeys(message, deps.chain.account);
  if (typeof resolved === 'string') {
    throw new DeskError('MESSAGE_INVALID', `The message's lookup tables cannot be read: ${resolved}.`);
  }
  const instructions = message.instructions.map((one) => keyed(one, resolved.keys));
  const signers = resolved.keys.slice(0, message.requiredSignatures);
  const pools = signers.slice(1).flatMap((signer) => all.filter((pool) => pool.id === signer));
  if (all.some((pool) => pool.id === signers[0])) {
    throw new DeskError('NOT_A_DESK_SWAP', 'A maker never pays the fee.');
  }
  if (pools.length === 0) {
    const known = instructions.some((one) => one.accounts.some((key) => isDeskAccount(all, key)));
    throw known
      ? new DeskError('NOT_A_DESK_SWAP', 'The message names a desk pool but not its maker as a signer.')
      : new DeskError('UNKNOWN_POOL', 'No required signer of the message is the maker of a desk pool.');
  }
  for (const pool of pools) checkSwap(deps, pool, instructions);
  return pools.map((pool) => ({
    address: pool.id,
    signature: toBase58(deps.keyOf(pool).sign(messageBytes)),
  }));
}

function checkSwap(deps: DeskDeps, pool: DeskPool, instructions: readonly Keyed[]): void {
  const involved = instructions.filter((one) =>
    one.accounts.some((key) => key === pool.id || key === pool.vaultA || key === pool.vaultB),
  );
  const transfers = involved.map((one) => readTransfer(one, pool));
  const [paid, ...otherPaid] = transfers.filter((one) => one.authority !== pool.id);
  const [given, ...otherGiven] = transfers.filter((one) => one.authority === pool.id);
  if (paid === undefined || given === undefined || otherPaid.length > 0 || otherGiven.length > 0) {
    throw refusal(pool, 'needs exactly one transfer into a vault and one out of the other');
  }
  const aToB = paid.destination === pool.vaultA;
  const side = aToB ? sidesOf(pool) : reversed(sidesOf(pool));
  const isPayment =
    paid.destination === side.vaultIn && paid.mint === side.mintIn && paid.program === side.programIn;
  const isPayout =
    given.source === side.vaultOut && given.mint === side.mintOut && given.program === side.programOut;
  if (!isPayment || !isPayout) throw refusal(pool, 'must be paid into one vault and pay out of the other');
  const isOwnMoney = [paid.source, given.destination].some(
    (key) => key === pool.vaultA || key === pool.vaultB,
  );
  if (isOwnMoney) throw refusal(pool, 'cannot be paid from its own vaults, nor pay into them');
  const maxOut = currentQuote(deps, pool, side, paid.amount);
  if (given.amount > maxOut) {
    throw new DeskError('PRICE_MOVED', `The pool gives at most ${maxOut} for ${paid.amount}.`, {
      pool: pool.id,
      amountIn: paid.amount.toString(),
      amountOut: given.amount.toString(),
      maxOut: maxOut.toString(),
    });
  }
}

function currentQuote(deps: DeskDeps, pool: DeskPool, side: Sides, amountIn: bigint): bigint {
  const balance = (vault: Address): bigint => {
    const account = readTokenAccount(deps.chain.account(vault));
    if (account === null) throw refusal(pool, 'has lost a vault');
    return account.amount;
  };
  const epoch = BigInt(deps.chain.slots.epochOf(deps.chain.slots.tip()));
  return deskQuote(
    {
      vaultIn: balance(side.vaultIn),
      vaultOut: balance(side.vaultOut),
      virtualIn: side.virtualIn,
      virtualOut: side.virtualOut,
      feeBps: pool.feeBps,
      inputTransferFee: readTransferFee(deps.chain.account(side.mintIn)),
      epoch,
    },
    amountIn,
  );
}

function readTransfer(instruction: Keyed, pool: DeskPool): Transfer {
  const { program, accounts, data } = instruction;
  const [source, mint, destination, authority, ...more] = accounts;
  const isTransfer = isTokenProgram(program) && data[0] === TRANSFER_CHECKED && data.length === 10;
  if (!isTransfer || source === undefined || mint === undefined || destination === undefined) {
    throw refusal(pool, 'may appear in TransferChecked instructions only');
  }
  if (authority === undefined || more.length > 0) throw refusal(pool, 'takes no multisig transfers');
  return { source, mint, destination, authority, amount: viewOf(data).getBigUint64(1, true), program };
}

type Sides = {
  readonly vaultIn: Address;
  readonly vaultOut: Address;
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly programIn: Address;
  readonly programOut: Address;
  readonly virtualIn: bigint;
  readonly virtualOut: bigint;
};

function sidesOf(pool: DeskPool): Sides {
  return {
    vaultIn: pool.vaultA,
    vaultOut: pool.vaultB,
    mintIn: pool.mintA,
    mintOut: pool.mintB,
    programIn: pool.programA,
    programOut: pool.programB,
    virtualIn: pool.virtualA,
    virtualOut: pool.virtualB,
  };
}

function reversed(side: Sides): Sides {
  return {
    vaultIn: side.vaultOut,
    vaultOut: side.vaultIn,
    mintIn: side.mintOut,
    mintOut: side.mintIn,
    programIn: side.programOut,
    programOut: side.programIn,
    virtualIn: side.virtualOut,
    virtualOut: side.virtualIn,
  };
}

function readMessage(bytes: Uint8Array): WireMessage {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new DeskError('MESSAGE_INVALID', `Expected the bytes of a legacy or v0 message: ${error.message}.`);
  }
}

function keyed(instruction: WireInstruction, keys: readonly Address[]): Keyed {
  const at = (index: number): Address => {
    const key = keys[index];
    if (key === undefined)
      throw new DeskError('MESSAGE_INVALID', 'An instruction names an account outside the message.');
    return key;
  };
  return {
    program: at(instruction.programIndex),
    accounts: [...instruction.accounts].map(at),
    data: instruction.data,
  };
}

function isDeskAccount(pools: readonly DeskPool[], key: Address): boolean {
  return pools.some((pool) => key === pool.id || key === pool.vaultA || key === pool.vaultB);
}

function refusal(pool: DeskPool, what: string): DeskError {
  return new DeskError('NOT_A_DESK_SWAP', `The pool ${pool.id} ${what}.`, { pool: pool.id });
}

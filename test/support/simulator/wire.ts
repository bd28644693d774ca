import {
  type Address,
  addressBytes,
  addressFromBytes,
  type Instruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  toBase58,
  WSOL_MINT,
} from '@tradepost/solana';
import { decodeInstruction } from '../../../src/engine/signing/rules/decode-instruction.ts';
import { decodeMessage } from '../../../src/engine/signing/rules/decode-message.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import type { MessageCompiler } from '../../../src/platform/ports/chain.ts';

/** What a simulated message says: JSON of what the simulated cluster understands. */
export type Wire = {
  readonly payer: Address;
  readonly memo: string;
  readonly blockhash: string;
  readonly moves: readonly (readonly [from: Address, to: Address, lamports: string])[];
  /** Mints that it makes, and mints whose supply it makes. */
  readonly mints: readonly Address[];
  readonly fills: readonly Address[];
};

const real = createMessageCompiler();
const INITIALIZE_MINT_2 = 20;
const MINT_TO = 7;
const CREATE_WITH_SEED = 3;

/**
 * JSON where the engine only passes bytes on; the chain's own format where it reads them back, which is the making of a token,
 * in one transaction or in two.
 */
export const simCompiler: MessageCompiler = {
  compile({ payer, instructions, blockhash }) {
    if (instructions.some(makesToken)) return chainCompiler.compile({ payer, instructions, blockhash });
    const memo = instructions.find((one) => one.accounts.length === 0 && one.data.length === 26);
    const wire: Wire = {
      payer,
      memo: new TextDecoder().decode(memo?.data),
      blockhash,
      moves: movesOf(instructions),
      mints: [],
      fills: [],
    };
    return {
      bytes: new TextEncoder().encode(JSON.stringify(wire)),
      signers: [payer],
      writable: [payer, ...wire.moves.map(([, to]) => to)],
      version: 0,
      dropped: 0,
    };
  },
  assemble(message, signatures) {
    const all = message.signers.map((signer) => signatures.get(signer) ?? new Uint8Array(64));
    return Buffer.concat([Buffer.from([all.length]), ...all, message.bytes]);
  },
};

/** The chain's own format for every message: the real signer reads them. */
export const chainCompiler: MessageCompiler = {
  compile: ({ blockhash, ...asked }) => {
    const born = new Uint8Array(32);
    new DataView(born.buffer).setBigUint64(0, heightOfHash(blockhash));
    return real.compile({ ...asked, blockhash: addressFromBytes(born) });
  },
  assemble: (...given) => simCompiler.assemble(...given),
};

export function wireOf(message: Uint8Array): Wire {
  if (message[0] === '{'.charCodeAt(0)) return JSON.parse(new TextDecoder().decode(message)) as Wire;
  const { signers, blockhash, instructions } = decodeMessage(message);
  const [payer] = signers;
  if (payer === undefined) throw new Error('nobody pays');
  const memo = instructions.map(decodeInstruction).find((action) => action.kind === 'memo');
  const born = new DataView(addressBytes(blockhash as Address).buffer).getBigUint64(0);
  return {
    payer,
    memo: (memo?.kind === 'memo' ? memo.text : null) ?? '',
    blockhash: `hash-${born}`,
    moves: movesOf(instructions),
    mints: calledOn(instructions, INITIALIZE_MINT_2),
    fills: calledOn(instructions, MINT_TO),
  };
}

/** The height at which a simulated blockhash was new. */
export function heightOfHash(blockhash: string): bigint {
  return BigInt(blockhash.slice('hash-'.length));
}

export function readSigned(bytes: Uint8Array): { readonly signature: string; readonly wire: Wire } {
  const start = 1 + 64 * (bytes[0] ?? 0);
  return { signature: toBase58(bytes.subarray(1, 65)), wire: wireOf(bytes.subarray(start)) };
}

/** The mint's program is called for nothing else here. */
const makesToken = ({ programId }: Instruction): boolean => programId === TOKEN_2022_PROGRAM;

/** The mints that the token program is called on with this tag. */
function calledOn(instructions: readonly Instruction[], tag: number): readonly Address[] {
  return instructions.flatMap(({ programId, accounts, data }) =>
    programId === TOKEN_2022_PROGRAM && data[0] === tag && accounts[0] ? [accounts[0].address] : [],
  );
}

/**
 * The lamports that move, one step after the other. Both CreateAccount and Transfer name payer and receiver first and lamports behind the
 * tag; wrapped SOL is lamports too, and an account that is closed gives all of it back.
 */
function movesOf(instructions: readonly Instruction[]): Wire['moves'] {
  const moves: (readonly [from: Address, to: Address, lamports: string])[] = [];
  const opened = new Map<Address, bigint>();
  const move = (from: Address, to: Address, lamports: bigint): void => {
    if (opened.has(from)) opened.set(from, (opened.get(from) ?? 0n) - lamports);
    if (opened.has(to)) opened.set(to, (opened.get(to) ?? 0n) + lamports);
    moves.push([from, to, lamports.toString()]);
  };
  for (const { programId, accounts, data } of instructions) {
    const [from, to] = accounts;
    if (programId === SYSTEM_PROGRAM && from !== undefined && to !== undefined) {
      const isSeeded = data[0] === CREATE_WITH_SEED;
      if (isSeeded) opened.set(to.address, 0n);
      // With a seed the base and the seed's text stand before the amount.
      const at = isSeeded ? 4 + 32 + 8 + (data[36] ?? 0) : 4;
      move(from.address, to.address, new DataView(data.buffer, data.byteOffset).getBigUint64(at, true));
      continue;
    }
    if (programId !== TOKEN_PROGRAM) continue;
    const action = decodeInstruction({ programId, accounts, data });
    if (action.kind === 'transfer-token' && action.mint === WSOL_MINT)
      move(action.source, action.destination, action.amount);
    if (action.kind === 'close-token-account' && opened.has(action.account))
      move(action.account, action.destination, opened.get(action.account) ?? 0n);
  }
  return moves;
}

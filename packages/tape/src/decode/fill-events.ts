import { type Address, addressFromBytes } from '@tradepost/solana';
import type { TapeTransaction } from '../transaction.ts';
import { type Call, isWithin } from './calls.ts';

/** The amounts that a taker's order took from an OpenBook v2 market. Source of truth: its `state/orderbook/book.rs`. */
export type FillEvent = {
  readonly isBuy: boolean;
  readonly taker: Address;
  /** Units of base. */
  readonly base: bigint;
  /** Units of quote at the book's prices: the taker paid more, or got less, by the fee. */
  readonly quote: bigint;
  readonly fee: bigint;
};

/** sha256("event:TotalOrderFillEvent"), the first eight bytes. */
export const FILL_EVENT = Uint8Array.of(0x08, 0xeb, 0x30, 0x3a, 0xae, 0x4c, 0x9c, 0x69);
const FILL = { side: 8, taker: 9, paid: 41, received: 49, fee: 57, bytes: 65 } as const;
const CUT = 'Log truncated';

export function logsAreCut({ logs }: Pick<TapeTransaction, 'logs'>): boolean {
  return logs.some((line) => line === CUT);
}

/**
 * Fills that were logged within one call, or null when the logs do not fit the instructions. The event names no market; the
 * instruction that logged it does, and each line `Program … invoke [n]` is the next instruction of that program and height.
 */
export function fillEvents(
  transaction: Pick<TapeTransaction, 'instructions' | 'logs'>,
  call: Call,
): readonly FillEvent[] | null {
  const { instructions, logs } = transaction;
  const running: number[] = [];
  const fills: FillEvent[] = [];
  let next = 0;
  for (const line of logs) {
    const [, program, height] = /^Program (\w+) invoke \[(\d+)\]$/.exec(line) ?? [];
    if (program !== undefined) {
      while (next < instructions.length && !isOf(instructions[next], program, Number(height))) next += 1;
      if (next === instructions.length) return null;
      running.push(next);
      next += 1;
    } else if (/^Program \w+ (success$|failed)/.test(line)) running.pop();
    else if (line.startsWith('Program data: ') && isWithin(call, running.at(-1) ?? -1)) {
      const fill = readFill(fromBase64(line.slice('Program data: '.length)));
      if (fill !== null) fills.push(fill);
    }
  }
  return fills;
}

function isOf(
  instruction: TapeTransaction['instructions'][number] | undefined,
  program: string,
  height: number,
): boolean {
  return instruction?.program === program && instruction.height === height;
}

function readFill(data: Uint8Array | null): FillEvent | null {
  if (data === null || data.length < FILL.bytes || !startsWith(data, FILL_EVENT, 0)) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const at = (place: number): bigint => view.getBigUint64(place, true);
  const [paid, received, fee] = [at(FILL.paid), at(FILL.received), at(FILL.fee)];
  const isBuy = data[FILL.side] === 0;
  return {
    isBuy,
    taker: addressFromBytes(data.slice(FILL.taker, FILL.paid)),
    base: isBuy ? received : paid,
    quote: isBuy ? paid - fee : received + fee,
    fee,
  };
}

function startsWith(data: Uint8Array, prefix: Uint8Array, at: number): boolean {
  return prefix.every((byte, index) => data[at + index] === byte);
}

/** Null for a text that is no base64: any program may log any text. */
function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

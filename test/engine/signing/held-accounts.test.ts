import {
  type Address,
  type Instruction,
  OPENBOOK_V2_PROGRAM,
  ROUTER_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { tokenAccountBytes } from '../../../packages/solana/test/token-account-bytes.ts';
import { decodeInstruction } from '../../../src/engine/signing/rules/decode-instruction.ts';
import { accountsToKnow, heldAccounts } from '../../../src/engine/signing/rules/held-accounts.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf, DESTINATION, MINT, WALLET } from '../intents/build.ts';
import { tableOf } from './table-of.ts';
import { lamportsCall, venueCall } from './venue-call.ts';

const programs = createPrograms();
const [SOURCE, OTHER, STRANGER, PROGRAM] = [addressOf(40), addressOf(41), addressOf(66), addressOf(80)];
const message = (own: readonly Instruction[], lookupTables = tableOf([], WALLET)) =>
  createMessageCompiler().compile({
    payer: WALLET,
    blockhash: addressOf(99),
    instructions: own,
    lookupTables,
  }).bytes;
const move = (source: Address, destination: Address, owner = WALLET): Instruction =>
  programs.transferToken({
    source,
    destination,
    owner,
    mint: MINT,
    amount: 1n,
    decimals: 6,
    tokenProgram: TOKEN_PROGRAM,
  });
const meta = (address: Address, writable: boolean) => ({ address, signer: false, writable });
const unread = (programId: Address): Instruction => ({
  programId,
  accounts: [meta(WALLET, true), meta(SOURCE, true), meta(OTHER, false), meta(SOURCE, true)],
  data: Uint8Array.of(1),
});
const pay = programs.transferSol({ from: WALLET, to: DESTINATION, lamports: 1n });
const known = { owner: WALLET, destination: OTHER, amountIn: 9n, minOut: 1n };

describe('the accounts to look at before a message is judged', () => {
  it.each<[string, Instruction]>([
    ['a payment', pay],
    ['a transfer of tokens', move(SOURCE, OTHER)],
    ['a check of somebody else’s account', move(SOURCE, SOURCE, STRANGER)],
    ['a swap whose bytes say all', lamportsCall(known)],
  ])('are none where only %s is in it', (_what, one) => {
    expect(accountsToKnow(message([one]), WALLET)).toEqual([]);
  });

  it('are none for a venue’s swap whose bytes say all, its accounts looked up', () => {
    const swap = venueCall({ ...known, source: SOURCE });
    const tables = tableOf([swap], WALLET);
    expect(accountsToKnow(message([swap], tables), WALLET, tables)).toEqual([]);
  });

  it('are all that it may write, each once and not the wallet, where a check of its own account is in it', () => {
    expect(new Set(accountsToKnow(message([pay, move(SOURCE, SOURCE)]), WALLET))).toEqual(
      new Set([DESTINATION, SOURCE]),
    );
    expect(accountsToKnow(message([move(SOURCE, SOURCE), move(SOURCE, SOURCE)]), WALLET)).toEqual([SOURCE]);
  });

  it.each([
    ['a program of nobody known', PROGRAM],
    ['a call of the router program that is no plan of ours', ROUTER_PROGRAM],
  ])('are all that it may write where %s is called', (_what, program) => {
    expect(accountsToKnow(message([unread(program)]), WALLET)).toEqual([SOURCE]);
  });

  it('are all that it may write where an order on a book is in it, whose size only the market knows', () => {
    // A bid that is filled at once or not at all, in the form that the market's program takes.
    const data = new Uint8Array(35);
    data.set([3, 44, 71, 3, 26, 199, 203, 85]);
    data[33] = 1;
    const accounts = Array.from({ length: 16 }, (_, index) => meta(addressOf(100 + index), index === 9));
    const order = { programId: OPENBOOK_V2_PROGRAM, accounts, data };
    const bidder = { ...order, accounts: [meta(WALLET, true), meta(WALLET, true), ...accounts.slice(2)] };
    expect(decodeInstruction(bidder)).toMatchObject({ kind: 'swap-call', call: { amountIn: null } });
    expect(accountsToKnow(message([bidder]), WALLET)).toEqual([addressOf(109)]);
  });

  it('are found through the tables too', () => {
    const tables = [{ address: addressOf(30), entries: [SOURCE, OTHER] }];
    const bytes = message([unread(PROGRAM)], tables);
    expect(accountsToKnow(bytes, WALLET, tables)).toEqual([SOURCE]);
  });

  it('are none for what the judge refuses to read', () => {
    expect(accountsToKnow(Uint8Array.of(0x81), WALLET)).toEqual([]);
    const tables = [{ address: addressOf(30), entries: [SOURCE, OTHER] }];
    expect(accountsToKnow(message([unread(PROGRAM)], tables), WALLET)).toEqual([]);
  });

  it('are no answer to a fault of another kind', () => {
    expect(() => accountsToKnow(null as unknown as Uint8Array, WALLET)).toThrow(TypeError);
  });
});

describe('what an account is to the wallet', () => {
  const account = (owner: Address, amount: bigint) => ({
    lamports: 2_039_280n,
    owner: TOKEN_PROGRAM,
    executable: false,
    data: tokenAccountBytes({ mint: MINT, owner, amount }),
  });

  it('is its token account with what is in it, or nothing of its own', () => {
    const bare = { lamports: 5n, owner: WALLET, executable: false, data: new Uint8Array() };
    const held = heldAccounts(
      WALLET,
      [SOURCE, OTHER, STRANGER, DESTINATION, PROGRAM],
      [account(WALLET, 7n), account(STRANGER, 7n), null, bare],
    );
    expect(held.get(SOURCE)).toMatchObject({ mint: MINT, amount: 7n });
    expect([...held].slice(1)).toEqual([
      [OTHER, null],
      [STRANGER, null],
      [DESTINATION, null],
      // Not answered: nothing that could be spent from.
      [PROGRAM, null],
    ]);
  });
});

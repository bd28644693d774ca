import { describe, expect, it } from 'vitest';
import { createMessageCompiler } from '../../../src/adapters/chain/compiler.ts';
import { createPrograms } from '../../../src/adapters/chain/programs.ts';
import type { Address } from '../../../src/core/address/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '../../../src/core/address/programs.ts';
import type { Instruction } from '../../../src/core/instruction.ts';
import type { HeldAccounts } from '../../../src/core/signing/account-book.ts';
import { accountsToKnow } from '../../../src/core/signing/held-accounts.ts';
import { assertPolicy, readsHoldings } from '../../../src/core/signing/policy.ts';
import type { CloseAccountsParams } from '../../../src/intents/close-accounts/params.ts';
import { addressOf, buildIntent, INTENT_ID, TREASURY, WALLET } from '../intents/build.ts';

const programs = createPrograms();
const compiler = createMessageCompiler();
const MINT = addressOf(50);
const [FIRST, SECOND] = [addressOf(51), addressOf(52)];
const STRANGER = addressOf(66);

const params = (...accounts: Address[]): CloseAccountsParams => ({
  kind: 'close-accounts',
  accounts: accounts.map((account) => ({ account, tokenProgram: TOKEN_PROGRAM })),
  rentLamports: 2_039_280n,
  tier: 'normal',
});
const close = (account: Address, change: { tokenProgram?: Address } = {}): Instruction =>
  programs.closeTokenAccount({ account, owner: WALLET, tokenProgram: TOKEN_PROGRAM, ...change });
/** The same, with another account at one of its three places. */
const changed = (at: number, other: Address): Instruction => {
  const made = close(FIRST);
  return {
    ...made,
    accounts: made.accounts.map((meta, index) => (index === at ? { ...meta, address: other } : meta)),
  };
};
const compiled = (own: readonly Instruction[]) =>
  compiler.compile({
    payer: WALLET,
    blockhash: addressOf(99),
    instructions: [
      ...programs.computeBudget({ units: 50_000, microLamportsPerUnit: 0n }),
      ...own,
      programs.memo(INTENT_ID),
    ],
  }).bytes;

const EMPTY = { mint: MINT, amount: 0n };
const held = (
  change: Iterable<readonly [Address, { mint: Address; amount: bigint } | null]> = [],
): HeldAccounts =>
  new Map<Address, { mint: Address; amount: bigint } | null>([[FIRST, EMPTY], [SECOND, EMPTY], ...change]);

function judge(
  wanted: CloseAccountsParams,
  own: readonly Instruction[],
  shown: HeldAccounts | null = held(),
): unknown {
  try {
    assertPolicy(compiled(own), {
      intent: buildIntent({ params: wanted }),
      wallet: WALLET,
      treasury: TREASURY,
      venuePrograms: [],
      ...(shown === null ? {} : { held: shown }),
    });
    return 'signed';
  } catch (error) {
    return (error as { details?: { rule: unknown } }).details?.rule;
  }
}

describe('the signing policy for closing empty accounts', () => {
  it('signs exactly the agreed accounts, to the wallet', () => {
    expect(judge(params(FIRST), [close(FIRST)])).toBe('signed');
    expect(
      judge(params(FIRST, SECOND), [close(SECOND), close(FIRST, { tokenProgram: TOKEN_2022_PROGRAM })]),
    ).toBe('signed');
  });

  it('refuses another destination and another holder', () => {
    expect(judge(params(FIRST), [changed(1, STRANGER)])).toBe('account-closing');
    expect(judge(params(FIRST), [changed(1, TREASURY)])).toBe('account-closing');
    // Who is to sign beside the wallet is refused before anything is judged.
    expect(judge(params(FIRST), [changed(2, STRANGER)])).toBe('signers');
  });

  it('refuses an account that was not agreed, one twice, and one left out', () => {
    expect(judge(params(FIRST), [close(SECOND)])).toBe('account-closing');
    expect(judge(params(FIRST), [close(FIRST), close(SECOND)])).toBe('account-closing');
    expect(judge(params(FIRST), [close(FIRST), close(FIRST)])).toBe('account-closing');
    expect(judge(params(FIRST, SECOND), [close(FIRST)])).toBe('account-closing');
    expect(judge(params(FIRST), [])).toBe('account-closing');
  });

  it('refuses an account that holds something, wrapped SOL too, that is somebody else’s, or at which nobody looked', () => {
    const shown = (one: { mint: Address; amount: bigint } | null) => held([[FIRST, one]]);
    expect(judge(params(FIRST), [close(FIRST)], shown({ mint: MINT, amount: 1n }))).toBe('token-amount');
    expect(judge(params(FIRST), [close(FIRST)], shown({ mint: WSOL_MINT, amount: 5n }))).toBe('token-amount');
    expect(judge(params(FIRST), [close(FIRST)], shown(null))).toBe('account-closing');
    expect(judge(params(FIRST), [close(FIRST)], new Map())).toBe('account-closing');
    expect(judge(params(FIRST), [close(FIRST)], null)).toBe('account-closing');
  });

  it('refuses anything beside it', () => {
    const pay = programs.transferSol({ from: WALLET, to: STRANGER, lamports: 1n });
    expect(judge(params(FIRST), [close(FIRST), pay])).toBe('instruction');
    const transfer = programs.transferToken({
      source: FIRST,
      mint: MINT,
      destination: SECOND,
      owner: WALLET,
      amount: 1n,
      decimals: 0,
      tokenProgram: TOKEN_PROGRAM,
    });
    expect(judge(params(FIRST), [transfer, close(FIRST)])).toBe('instruction');
  });

  it('has each account looked at before it judges', () => {
    expect(readsHoldings('close-accounts')).toBe(true);
    expect(new Set(accountsToKnow(compiled([close(FIRST), close(SECOND)]), WALLET))).toEqual(
      new Set([FIRST, SECOND]),
    );
    expect(accountsToKnow(compiled([]), WALLET)).toEqual([]);
  });
});

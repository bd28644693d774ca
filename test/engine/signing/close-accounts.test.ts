import {
  type Address,
  type Instruction,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  type CloseAccountsParams,
  type EmptyAccount,
  fitting,
  MOST_CLOSED,
} from '../../../src/engine/intents/kinds/close-accounts/params.ts';
import type { HeldAccounts } from '../../../src/engine/signing/rules/account-book.ts';
import { accountsToKnow } from '../../../src/engine/signing/rules/held-accounts.ts';
import { assertPolicy, readsHoldings } from '../../../src/engine/signing/rules/policy.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
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

  it('has fees harvested of an agreed account alone, to its mint, before that is closed', () => {
    const harvest = (mint: Address, ...accounts: Address[]) =>
      programs.harvestWithheldFees({ mint, accounts });
    const wanted: CloseAccountsParams = {
      ...params(FIRST, SECOND),
      accounts: [
        { account: FIRST, tokenProgram: TOKEN_2022_PROGRAM, feeMint: MINT },
        { account: SECOND, tokenProgram: TOKEN_PROGRAM },
      ],
    };
    const both = [close(FIRST, { tokenProgram: TOKEN_2022_PROGRAM }), close(SECOND)];
    expect(judge(wanted, [harvest(MINT, FIRST), ...both])).toBe('signed');
    expect(judge(wanted, both)).toBe('signed');
    expect(judge(wanted, [...both, harvest(MINT, FIRST)])).toBe('instruction');
    expect(judge(wanted, [harvest(MINT, SECOND), ...both])).toBe('instruction');
    expect(judge(wanted, [harvest(MINT, STRANGER), ...both])).toBe('instruction');
    expect(judge(wanted, [harvest(addressOf(53), FIRST), ...both])).toBe('instruction');
    expect(judge(wanted, [harvest(MINT, FIRST, STRANGER), ...both])).toBe('instruction');
    expect(judge(wanted, [harvest(MINT), ...both])).toBe('instruction');
    const message = compiled([harvest(MINT, FIRST), ...both]);
    expect(accountsToKnow(message, WALLET)).toEqual(expect.arrayContaining([FIRST, SECOND]));
    expect(accountsToKnow(compiled([harvest(MINT, FIRST)]), WALLET)).toEqual([]);
  });

  describe('the excess of accounts that stay', () => {
    const take = (account: Address, tokenProgram: Address = TOKEN_PROGRAM) =>
      programs.withdrawExcess({ account, owner: WALLET, tokenProgram });
    const wanted: CloseAccountsParams = {
      ...params(FIRST),
      excess: [{ account: SECOND, tokenProgram: TOKEN_PROGRAM }],
    };
    const withUnits = held([[SECOND, { mint: MINT, amount: 7n }]]);
    const moved = (at: number, other: Address): Instruction => {
      const made = take(SECOND);
      return {
        ...made,
        accounts: made.accounts.map((meta, index) => (index === at ? { ...meta, address: other } : meta)),
      };
    };

    it('is taken of the agreed accounts, once each, to the wallet, units or not', () => {
      expect(judge(wanted, [close(FIRST), take(SECOND)], withUnits)).toBe('signed');
      expect(judge({ ...wanted, accounts: [] }, [take(SECOND, TOKEN_2022_PROGRAM)], withUnits)).toBe(
        'signed',
      );
      expect(accountsToKnow(compiled([take(SECOND)]), WALLET)).toEqual([SECOND]);
    });

    it.each([
      ['left out', [close(FIRST)], 'account-closing'],
      ['taken twice', [close(FIRST), take(SECOND), take(SECOND)], 'account-closing'],
      ['of an account that was not agreed', [close(FIRST), take(STRANGER)], 'account-closing'],
      ['of one that is to be closed', [close(FIRST), take(SECOND), take(FIRST)], 'account-closing'],
      ['to another destination', [close(FIRST), moved(1, STRANGER)], 'account-closing'],
      ['to the treasury', [close(FIRST), moved(1, TREASURY)], 'account-closing'],
      ['by another signer', [close(FIRST), moved(2, STRANGER)], 'signers'],
      ['and the account is closed instead', [close(FIRST), close(SECOND)], 'account-closing'],
    ])('is refused %s', (_what, own, rule) => {
      expect(judge(wanted, own, withUnits)).toBe(rule);
    });

    it('is refused where the account is no account of the wallet, or was not looked at', () => {
      const own = [close(FIRST), take(SECOND)];
      expect(judge(wanted, own, held([[SECOND, null]]))).toBe('account-closing');
      expect(judge(wanted, own, new Map([[FIRST, EMPTY]]))).toBe('account-closing');
    });

    it('belongs in no other intent', () => {
      expect(judge(params(FIRST), [close(FIRST), take(SECOND)], withUnits)).toBe('account-closing');
    });
  });

  it('fits one transaction, fees in every account or in none', () => {
    const many: readonly EmptyAccount[] = Array.from({ length: 40 }, (_, at) => ({
      account: addressOf(100 + at),
      tokenProgram: TOKEN_PROGRAM,
    }));
    const plan = (of: CloseAccountsParams['accounts']) =>
      compiled(
        of.flatMap(({ account, feeMint }) => [
          ...(feeMint === undefined
            ? []
            : [programs.harvestWithheldFees({ mint: feeMint, accounts: [account] })]),
          close(account),
        ]),
      );
    const withFees = many.map((one, at) => ({ ...one, feeMint: addressOf(200 + at) }));
    expect(fitting(many)).toHaveLength(MOST_CLOSED);
    for (const of of [many, withFees, many.map((one, at) => (at % 2 === 0 ? one : (withFees[at] ?? one)))])
      expect(plan(fitting(of)).length + 65).toBeLessThanOrEqual(1_232);
  });

  it('has each account looked at before it judges', () => {
    expect(readsHoldings('close-accounts')).toBe(true);
    expect(new Set(accountsToKnow(compiled([close(FIRST), close(SECOND)]), WALLET))).toEqual(
      new Set([FIRST, SECOND]),
    );
    expect(accountsToKnow(compiled([]), WALLET)).toEqual([]);
  });
});

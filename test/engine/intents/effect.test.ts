import { describe, expect, it } from 'vitest';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { bookedSums, showsEffect } from '../../../src/engine/intents/rules/effect.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { addressOf, DESTINATION, MINT, PARAMS, TREASURY, WALLET } from './build.ts';

const FEE = 5_000n;
const ERR = '"x"';
type Delta = readonly [account: ReturnType<typeof addressOf>, delta: bigint];

function landed(
  deltas: readonly Delta[],
  tokens: readonly Delta[] = [],
  err: string | null = null,
): LandedTransaction {
  return {
    signature: 's',
    slot: 1n,
    blockTime: null,
    err,
    feeLamports: FEE,
    logs: [],
    balances: deltas.map(([address, delta]) => ({ address, before: 10n ** 12n, after: 10n ** 12n + delta })),
    tokenBalances: tokens.map(([owner, delta]) => ({
      account: addressOf(90),
      owner,
      mint: MINT,
      before: 10n ** 9n,
      after: 10n ** 9n + delta,
    })),
    signatureCount: 1,
  };
}

const fee: Delta = [WALLET, -FEE];
const shows = (
  transaction: LandedTransaction,
  params: IntentParams,
  err: string | null = null,
  createdMint: typeof MINT | null = null,
) => showsEffect(transaction, err, { wallet: WALLET, params, createdMint });
const all: IntentParams = { ...PARAMS.withdrawSol, everything: true };
const token: IntentParams = {
  kind: 'withdraw-token',
  mint: MINT,
  tokenProgram: MINT,
  decimals: 0,
  destination: DESTINATION,
  amount: 7n,
  tier: 'normal',
};
const payout: IntentParams = {
  kind: 'payout',
  items: [
    { inviterId: 'a', recipient: DESTINATION, lamports: 3n },
    { inviterId: 'b', recipient: DESTINATION, lamports: 4n },
  ],
};

const twoPaid: IntentParams = {
  kind: 'payout',
  items: [
    { inviterId: 'a', recipient: DESTINATION, lamports: 3n },
    { inviterId: 'b', recipient: TREASURY, lamports: 4n },
  ],
};
/** The same amounts, of a token that nobody asked for. */
const ofAnother = (transaction: LandedTransaction): LandedTransaction => ({
  ...transaction,
  tokenBalances: transaction.tokenBalances.map((one) => ({ ...one, mint: addressOf(91) })),
});

describe('the record of a transaction', () => {
  it('of a failure shows the fee and nothing else', () => {
    const { withdrawSol } = PARAMS;
    expect(shows(landed([fee, [DESTINATION, 0n]], [], ERR), withdrawSol, ERR)).toBe(true);
    expect(shows(landed([fee], [[WALLET, 0n]], ERR), withdrawSol, ERR)).toBe(true);
    expect(shows(landed([[WALLET, -FEE - 1n]], [], ERR), withdrawSol, ERR)).toBe(false);
    expect(shows(landed([fee, [DESTINATION, 1n]], [], ERR), withdrawSol, ERR)).toBe(false);
    expect(shows(landed([fee], [[WALLET, -1n]], ERR), withdrawSol, ERR)).toBe(false);
  });

  it('says itself what its status says, and names the wallet', () => {
    const sol: Delta = [DESTINATION, 1_000_000_000n];
    const whole = [[WALLET, -1_000_000_000n - FEE], sol] as const;
    expect(shows(landed(whole), PARAMS.withdrawSol)).toBe(true);
    expect(shows(landed(whole), PARAMS.withdrawSol, ERR)).toBe(false);
    expect(shows(landed([fee], [], ERR), PARAMS.withdrawSol)).toBe(false);
    expect(shows(landed([fee]), PARAMS.withdrawSol, ERR)).toBe(false);
    expect(shows(landed(whole, [], ERR), PARAMS.withdrawSol)).toBe(false);
    expect(shows(landed([sol]), PARAMS.withdrawSol)).toBe(false);
    expect(shows(landed([]), PARAMS.withdrawSol, null)).toBe(false);
  });

  const cases: readonly (readonly [string, IntentParams, LandedTransaction, boolean])[] = [
    ['too little SOL', PARAMS.withdrawSol, landed([fee, [DESTINATION, 999_999_999n]]), false],
    [
      'everything',
      all,
      landed([
        [WALLET, -9n - FEE],
        [DESTINATION, 9n],
      ]),
      true,
    ],
    [
      'everything, of which some is gone',
      all,
      landed([
        [WALLET, -9n - FEE],
        [DESTINATION, 8n],
      ]),
      false,
    ],
    ['nothing of everything', all, landed([fee, [DESTINATION, 0n]]), false],
    [
      'tokens',
      token,
      landed(
        [fee],
        [
          [WALLET, -7n],
          [DESTINATION, 6n],
        ],
      ),
      true,
    ],
    ['too many tokens', token, landed([fee], [[WALLET, -8n]]), false],
    ['tokens bought', PARAMS.buy, landed([fee], [[WALLET, 1n]]), true],
    ['no tokens bought', PARAMS.buy, landed([fee], [[DESTINATION, 1n]]), false],
    ['tokens sold', PARAMS.sell, landed([fee], [[WALLET, -1n]]), true],
    ['no tokens sold', PARAMS.sell, landed([fee], [[WALLET, 0n]]), false],
    ['two debts to one address', payout, landed([fee, [DESTINATION, 7n]]), true],
    ['one of two debts', payout, landed([fee, [DESTINATION, 4n]]), false],
    ['debts to two addresses', twoPaid, landed([fee, [DESTINATION, 3n], [TREASURY, 4n]]), true],
    ['the second of two not paid', twoPaid, landed([fee, [DESTINATION, 3n]]), false],
    ['the first of two not paid', twoPaid, landed([fee, [TREASURY, 4n]]), false],
    ['another token bought', PARAMS.buy, ofAnother(landed([fee], [[WALLET, 1n]])), false],
    ['another token sold', PARAMS.sell, ofAnother(landed([fee], [[WALLET, -1n]])), false],
    ['another token sent', token, ofAnother(landed([fee], [[WALLET, -7n]])), false],
  ];

  it.each(cases)('of a success shows what was asked for: %s', (_, params, transaction, isShown) => {
    expect(shows(transaction, params)).toBe(isShown);
  });

  it.each(['prepare-token', 'create-token', 'launch'] as const)(
    'of a %s shows the mint, or its supply',
    (kind) => {
      const creation = { kind } as IntentParams;
      const made = {
        ...landed([fee]),
        balances: [...landed([fee]).balances, { address: MINT, before: 0n, after: 9n }],
      };
      expect(shows(made, creation, null, MINT)).toBe(true);
      expect(shows(made, creation, null, null)).toBe(false);
      expect(shows(landed([fee, [MINT, 5n]]), creation, null, MINT)).toBe(false);
      expect(shows(landed([fee], [[DESTINATION, 5n]]), creation, null, MINT)).toBe(true);
      expect(shows(landed([fee], [[DESTINATION, 0n]]), creation, null, MINT)).toBe(false);
      expect(shows(ofAnother(landed([fee], [[DESTINATION, 5n]])), creation, null, MINT)).toBe(false);
      // Named, and still nothing there.
      const empty = {
        ...made,
        balances: [...landed([fee]).balances, { address: MINT, before: 0n, after: 0n }],
      };
      expect(shows(empty, creation, null, MINT)).toBe(false);
    },
  );

  it('of a revocation shows its fee', () => {
    const revocation = { kind: 'revoke-authority' } as IntentParams;
    expect(shows(landed([fee]), revocation)).toBe(true);
    expect(shows(landed([[WALLET, 0n]]), revocation)).toBe(false);
  });

  it('sums up what is booked', () => {
    expect(bookedSums(landed([fee, [TREASURY, 12n]]), WALLET, TREASURY)).toBe('5000/-5000/12');
    expect(bookedSums(landed([fee]), WALLET, TREASURY)).toBe('5000/-5000/0');
  });
});

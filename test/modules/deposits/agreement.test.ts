import { WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  type Agreement,
  agreementOf,
  isTellable,
  secondLook,
} from '../../../src/modules/deposits/rules/agreement.ts';
import { tokenAccountsOf } from '../../../src/modules/deposits/rules/arrivals.ts';
import { decodeDeposit, encodeDeposit } from '../../../src/modules/deposits/rules/deposit-notice.ts';
import { createAgreement } from '../../../src/modules/deposits/use/agree.ts';
import type { LandedTransaction, Testimony } from '../../../src/platform/ports/chain.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const wallet = newAddress();
const stranger = newAddress();
const mint = newAddress();
const other = newAddress();

/** A stranger's payment of so many lamports, and of units of mints. */
function payment(
  lamports: bigint,
  tokens: readonly (readonly [typeof mint, bigint])[] = [],
): LandedTransaction {
  return {
    signature: 's',
    slot: 5n,
    blockTime: 9,
    err: null,
    feeLamports: 5_000n,
    logs: [],
    balances: [
      { address: stranger, before: lamports, after: 0n },
      { address: wallet, before: 1n, after: 1n + lamports },
    ],
    tokenBalances: tokens.map(([of, after]) => ({
      account: newAddress(),
      owner: wallet,
      mint: of,
      before: 0n,
      after,
    })),
    signatureCount: 1,
  };
}
const SOL = 1_000_000_000n;
type Level = 'confirmed' | 'finalized';
const sees = (transaction: LandedTransaction, level: Level = 'confirmed', endpoint = 'a'): Testimony => ({
  endpoint,
  endpoints: 2,
  status: { slot: 5n, level, err: null },
  transaction,
});
const knows = (level: Level = 'confirmed'): Testimony => ({ ...sees(payment(1n), level), transaction: null });
const DENIES: Testimony = { ...knows(), status: null };
const say = (...said: readonly Testimony[]) => agreementOf(wallet, said);

describe('what two nodes say of one transaction', () => {
  it('is agreed where the same came in, and final where both call it final', () => {
    const landed = payment(SOL);
    for (const [one, two, final] of [
      ['confirmed', 'confirmed', false],
      ['finalized', 'confirmed', false],
      ['confirmed', 'finalized', false],
      ['finalized', 'finalized', true],
    ] as const)
      expect(say(sees(landed, one), sees(payment(SOL), two))).toEqual({
        kind: 'agreed',
        landed,
        sources: 2,
        final,
      });
  });

  it('is a quarrel where another amount, another token or one thing more came in', () => {
    const quarrel = { kind: 'disagree' };
    expect(say(sees(payment(SOL)), sees(payment(SOL + 1n)))).toEqual(quarrel);
    expect(say(sees(payment(0n, [[mint, 5n]])), sees(payment(0n, [[other, 5n]])))).toEqual(quarrel);
    expect(say(sees(payment(SOL)), sees(payment(SOL, [[mint, 5n]])))).toEqual(quarrel);
    // Joined without a sign between, these would read alike.
    expect(say(sees(payment(0n, [[mint, 11n]])), sees(payment(0n, [[mint, 1n]])))).toEqual(quarrel);
  });

  it('is the word of one alone where the other serves nothing, unless that one denies what is final', () => {
    const alone = { kind: 'agreed', sources: 1 };
    expect(say(sees(payment(SOL)))).toMatchObject({ ...alone, final: false });
    expect(say(sees(payment(SOL), 'finalized'))).toMatchObject({ ...alone, final: true });
    expect(say(knows(), sees(payment(SOL)))).toMatchObject({ ...alone, final: false });
    expect(say(sees(payment(SOL)), DENIES)).toMatchObject({ ...alone, final: false });
    expect(say(DENIES, sees(payment(SOL), 'finalized'))).toEqual({ kind: 'disagree' });
    expect(say(knows('finalized'), sees(payment(SOL), 'finalized'))).toMatchObject({ ...alone, final: true });
  });

  it('is that there is none, by one or by both, or that it is not served yet', () => {
    expect(say(DENIES)).toEqual({ kind: 'gone', sources: 1 });
    expect(say(DENIES, DENIES)).toEqual({ kind: 'gone', sources: 2 });
    expect(say(knows())).toEqual({ kind: 'unserved' });
    expect(say(DENIES, knows())).toEqual({ kind: 'unserved' });
  });

  it('may be said to the person once two say it, or once one alone calls it final', () => {
    const agreed = (sources: 1 | 2, final: boolean) =>
      isTellable({ kind: 'agreed', landed: payment(SOL), sources, final });
    expect([agreed(2, false), agreed(2, true), agreed(1, true), agreed(1, false)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('the second look at a deposit', () => {
  const told = { asset: 'SOL', units: SOL } as const;
  const agreed = (landed: LandedTransaction, sources: 1 | 2 = 2): Agreement => ({
    kind: 'agreed',
    landed,
    sources,
    final: false,
  });

  it('holds what is still so, and corrects another amount to what really came', () => {
    expect(secondLook(agreed(payment(SOL)), wallet, told)).toEqual({ kind: 'stands' });
    expect(secondLook(agreed(payment(2n * SOL)), wallet, told)).toEqual({
      kind: 'corrected',
      units: 2n * SOL,
    });
    expect(secondLook(agreed(payment(0n, [[mint, 5n]])), wallet, told)).toEqual({
      kind: 'corrected',
      units: 0n,
    });
    const both = agreed(payment(SOL, [[mint, 5n]]));
    expect(secondLook(both, wallet, { asset: mint, units: 5n })).toEqual({ kind: 'stands' });
    expect(secondLook(both, wallet, { asset: mint, units: 6n })).toEqual({ kind: 'corrected', units: 5n });
  });

  it('takes it back where it is gone, and says nothing while the nodes do not agree', () => {
    expect(secondLook({ kind: 'gone', sources: 2 }, wallet, told)).toEqual({ kind: 'corrected', units: 0n });
    expect(secondLook({ kind: 'disagree' }, wallet, told)).toEqual({ kind: 'open' });
    expect(secondLook({ kind: 'unserved' }, wallet, told)).toEqual({ kind: 'open' });
    expect(secondLook(agreed(payment(2n * SOL), 1), wallet, told)).toEqual({ kind: 'open' });
  });
});

describe('the notice of a deposit', () => {
  const plain = { walletId: 'w', mint: null, units: 2n ** 63n, known: true, signature: 's' };

  it.each([
    ['SOL', plain],
    ['a token that nobody here bought', { ...plain, mint, known: false }],
    ['what one node alone has seen', { ...plain, seenByOne: true as const }],
    ['a correction, also to and from nothing', { ...plain, units: 0n, was: 0n }],
  ])('is read as it was written: %s', (_, notice) => {
    expect(decodeDeposit(JSON.parse(JSON.stringify(encodeDeposit(notice))))).toEqual(notice);
  });

  it('has no field that says nothing, and is refused where one is missing', () => {
    expect(Object.keys(encodeDeposit(plain) as object).toSorted()).toEqual([
      'known',
      'mint',
      'signature',
      'units',
      'walletId',
    ]);
    for (const field of ['walletId', 'units', 'signature']) {
      const { [field]: _gone, ...rest } = encodeDeposit(plain) as Record<string, unknown>;
      expect(() => decodeDeposit(rest), field).toThrow(new RegExp(`notice.*${field}`));
    }
    expect(() => decodeDeposit({ ...(encodeDeposit(plain) as object), mint: 'no address' })).toThrow(/mint/);
  });
});

it('the token accounts of a wallet that a transaction names are its own, and none of wrapped SOL', () => {
  const landed = payment(0n, [
    [mint, 5n],
    [WSOL_MINT, 7n],
  ]);
  const [own] = landed.tokenBalances;
  const foreign = { ...landed.tokenBalances[0], account: other, owner: stranger } as NonNullable<typeof own>;
  expect(tokenAccountsOf({ ...landed, tokenBalances: [...landed.tokenBalances, foreign] }, wallet)).toEqual([
    { account: own?.account, units: 5n },
  ]);
});

describe('asking two nodes', () => {
  /** Answers by round; `pause` ends when the test says so. */
  function asking(answers: readonly (() => Promise<Testimony>)[], more: object = {}) {
    const rounds: number[] = [];
    const pauses: { readonly ms: number; readonly end: () => void }[] = [];
    const agree = createAgreement({
      chain: {
        testimony: (_signature, round) => {
          rounds.push(round);
          return answers[round]?.() ?? Promise.reject(new Error('no such round'));
        },
      },
      pause: (ms) => new Promise((end) => pauses.push({ ms, end })),
      ...more,
    });
    return { agree: () => agree('s', wallet), rounds, pauses };
  }
  const one = async (): Promise<Testimony> => sees(payment(SOL), 'confirmed', 'a');
  const two = async (): Promise<Testimony> => sees(payment(SOL), 'confirmed', 'b');
  const fails = (): Promise<Testimony> => Promise.reject(new Error('unreachable'));
  const silent = (): Promise<Testimony> => new Promise(() => undefined);
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
  };

  it('asks both at once, and counts one host once though it answers twice', async () => {
    const both = asking([one, two]);
    expect(await both.agree()).toMatchObject({ kind: 'agreed', sources: 2 });
    expect(both.rounds).toEqual([0, 1]);
    expect(await asking([one, one]).agree()).toMatchObject({ kind: 'agreed', sources: 1 });
  });

  it('asks one alone from the second time on where there is one host', async () => {
    const single = asking([async () => ({ ...(await one()), endpoints: 1 }), fails]);
    expect(await single.agree()).toMatchObject({ sources: 1 });
    expect(await single.agree()).toMatchObject({ sources: 1 });
    expect(single.rounds).toEqual([0, 1, 0]);
  });

  it('waits 800 ms for the second once the first has answered, whichever that is, and no longer', async () => {
    for (const answers of [
      [one, silent],
      [silent, two],
    ]) {
      const asked = asking(answers);
      let agreed: Agreement | null = null;
      const done = asked.agree().then((agreement) => {
        agreed = agreement;
      });
      await turns();
      expect(agreed).toBeNull();
      expect(asked.pauses.map(({ ms }) => ms)).toEqual([800]);
      asked.pauses[0]?.end();
      await done;
      expect(agreed).toMatchObject({ kind: 'agreed', sources: 1 });
    }
  });

  it('does without the one that fails, and fails with the first error where both do', async () => {
    const asked = asking([fails, two]);
    const done = asked.agree();
    await turns();
    asked.pauses[0]?.end();
    expect(await done).toMatchObject({ kind: 'agreed', sources: 1 });
    const last = (): Promise<Testimony> => Promise.reject(new Error('the second'));
    await expect(asking([fails, last]).agree()).rejects.toThrow('unreachable');
  });

  it('takes the word of a node that is the chain itself for two, and no denial of it', async () => {
    const local = { nodeIsChain: true };
    expect(await asking([one, one], local).agree()).toMatchObject({ kind: 'agreed', sources: 2 });
    const denies = async () => DENIES;
    expect(await asking([denies, denies], local).agree()).toEqual({ kind: 'gone', sources: 1 });
  });
});

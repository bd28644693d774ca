import type { Address } from '@tradepost/solana';
import {
  type CheckLine,
  checkAgreedFee,
  checkFee,
  landedSide,
  likelyTreasury,
  mayBe,
  type Verdict,
} from '../../../engine/fees/rules/check-fee.ts';
import type { FeesAt } from '../../../engine/fees/rules/fee-table.ts';
import type { LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import { intentIdOfMemos } from '../../../engine/intents/rules/memo-intent.ts';
import { landedReceipt } from '../../../engine/intents/rules/receipt.ts';
import { accountKey } from '../../../engine/ledger/rules/entry.ts';
import { inviterShare } from '../../../engine/ledger/rules/postings.ts';
import type { ReceiptBooking, ReceiptBooks } from '../../../engine/ledger/store/receipt-books-port.ts';
import type { Chain, LandedTransaction } from '../../../platform/ports/chain.ts';

export type VerifyReceiptDeps = {
  readonly chain: Pick<Chain, 'landed'>;
  readonly fees: FeesAt;
  /** Null: the caller does not know it. */
  readonly treasury: Address | null;
  /** Null: the caller has no database. */
  readonly books: ReceiptBooks | null;
};

/**
 * Recomputes one transaction's fee and the inviter's share from chain data and the fee table alone, and compares them with the books, where
 * there are books. Nothing of the books enters the recomputation: their lies show as `differs`. Changes nothing.
 */
export async function verifyReceipt(
  deps: VerifyReceiptDeps,
  signature: string,
): Promise<readonly CheckLine[]> {
  const landed = await deps.chain.landed(signature);
  if (landed === null)
    return [
      line('transaction', 'differs', 'the chain does not show it, or this node has no history so far back'),
    ];
  const payer = landed.balances[0]?.address;
  if (payer === undefined) return [line('transaction', 'differs', 'it names no account')];
  const booking = (await deps.books?.find(signature)) ?? null;
  const treasury = deps.treasury ?? likelyTreasury(landed, deps.fees);
  return [
    line(
      'transaction',
      landed.err === null ? 'ok' : 'differs',
      landed.err === null
        ? `landed in slot ${landed.slot}, signed and paid for by ${payer}`
        : `it failed: ${landed.err}`,
    ),
    ...treasuryLines(deps.treasury, treasury),
    ...feeLines(deps, landed, treasury, booking),
    ...(await memoLines(deps.books, landed, payer, booking)),
    ...(booking === null ? [] : await bookingLines(deps, landed, payer, treasury, booking)),
  ];
}

function treasuryLines(known: Address | null, treasury: Address | null): readonly CheckLine[] {
  if (known !== null) return [line('treasury', 'ok', known)];
  return [
    treasury === null
      ? line('treasury', 'unknown', 'name the address that the service publishes with --treasury')
      : line(
          'treasury',
          'unknown',
          `${treasury} got exactly the fee of the table: compare it with the address that the service publishes`,
        ),
  ];
}

function feeLines(
  { fees }: VerifyReceiptDeps,
  landed: LandedTransaction,
  treasury: Address | null,
  booking: ReceiptBooking | null,
): readonly CheckLine[] {
  if (treasury === null) return [line('fee', 'unknown', 'without the treasury nobody can tell it')];
  const { kind, feeLamports } = landedSide(landed, treasury);
  const at = atOf(landed);
  const { referralShareBps } = fees(at);
  const share = inviterShare(feeLamports, referralShareBps);
  const judged = kind === 'sell' && booking?.terms ? agreedLine(booking.terms, fees, at, feeLamports) : null;
  return [
    judged ?? checkFee(landed, treasury, fees),
    line(
      'share',
      booking === null ? 'unknown' : 'ok',
      `${referralShareBps} bps of it are ${share} lamports${booking === null ? '; whether somebody invited the trader is not on the chain' : ''}`,
    ),
  ];
}

/** A sale's fee by the quote that the books hold; null when they do not settle it. */
function agreedLine(
  terms: NonNullable<ReceiptBooking['terms']>,
  fees: FeesAt,
  at: number,
  feeLamports: bigint,
): CheckLine | null {
  const quoted = terms.quotedOut + terms.platformFeeLamports;
  if (terms.platformFeeLamports !== feeLamports) return null;
  return checkAgreedFee(terms, quoted, fees(at)) || checkAgreedFee(terms, quoted, fees(at - 3_600_000))
    ? line('fee', 'ok', `${feeLamports} lamports; agreed on a quote of ${quoted}`)
    : line('fee', 'differs', `${feeLamports} lamports; the quote of ${quoted} allows less`);
}

/** The memo names a request; anybody can write one, so it counts only together with the wallet that signed. */
async function memoLines(
  books: ReceiptBooks | null,
  landed: LandedTransaction,
  payer: Address,
  booking: ReceiptBooking | null,
): Promise<readonly CheckLine[]> {
  const named = intentIdOfMemos(landed.memos ?? []);
  if (booking !== null) {
    const fits = named === booking.intentId && payer === booking.wallet;
    return [
      line(
        'memo',
        fits ? 'ok' : 'differs',
        fits
          ? `names ${booking.intentId}`
          : `names ${named ?? 'nothing'}, signed by ${payer}; the books say ${booking.intentId} of ${booking.wallet}`,
      ),
    ];
  }
  if (named === null) return [line('memo', 'unknown', 'it names no request of this service')];
  if (books === null)
    return [
      line('memo', 'unknown', `names ${named}; anybody can write that, and the chain alone does not tell`),
    ];
  const wallet = await books.walletOf(named);
  if (wallet === null) return [line('memo', 'differs', `names ${named}, which the books do not know`)];
  return [
    wallet === payer
      ? line(
          'memo',
          'differs',
          `names ${named} of this very wallet, and the books do not know the transaction`,
        )
      : line('memo', 'differs', `forged: names ${named}, a request of ${wallet}, and was signed by ${payer}`),
  ];
}

async function bookingLines(
  { chain, fees }: VerifyReceiptDeps,
  landed: LandedTransaction,
  payer: Address,
  treasury: Address | null,
  booking: ReceiptBooking,
): Promise<readonly CheckLine[]> {
  const side = landedSide(landed, treasury);
  const share = inviterShare(side.feeLamports, fees(atOf(landed)).referralShareBps);
  const compare = (what: string, booked: bigint, recomputed: bigint): CheckLine =>
    booked === recomputed
      ? line(what, 'ok', `${recomputed}`)
      : line(what, 'differs', `the books say ${booked}, the chain and the table ${recomputed}`);
  const due = booking.inviterId === null ? 0n : share;
  const entry = (key: string): bigint => booking.entries.get(key) ?? 0n;
  const payableKey = accountKey({ kind: 'referral-payable', owner: booking.inviterId ?? '' });
  const owedToOthers = [...booking.entries.keys()].filter(
    (key) => key.startsWith('referral-payable/') && key !== payableKey,
  );
  return [
    line(
      'kind',
      landed.err !== null || mayBe(side.kind, booking.kind) ? 'ok' : 'differs',
      `booked as ${booking.kind} ${booking.receiptCode}, ${booking.status}; the chain shows ${side.kind}`,
    ),
    ...(booking.receipt === null
      ? [line('receipt', 'unknown', 'none is stored')]
      : receiptLines(booking.receipt, recomputed(landed, payer, treasury, booking.receipt))),
    compare('booked fee', -entry(accountKey({ kind: 'treasury' })), side.feeLamports),
    compare('booked revenue', entry(accountKey({ kind: 'revenue' })), side.feeLamports - due),
    compare('booked share', entry(payableKey), due),
    ...owedToOthers.map((key) =>
      line('booked share', 'differs', `${entry(key)} for ${key}, who did not invite the trader`),
    ),
    compare('reward', booking.reward?.lamports ?? 0n, due),
    ...(booking.reward !== null && booking.reward.inviterId !== booking.inviterId
      ? [
          line(
            'reward',
            'differs',
            `it is for ${booking.reward.inviterId}, invited by ${booking.inviterId ?? 'nobody'}`,
          ),
        ]
      : []),
    ...(await payoutLines(chain, booking)),
  ];
}

/** Only amounts. Rent is judged by the kind of the request, which the chain does not say, so the stored one decides nothing. */
function recomputed(
  landed: LandedTransaction,
  payer: Address,
  treasury: Address | null,
  stored: LandedReceipt,
): LandedReceipt {
  const receipt = landedReceipt(landed, {
    wallet: payer,
    treasury: treasury ?? payer,
    params: { kind: 'payout', items: [] },
  });
  return { ...receipt, rentLamports: stored.rentLamports };
}

function receiptLines(stored: LandedReceipt, fresh: LandedReceipt): readonly CheckLine[] {
  const tokens = ({ tokenDeltas }: LandedReceipt): string =>
    tokenDeltas
      .map(({ mint, delta }) => `${delta} of ${mint}`)
      .toSorted()
      .join(', ') || 'none';
  const parts = (receipt: LandedReceipt): readonly (readonly [string, string])[] => [
    ['slot', `${receipt.slot}`],
    ['network fee', `${receipt.feeLamports}`],
    ['platform fee', `${receipt.platformFeeLamports}`],
    ['wallet change', `${receipt.walletLamportsDelta}`],
    ['tokens', tokens(receipt)],
  ];
  const truth = new Map(parts(fresh));
  return parts(stored).map(([name, value]) =>
    truth.get(name) === value
      ? line(`receipt: ${name}`, 'ok', value)
      : line(`receipt: ${name}`, 'differs', `the books say ${value}, the chain ${truth.get(name)}`),
  );
}

async function payoutLines(
  chain: Pick<Chain, 'landed'>,
  { reward }: ReceiptBooking,
): Promise<readonly CheckLine[]> {
  if (reward === null) return [];
  if (reward.status !== 'PAID') return [line('payout', 'ok', `not paid yet: ${reward.status}`)];
  const { payout } = reward;
  if (payout === null)
    return [line('payout', 'differs', 'booked as paid, without a transaction that paid it')];
  const landed = await chain.landed(payout.signature);
  const change = landed?.balances.find(({ address }) => address === payout.recipient);
  const got = change === undefined || landed?.err !== null ? 0n : change.after - change.before;
  return [
    got === payout.lamports && got >= reward.lamports
      ? line(
          'payout',
          'ok',
          `${payout.signature} paid ${got} lamports, this share among them, to ${payout.recipient}`,
        )
      : line(
          'payout',
          'differs',
          `${payout.signature} should have paid ${payout.lamports} to ${payout.recipient}; the chain shows ${got}`,
        ),
  ];
}

function atOf({ blockTime }: LandedTransaction): number {
  return (blockTime ?? 0) * 1_000;
}

function line(what: string, verdict: Verdict, detail: string): CheckLine {
  return { what, verdict, detail };
}

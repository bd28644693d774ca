import type { Address } from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { OUTCOME, PARAMS, TERMS } from '../../../platform/db/json/intent-json.ts';
import type { ReceiptBooking, ReceiptBooks } from './receipt-books-port.ts';

// SQL: joins of attempts, intents and books that no model call says in one round trip.

type Row = Pick<ReceiptBooking, 'intentId' | 'receiptCode' | 'kind' | 'status' | 'inviterId'> & {
  readonly wallet: string;
  readonly outcome: unknown;
  readonly terms: unknown;
  readonly entries: Readonly<Record<string, string>> | null;
  readonly rewardInviter: string | null;
  readonly rewardLamports: string | null;
  readonly rewardStatus: 'ACCRUED' | 'BATCHED' | 'PAID' | null;
  readonly payoutSignature: string | null;
  readonly payoutParams: unknown;
};

export function createReceiptBooks(query: Query): ReceiptBooks {
  return {
    find: async (signature) => {
      const [row] = await query<Row>(
        `SELECT intent.id AS "intentId", intent.receipt AS "receiptCode", intent.kind, intent.status, wallet.address AS wallet,
           intent.outcome, attempt.terms, person.inviter_id AS "inviterId",
           (SELECT jsonb_object_agg(entry.account_key, entry.amount::text) FROM ledger_transfers AS transfer
             JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
             WHERE transfer.key = 'trade-fee/' || attempt.signature) AS entries,
           reward.inviter_id AS "rewardInviter", reward.lamports::text AS "rewardLamports", reward.status AS "rewardStatus",
           paid.signature AS "payoutSignature", payout.params AS "payoutParams"
         FROM attempts AS attempt JOIN intents AS intent ON intent.id = attempt.intent_id
         JOIN wallets AS wallet ON wallet.id = intent.wallet_id
         LEFT JOIN users AS person ON person.id = intent.user_id
         LEFT JOIN rewards AS reward ON reward.signature = attempt.signature
         LEFT JOIN intents AS payout ON payout.id = reward.payout_intent_id AND reward.status = 'PAID'
         LEFT JOIN attempts AS paid ON paid.intent_id = payout.id AND paid.status = 'FINALIZED'
         WHERE attempt.signature = $1`,
        [signature],
      );
      return row === undefined ? null : toBooking(row);
    },
    walletOf: async (intentId) => {
      const [row] = await query<{ readonly wallet: string }>(
        `SELECT wallets.address AS wallet FROM intents JOIN wallets ON wallets.id = intents.wallet_id WHERE intents.id = $1`,
        [intentId],
      );
      return row === undefined ? null : address(row.wallet);
    },
  };
}

function toBooking(row: Row): ReceiptBooking {
  const { intentId, receiptCode, kind, status, inviterId, rewardInviter, rewardStatus } = row;
  return {
    intentId,
    receiptCode,
    kind,
    status,
    inviterId,
    wallet: address(row.wallet),
    receipt: row.outcome === null ? null : OUTCOME.decode(row.intentId, row.outcome).receipt,
    terms: row.terms === null ? null : TERMS.decode(row.intentId, row.terms),
    entries: new Map(Object.entries(row.entries ?? {}).map(([key, amount]) => [key, BigInt(amount)])),
    reward:
      rewardInviter === null || rewardStatus === null
        ? null
        : {
            inviterId: rewardInviter,
            lamports: BigInt(row.rewardLamports ?? 0),
            status: rewardStatus,
            payout: payoutOf(row, rewardInviter),
          },
  };
}

function payoutOf(
  { payoutSignature, payoutParams }: Row,
  inviterId: string,
): { readonly signature: string; readonly recipient: Address; readonly lamports: bigint } | null {
  if (payoutSignature === null) return null;
  const params = PARAMS.decode(payoutSignature, payoutParams);
  const item = params.kind !== 'payout' ? undefined : params.items.find((one) => one.inviterId === inviterId);
  return item === undefined
    ? null
    : { signature: payoutSignature, recipient: item.recipient, lamports: item.lamports };
}

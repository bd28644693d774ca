import { toWallet, WALLET_COLUMNS, type WalletRow } from '../../../modules/wallets/store/wallet-store.ts';
import { type Columns, part, prefixed } from '../../../platform/db/prefixed-columns.ts';
import type { CertificateCheck } from '../../../platform/ports/certificates.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, toAttempt } from './attempt-store.ts';
import { INTENT_COLUMNS, type IntentRow, toIntent } from './intent-row.ts';
import type { WholeIntent } from './intent-store-port.ts';

/** An intent, its wallet and its attempts: a row per attempt, one without attempt where there is none yet. Order by `attempt.n`. */
export const WHOLE_TABLES = `intents intent JOIN wallets wallet ON wallet.id = intent.wallet_id
  LEFT JOIN attempts attempt ON attempt.intent_id = intent.id`;
export const WHOLE_COLUMNS = columnsOf('intent', 'wallet', 'attempt');

/** The same of `lease_intent`, which answers each table's row as one value. */
export const LEASED_COLUMNS = columnsOf('(leased.intent)', '(leased.wallet)', '(leased.attempt)');

/** One intent, from the rows of these tables; null without a row. Throws ROW_FORGED for a wallet that was not certified. */
export function toWhole(rows: readonly Columns[], certificates: CertificateCheck): WholeIntent | null {
  const [first] = rows;
  if (first === undefined) return null;
  return {
    intent: toIntent(part<IntentRow>(first, 'intent')),
    wallet: toWallet(part<WalletRow>(first, 'wallet'), certificates),
    attempts: rows.flatMap((row) =>
      row['attempt.id'] === null ? [] : [toAttempt(part<AttemptRow>(row, 'attempt'))],
    ),
  };
}

function columnsOf(intent: string, wallet: string, attempt: string): string {
  return [
    prefixed('intent', INTENT_COLUMNS, intent),
    prefixed('wallet', WALLET_COLUMNS, wallet),
    prefixed('attempt', ATTEMPT_COLUMNS, attempt),
  ].join(', ');
}

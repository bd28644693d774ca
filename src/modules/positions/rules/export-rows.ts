import { SOL_DECIMALS } from '@tradepost/solana';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { csvRow } from '../../../core/text/csv.ts';
import { scaleFactor, shownUnits, type UiScale } from '../../tokens/rules/ui-scale.ts';
import type { RecordedEvent } from '../store/position-store-port.ts';

/**
 * The facts about a token in an export. Null where the chain does not give them just now: then amounts are in smallest units. `uiScale`
 * says how its amounts are shown now.
 */
export type ExportToken = {
  readonly symbol: string;
  readonly decimals: number;
  readonly uiScale?: UiScale | null;
} | null;

export const TRADES_HEADER = csvRow([
  'time_utc',
  'wallet',
  'kind',
  'mint',
  'symbol',
  'decimals',
  'units',
  'lamports',
  'network_fee_lamports',
  'platform_fee_lamports',
  'rent_lamports',
  'slot',
  'signature',
  'intent_id',
  // Behind the former columns, so that a reader by position reads on.
  'amount_shown',
  'amount_scale',
]);

/**
 * One event with every number exact: smallest units and lamports; behind them the amount as screens show it, and by which factor that
 * is more than the units. No gain is computed: that differs by country.
 */
export function tradesRow(event: RecordedEvent, wallet: string, token: ExportToken): string {
  return csvRow([
    new Date(event.at).toISOString(),
    wallet,
    event.kind,
    event.mint,
    token?.symbol ?? '',
    token === null ? '' : String(token.decimals),
    unitsOf(event).toString(),
    lamportsOf(event).toString(),
    event.networkFeeLamports.toString(),
    event.platformFeeLamports.toString(),
    event.rentLamports.toString(),
    event.slot.toString(),
    event.signature,
    event.intentId ?? '',
    token === null ? '' : shownAmount(unitsOf(event), token),
    token === null ? '' : scaleFactor(token.uiScale),
  ]);
}

/** Koinly's universal format, column by column. */
export const KOINLY_HEADER = csvRow([
  'Date',
  'Sent Amount',
  'Sent Currency',
  'Received Amount',
  'Received Currency',
  'Fee Amount',
  'Fee Currency',
  'Net Worth Amount',
  'Net Worth Currency',
  'Label',
  'Description',
  'TxHash',
]);

/**
 * The same event as Koinly reads it: SOL and tokens in whole units as screens show them, the fees beside the amount that was swapped.
 * The mint is in the description, since a symbol names no token, and the factor of a token that scales its amounts.
 */
export function koinlyRow(event: RecordedEvent, token: ExportToken): string {
  const { sent, received, fee, label } = koinlySides(event, token);
  return csvRow([
    // As Koinly's template has it: a time without a zone would be the reader's.
    `${new Date(event.at).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    ...(sent ?? NOTHING),
    ...(received ?? NOTHING),
    ...(fee > 0n ? sol(fee) : NOTHING),
    ...NOTHING,
    label,
    `${event.kind} ${event.mint}${token?.uiScale == null ? '' : ` × ${scaleFactor(token.uiScale)}`}`,
    event.signature,
  ]);
}

type Side = readonly [amount: string, currency: string];
type Koinly = {
  readonly sent?: Side;
  readonly received?: Side;
  readonly fee: bigint;
  readonly label: string;
};

const NOTHING: Side = ['', ''];
const sol = (lamports: bigint): Side => [formatUnits(lamports, SOL_DECIMALS), 'SOL'];

function koinlySides(event: RecordedEvent, token: ExportToken): Koinly {
  const fee = event.networkFeeLamports + event.platformFeeLamports;
  const units: Side =
    token === null
      ? [unitsOf(event).toString(), event.mint]
      : [shownAmount(unitsOf(event), token), token.symbol];
  switch (event.kind) {
    case 'buy':
      return { sent: sol(-event.flowLamports - fee), received: units, fee, label: '' };
    case 'sell':
      return { sent: units, received: sol(event.flowLamports + fee), fee, label: '' };
    case 'creation':
      return { sent: sol(event.costLamports - fee), received: units, fee, label: '' };
    case 'failed':
      return { sent: sol(event.feeLamports), fee: 0n, label: 'cost' };
    case 'own-out':
    case 'withdrawn':
      return { sent: units, fee, label: '' };
    case 'taken':
      return { sent: units, fee: 0n, label: 'lost' };
    case 'own-in':
    case 'received':
    case 'remainder':
      return { received: units, fee: 0n, label: '' };
    case 'airdrop':
      return { received: units, fee: 0n, label: 'airdrop' };
    case 'adjustment':
      return event.units < 0n
        ? { sent: [units[0].replace('-', ''), units[1]], fee: 0n, label: '' }
        : { received: units, fee: 0n, label: '' };
  }
}

const shownAmount = (units: bigint, { decimals, uiScale }: NonNullable<ExportToken>): string =>
  formatUnits(shownUnits(units, uiScale), decimals);

const unitsOf = (event: RecordedEvent): bigint => (event.kind === 'failed' ? 0n : event.units);

/** As the kind has it: a trade's flow with its sign, a fee, a value or a cost. */
function lamportsOf(event: RecordedEvent): bigint {
  switch (event.kind) {
    case 'buy':
    case 'sell':
      return event.flowLamports;
    case 'failed':
      return -event.feeLamports;
    case 'received':
      return event.valueLamports;
    case 'creation':
      return -event.costLamports;
    case 'own-out':
    case 'own-in':
    case 'airdrop':
    case 'withdrawn':
    case 'taken':
    case 'remainder':
    case 'adjustment':
      return 0n;
  }
}

/**
 * PAYOUTS (10,000 unless set) inviters are paid on the local chain by two worker processes, one of which is killed after every
 * twenty payouts or so: transactions used, and whether each was paid exactly once by the chain's own balances.
 */
import { runPayouts } from '../scripts/torture/payouts.ts';
import type { Row } from './run.ts';

export const name = 'payouts';

export async function run(): Promise<readonly Row[]> {
  const inviters = Number(process.env['PAYOUTS'] ?? 10_000);
  const result = await runPayouts({ inviters, killEvery: 20, seed: 1, withinMs: 7_200_000 });
  const goal = Math.ceil((inviters * 700) / 10_000);
  return [
    { metric: 'inviters owed', value: result.inviters, unit: '' },
    { metric: 'transactions', value: result.transactions, unit: '', note: `goal <= ${goal}` },
    { metric: 'workers killed', value: result.kills, unit: '' },
    { metric: 'inviters not paid exactly once', value: result.wronglyPaid, unit: '', note: 'must be 0' },
    { metric: 'rewards unpaid', value: result.unpaid, unit: '', note: 'must be 0' },
    { metric: 'lamports still owed', value: Number(result.stillOwed), unit: '', note: 'must be 0' },
    { metric: 'bugs of workers', value: result.bugs.length, unit: '', note: 'must be 0' },
    { metric: 'time', value: result.seconds, unit: 's' },
  ];
}

import { hasAged } from '../../../core/time/age.ts';
import { hasCome } from '../../../core/time/span.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import { type Agreement, secondLook } from '../rules/agreement.ts';
import { encodeDeposit } from '../rules/deposit-notice.ts';
import type { Deposit } from '../store/deposit-store-port.ts';
import type { AskAgreement } from './agree.ts';
import type { TellDeps } from './tell-deposits.ts';

export const LOOKED_AT_AGAIN_MS = 60_000;
/** The pause while nothing is due. It finds deposits that a process reported before it died. */
const IDLE_MS = 600_000;
/** Nodes that agree on nothing for so long are an operator's matter. */
const LONGEST_MS = 3_600_000;
const PAGE = 50;

type Deps = TellDeps & { readonly agree: AskAgreement; readonly log: Pick<Logger, 'warn' | 'error'> };

/**
 * Checks each reported deposit once more a minute later: it holds, or the person gets the correction, once. A deposit on which the nodes do
 * not agree is checked again, for an hour. Then it holds and an operator gets a log line.
 */
export function createSecondLook(deps: Deps) {
  const { db, clock } = deps;
  let nextAt = clock.now();
  /** Deposits that one node alone did not know at the last look. */
  const missed = new Set<string>();
  return {
    isDue: () => hasCome(nextAt, clock.now(), IDLE_MS),
    nextAt: () => nextAt,
    later: (at: number): void => {
      nextAt = at;
    },
    /** A deposit was reported: it is checked when its minute is over. */
    told: (): void => {
      nextAt = Math.min(nextAt, clock.now() + LOOKED_AT_AGAIN_MS);
    },
    async run(): Promise<void> {
      const now = clock.now();
      const due = await db.deposits.toldBefore(now - LOOKED_AT_AGAIN_MS, PAGE);
      let open = 0;
      for (const deposit of due) if (!(await isOver(deps, deposit, missed))) open += 1;
      const rest = due.length === PAGE && open < PAGE ? 0 : open > 0 ? LOOKED_AT_AGAIN_MS : IDLE_MS;
      nextAt = now + rest;
    },
  };
}

/** False while it has to be looked at again. */
async function isOver(deps: Deps, deposit: Deposit, missed: Set<string>): Promise<boolean> {
  const { db, clock, log } = deps;
  const { walletId, asset, signature, units } = deposit;
  const wallet = await db.wallets.find(walletId);
  if (wallet === null) {
    await db.deposits.settle(deposit, 'STANDS');
    return true;
  }
  const agreement = await deps.agree(signature, wallet.address);
  const look = secondLook(agreement, wallet.address, deposit);
  const about = { walletId, asset, signature, told: units };
  if (look.kind === 'stands') {
    await db.deposits.settle(deposit, 'STANDS');
    return true;
  }
  if (look.kind === 'open' || isFirstMiss(agreement, `${walletId}/${asset}/${signature}`, missed)) {
    if (!hasAged(deposit.at, LONGEST_MS, clock)) return false;
    log.error(about, 'nodes do not agree on a deposit that was told; look at the transaction');
    await db.deposits.settle(deposit, 'STANDS');
    return true;
  }
  await correct(deps, deposit, look.units);
  log.error(
    { ...about, real: look.units },
    'a deposit was told that the chain does not have so; it was corrected',
  );
  return true;
}

/** One node alone may have lost its history: it has to say so twice. */
function isFirstMiss(agreement: Agreement, name: string, missed: Set<string>): boolean {
  const isAlone = (agreement.kind === 'gone' || agreement.kind === 'agreed') && agreement.sources === 1;
  if (!isAlone || missed.has(name)) return false;
  missed.add(name);
  return true;
}

async function correct({ db, clock, ids, nudge }: Deps, deposit: Deposit, real: bigint): Promise<void> {
  const { walletId, userId, asset, units, signature } = deposit;
  await db.transact(async (stores) => {
    if (!(await stores.deposits.settle(deposit, 'CORRECTED'))) return;
    const mint = asset === 'SOL' ? null : asset;
    const payload = encodeDeposit({ walletId, mint, units: real, known: true, signature, was: units });
    await addNotices({ clock, ids }, stores, [{ userId, intentId: null, kind: 'deposit', payload }]);
  });
  nudge();
}

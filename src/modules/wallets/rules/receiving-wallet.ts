import type { Wallet } from './wallet.ts';

type Receiver = Pick<Wallet, 'id' | 'deletedAt' | 'origin' | 'confirmedAt' | 'payoutFrom'>;

/** Whether money may be sent to this wallet without a question: it was made here, or its person confirmed it and the wait is over. */
export function mayReceive(
  { origin, confirmedAt }: Pick<Wallet, 'origin' | 'confirmedAt'>,
  now: number,
): boolean {
  return origin === 'made' || (confirmedAt !== null && confirmedAt <= now);
}

/**
 * The wallet whose address a person is shown for deposits: `wantedId`, which is the active one mostly, where it may receive, else the
 * oldest made here, else the oldest confirmed one. Null where no wallet of theirs may receive. `wallets` are one person's, in any order.
 */
export function receivingWallet<W extends Receiver>(
  wallets: readonly W[],
  wantedId: string | null,
  now: number,
): W | null {
  const receivers = receiversOf(wallets, now);
  return receivers.find(({ id }) => id === wantedId) ?? receivers[0] ?? null;
}

/**
 * The wallet that payouts go to: the last one that was chosen for it, else the oldest made here, else the oldest confirmed one. Null
 * where no wallet may receive. The active wallet has no say: a switch takes no proof.
 */
export function payoutWallet<W extends Receiver>(wallets: readonly W[], now: number): W | null {
  const receivers = receiversOf(wallets, now);
  const chosen = receivers
    .filter(({ payoutFrom }) => payoutFrom !== null && payoutFrom <= now)
    .sort((a, b) => (b.payoutFrom ?? 0) - (a.payoutFrom ?? 0));
  return chosen[0] ?? receivers[0] ?? null;
}

/** Those made here before imported ones, and of each the oldest first: ids are ordered by time. */
function receiversOf<W extends Receiver>(wallets: readonly W[], now: number): W[] {
  const rank = ({ origin }: W): number => (origin === 'made' ? 0 : 1);
  return wallets
    .filter((wallet) => wallet.deletedAt === null && mayReceive(wallet, now))
    .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}

/** The acts that make a wallet one that receives. */
export type Receiving = 'wallet-confirm' | 'payout-wallet';

/**
 * Whether the act can be asked of this wallet now: an imported one that neither receives nor waits for it, or for payouts one that
 * receives and neither was chosen nor waits to be. One that was chosen before another one can be chosen again.
 */
export function mayBeAsked(act: Receiving, wallet: Receiver, now: number): boolean {
  if (act === 'wallet-confirm') return wallet.origin === 'imported' && wallet.confirmedAt === null;
  return mayReceive(wallet, now) && (wallet.payoutFrom === null || wallet.payoutFrom <= now);
}

/** Whether something of it still waits to count, so that Stop can take it back. */
export function waitsToReceive(
  { deletedAt, confirmedAt, payoutFrom }: Pick<Receiver, 'deletedAt' | 'confirmedAt' | 'payoutFrom'>,
  now: number,
): boolean {
  return deletedAt === null && [confirmedAt, payoutFrom].some((at) => at !== null && at > now);
}

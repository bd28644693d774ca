import { FEE_KINDS } from '../../../src/engine/fees/rules/fee-kinds.ts';
import {
  type AccountRef,
  accountKey,
  isHouse,
  type LedgerEntry,
  type LedgerTransfer,
} from '../../../src/engine/ledger/rules/entry.ts';
import type { LedgerStore } from '../../../src/engine/ledger/store/ledger-store-port.ts';
import type { Reward } from '../../../src/modules/referrals/rules/reward.ts';
import { inviteeMark } from '../../../src/modules/referrals/store/invitee-mark.ts';
import type { ReferralStore } from '../../../src/modules/referrals/store/referral-store-port.ts';
import { payoutWallet } from '../../../src/modules/wallets/rules/receiving-wallet.ts';
import { byId, insertRow, type MemoryAccess, type MemoryView, requireRow } from './memory-state.ts';

export function memoryLedgerStore({ read, write }: MemoryAccess): LedgerStore {
  const postAll = (transfers: readonly LedgerTransfer[]) => write((view) => postTransfers(view, transfers));
  return {
    post: async (transfer) => (await postAll([transfer])) === 1,
    postAll,
    entriesOf: (keys) =>
      read((view) =>
        keys.flatMap((key) =>
          (view.transfers.get(key)?.entries ?? []).map(({ account, amount }) => ({
            key,
            accountKey: accountKey(account),
            amount,
          })),
        ),
      ),
    balance: (account: AccountRef) => read((view) => view.balances.get(accountKey(account)) ?? 0n),
  };
}

/** Posts inside a store's own step. */
export function postTransfers(view: MemoryView, transfers: readonly LedgerTransfer[]): number {
  for (const { key, entries } of transfers) {
    const sum = entries.reduce((total, entry) => total + entry.amount, 0n);
    if (sum !== 0n) throw new RangeError(`ledger: the entries of ${key} sum to ${sum}, not 0`);
  }
  const entries: LedgerEntry[] = [];
  let applied = 0;
  for (const transfer of transfers) {
    if (view.transfers.get(transfer.key)) continue;
    view.transfers.set(transfer.key, structuredClone(transfer));
    entries.push(...transfer.entries);
    applied += 1;
  }
  for (const { account, amount } of entries) {
    const key = accountKey(account);
    view.balances.set(key, (view.balances.get(key) ?? 0n) + amount);
  }
  for (const { account } of entries) {
    const balance = view.balances.get(accountKey(account)) ?? 0n;
    if (!isHouse(account) && balance < 0n) {
      throw new RangeError(`ledger: ${accountKey(account)} would fall to ${balance}`);
    }
  }
  return applied;
}

export function memoryReferralStore({ read, write }: MemoryAccess): ReferralStore {
  const sum = (rewards: readonly Reward[]) => rewards.reduce((total, reward) => total + reward.lamports, 0n);
  return {
    account: (userId) => read((view) => view.referralAccounts.get(userId) ?? null),
    accountByCode: (code) =>
      read((view) => view.referralAccounts.rows().find((account) => account.code === code) ?? null),
    open: (account) =>
      write((view) => {
        const standing = view.referralAccounts.get(account.userId);
        if (standing) return standing;
        requireRow(view.users, 'users', account.userId);
        if (view.referralAccounts.rows().some((other) => other.code === account.code)) {
          throw new Error(`referral_accounts: duplicate code ${account.code}`);
        }
        view.referralAccounts.set(account.userId, { ...account });
        return account;
      }),
    codeOwner: (code) => read((view) => ownerOf(view, code)),
    rename: (_passed, userId, code, at) =>
      write((view) => {
        void at;
        const account = view.referralAccounts.get(userId);
        const owner = ownerOf(view, code);
        if (!account || account.code === code || (owner !== null && owner !== userId)) return false;
        view.retiredCodes.set(account.code, userId);
        view.referralAccounts.set(userId, { ...account, code, codesChosen: account.codesChosen + 1 });
        return true;
      }),
    addArrival: (arrival) =>
      write((view) => {
        requireRow(view.users, 'users', arrival.inviteeId);
        if (!view.arrivals.get(arrival.inviteeId)) view.arrivals.set(arrival.inviteeId, { ...arrival });
      }),
    campaigns: (inviterId, limit) =>
      read((view) => {
        const mine = view.arrivals.rows().filter((arrival) => arrival.inviterId === inviterId);
        return [...new Set(mine.map(({ tag }) => tag))]
          .map((tag) => {
            const people = mine.filter((arrival) => arrival.tag === tag).map(({ inviteeId }) => inviteeId);
            return {
              tag,
              invited: people.length,
              active: people.filter((id) => hasTraded(view, id)).length,
              earnedLamports: sum(
                view.rewards
                  .rows()
                  .filter((r) => r.inviterId === inviterId && people.includes(r.inviteeId ?? '')),
              ),
            };
          })
          .sort((a, b) => b.invited - a.invited || (a.tag < b.tag ? -1 : 1))
          .slice(0, limit);
      }),
    totals: (userId) =>
      read((view) => {
        const mine = view.rewards
          .rows()
          .filter((reward) => reward.inviterId === userId && reward.source === 'referral');
        const earned = sum(mine);
        const paid = sum(mine.filter((reward) => reward.status === 'PAID'));
        const invitees = view.users.rows().filter((user) => user.inviterId === userId);
        return {
          invited: invitees.length,
          active: invitees.filter((user) => hasTraded(view, user.id)).length,
          earnedLamports: earned,
          paidLamports: paid,
          pendingLamports: earned - paid,
          lastPayout: lastPayout(view, mine),
        };
      }),
    volume: (userId, since) =>
      read((view) => {
        const invitees = new Set(
          view.users
            .rows()
            .filter((user) => user.inviterId === userId)
            .map(({ id }) => id),
        );
        let volume = 0n;
        for (const { userId: trader, kind, status, outcome, updatedAt } of view.intents.rows()) {
          const receipt = outcome?.receipt;
          if (trader === null || !invitees.has(trader) || status !== 'SUCCEEDED' || updatedAt < since)
            continue;
          if (!receipt || (kind !== 'buy' && kind !== 'sell')) continue;
          const side = receipt.walletLamportsDelta + receipt.feeLamports + receipt.rentLamports;
          const moved = kind === 'buy' ? -side : side + receipt.platformFeeLamports;
          if (moved > 0n) volume += moved;
        }
        return volume;
      }),
    payoutSources: (payoutIntentId) =>
      read((view) => {
        const found = view.rewards.rows().filter((reward) => reward.payoutIntentId === payoutIntentId);
        const keys = new Set(found.map(({ inviterId, source }) => `${inviterId}/${source}`));
        return [...keys].sort().map((key) => {
          const [inviterId = '', source] = key.split('/');
          return { inviterId, source: source as Reward['source'] };
        });
      }),
    addReward: (reward) =>
      write((view) => {
        if (view.rewards.rows().some((other) => other.signature === reward.signature)) return false;
        requireRow(view.users, 'users', reward.inviterId);
        requireRow(view.users, 'users', reward.inviteeId);
        requireRow(view.intents, 'intents', reward.intentId);
        requireRow(view.intents, 'intents', reward.payoutIntentId);
        insertRow(view.rewards, 'rewards', reward.id, { ...reward });
        return true;
      }),
    payoutConversions: (payoutIntentId) =>
      read((view) =>
        view.rewards
          .rows()
          .filter((reward) => reward.payoutIntentId === payoutIntentId && reward.source === 'conversion')
          .sort(byId)
          .map(({ inviterId: userId, signature: name, lamports }) => ({ userId, name, lamports })),
      ),
    payoutCandidates: ({ offset, limit, leastLamports, now, conversions }) =>
      read((view) =>
        accruedSums(view, conversions)
          .flatMap(({ inviterId, lamports }) => {
            const own = view.wallets.rows().filter(({ userId }) => userId === inviterId);
            const wallet = payoutWallet(own, now);
            return wallet !== null && lamports >= leastLamports
              ? [{ inviterId, recipient: wallet.address, lamports }]
              : [];
          })
          .slice(offset, offset + limit),
      ),
    lockAccrued: (inviterIds, conversions) =>
      write((view) =>
        accruedSums(view, conversions).filter(({ inviterId }) => inviterIds.includes(inviterId)),
      ),
    markBatched: (rewardIds, payoutIntentId) =>
      write((view) => {
        requireRow(view.intents, 'intents', payoutIntentId);
        for (const id of rewardIds) {
          const reward = view.rewards.get(id);
          if (reward?.status !== 'ACCRUED') throw new Error(`rewards: ${id} is not ACCRUED`);
          view.rewards.set(id, { ...reward, status: 'BATCHED', payoutIntentId });
        }
      }),
    settle: (payoutIntentId, status) =>
      write((view) => {
        for (const reward of view.rewards.rows()) {
          if (reward.payoutIntentId !== payoutIntentId || reward.status !== 'BATCHED') continue;
          view.rewards.set(reward.id, {
            ...reward,
            status,
            payoutIntentId: status === 'PAID' ? payoutIntentId : null,
          });
        }
      }),
    rewards: (inviterId, limit) =>
      read((view) =>
        view.rewards
          .rows()
          .filter((reward) => reward.inviterId === inviterId)
          .sort((a, b) => byId(b, a))
          .slice(0, limit),
      ),
    rewardLines: (inviterId, { offset, limit }) =>
      read((view) =>
        view.rewards
          .rows()
          .filter((reward) => reward.inviterId === inviterId && reward.source === 'referral')
          .sort((a, b) => byId(b, a))
          .slice(offset, offset + limit)
          .map((reward) => {
            const intent = view.intents.get(reward.intentId ?? '');
            const paid = view.attempts
              .rows()
              .find((one) => one.intentId === reward.payoutIntentId && one.status === 'FINALIZED');
            return {
              ...reward,
              inviteeMark: reward.inviteeId === null ? null : inviteeMark(inviterId, reward.inviteeId),
              receipt: intent?.receipt ?? null,
              kind: intent?.kind ?? null,
              payoutSignature: reward.status === 'PAID' ? (paid?.signature ?? null) : null,
            };
          }),
      ),
    uncounted: (inviterId, { offset, limit }) =>
      read((view) =>
        view.intents
          .rows()
          .filter(
            (intent) =>
              intent.userId !== null &&
              view.users.get(intent.userId)?.inviterId === inviterId &&
              FEE_KINDS.includes(intent.kind) &&
              !view.rewards.rows().some((reward) => reward.intentId === intent.id),
          )
          .sort((a, b) => byId(b, a))
          .slice(offset, offset + limit)
          .map((intent) => ({
            inviteeMark: inviteeMark(inviterId, intent.userId ?? ''),
            receipt: intent.receipt,
            kind: intent.kind,
            status: intent.status,
            feeLamports: intent.outcome?.receipt?.platformFeeLamports ?? null,
            createdAt: intent.createdAt,
          })),
      ),
  };
}

function ownerOf(view: MemoryView, code: string): string | null {
  const account = view.referralAccounts.rows().find((one) => one.code === code);
  return account?.userId ?? view.retiredCodes.get(code) ?? null;
}

/** What is payable to each inviter, largest first. */
function accruedSums(view: MemoryView, conversions: readonly string[]) {
  const byInviter = new Map<string, { lamports: bigint; rewardIds: string[] }>();
  for (const { id, inviterId, lamports, status, source, signature } of view.rewards.rows().sort(byId)) {
    if (status !== 'ACCRUED') continue;
    if (source === 'conversion' && !conversions.includes(signature.split('.')[0] ?? '')) continue;
    const known = byInviter.get(inviterId) ?? { lamports: 0n, rewardIds: [] };
    byInviter.set(inviterId, { lamports: known.lamports + lamports, rewardIds: [...known.rewardIds, id] });
  }
  return [...byInviter]
    .map(([inviterId, row]) => ({ inviterId, ...row }))
    .sort((a, b) =>
      a.lamports === b.lamports ? (a.inviterId < b.inviterId ? -1 : 1) : a.lamports > b.lamports ? -1 : 1,
    );
}

function hasTraded(view: MemoryView, userId: string): boolean {
  return view.intents
    .rows()
    .some(
      (intent) =>
        intent.userId === userId &&
        intent.status === 'SUCCEEDED' &&
        (intent.kind === 'buy' || intent.kind === 'sell'),
    );
}

function lastPayout(view: MemoryView, rewards: readonly Reward[]): { signature: string; at: number } | null {
  const payouts = new Set(rewards.filter((reward) => reward.status === 'PAID').map((r) => r.payoutIntentId));
  const paid = view.attempts
    .rows()
    .filter((attempt) => attempt.status === 'FINALIZED' && payouts.has(attempt.intentId))
    .map((attempt) => ({
      signature: attempt.signature,
      at: view.intents.get(attempt.intentId)?.updatedAt ?? 0,
    }))
    .sort((a, b) => b.at - a.at);
  return paid[0] ?? null;
}

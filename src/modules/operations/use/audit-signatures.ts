import { ageAt } from '../../../core/time/age.ts';
import { intentIdOfMemo } from '../../../engine/intents/rules/memo-intent.ts';
import type { AuditedWallet, SignatureBooks } from '../../../engine/signing/store/signature-books-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { ChainHistory, HistoryEntry } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Mismatch } from '../../../platform/ports/operations.ts';

export type AuditSignaturesDeps = {
  readonly signatures: SignatureBooks;
  /** The caller bounds how often these ask. */
  readonly chain: Pick<Chain, 'landed'>;
  readonly history: Pick<ChainHistory, 'signatures' | 'balances'>;
  readonly clock: Clock;
  readonly onProgress?: (line: string) => void;
};

/** A signature of one of our keys that no attempt holds. */
export type UnknownSignature = {
  readonly signature: string;
  readonly wallet: AuditedWallet;
  /** The intent that its memo names; null: the memo is not ours. */
  readonly intentId: string | null;
  /** When it landed; null where the node does not know. */
  readonly at: number | null;
};

export type SignatureAudit = {
  readonly wallets: number;
  /** Wallets whose transactions were listed. */
  readonly walked: number;
  readonly listed: number;
  readonly mismatches: readonly Mismatch[];
  /** Signatures with our memo that no attempt knows: the database is older than the chain. */
  readonly unbooked: readonly UnknownSignature[];
  /** Signed by imported or exported keys, which their owners hold too: a sign of nothing. */
  readonly byOwners: number;
};

const WALLETS = 100;
const PAGE = 1_000;
const AT_ONCE = 4;
/** Once a week each wallet is walked, at any balance. */
const WHOLE_EVERY_MS = 6.5 * 86_400_000;

/**
 * Compares the signatures of our wallets on the chain, the treasury's included, with the attempts of the database. Walks a wallet whose
 * lamports changed since its last check, or that was not checked for a week, down to where it was known. The treasury, and every wallet
 * when `whole`, is walked down to the first transaction. A wallet without a finding is remembered as far as it was walked, so a finding is
 * reported each time until it is mended. Throws CHAIN_UNREACHABLE; wallets until then stay checked.
 */
export async function auditSignatures(
  deps: AuditSignaturesDeps,
  options: { readonly whole: boolean },
): Promise<SignatureAudit> {
  const found = new Map<string, Finding>();
  const sum = { wallets: 0, walked: 0, listed: 0, byOwners: 0 };
  for (let after = ''; ; ) {
    const page = await deps.signatures.wallets(after, WALLETS);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
    const balances = await deps.history.balances(page.map(({ address }) => address));
    const due = page.flatMap((wallet, index) => {
      const lamports = balances.lamports[index] ?? 0n;
      return isDue(wallet, lamports, deps.clock.now(), options.whole) ? [{ wallet, lamports }] : [];
    });
    for (let at = 0; at < due.length; at += AT_ONCE) {
      const looks = await Promise.all(
        due
          .slice(at, at + AT_ONCE)
          .map((one) => walkWallet(deps, { ...one, minSlot: balances.slot, whole: options.whole })),
      );
      for (const { listed, byOwners, findings } of looks) {
        sum.listed += listed;
        sum.byOwners += byOwners;
        for (const finding of findings) found.set(finding.mismatch.subject, finding);
      }
    }
    sum.wallets += page.length;
    sum.walked += due.length;
    deps.onProgress?.(`${sum.wallets} wallets looked at, ${sum.walked} of them walked`);
  }
  const findings = [...found.values()];
  return {
    ...sum,
    mismatches: findings.map(({ mismatch }) => mismatch),
    unbooked: findings.flatMap(({ unbooked }) => (unbooked === null ? [] : [unbooked])),
  };
}

type Finding = { readonly mismatch: Mismatch; readonly unbooked: UnknownSignature | null };

function isDue(
  { cursor, isTreasury }: AuditedWallet,
  lamports: bigint,
  now: number,
  whole: boolean,
): boolean {
  if (whole || isTreasury || cursor === null) return true;
  return cursor.lamports !== lamports || ageAt(cursor.auditedAt, now) > WHOLE_EVERY_MS;
}

/** Looks at one wallet, newest first, down to where it was known; moves its cursor when nothing was found. */
async function walkWallet(
  deps: AuditSignaturesDeps,
  look: {
    readonly wallet: AuditedWallet;
    readonly lamports: bigint;
    readonly minSlot: bigint;
    readonly whole: boolean;
  },
): Promise<{ readonly listed: number; readonly byOwners: number; readonly findings: readonly Finding[] }> {
  const { wallet, lamports, minSlot } = look;
  const known = look.whole ? null : (wallet.cursor?.signature ?? null);
  const findings: Finding[] = [];
  let [listed, byOwners] = [0, 0];
  let isFresh = true;
  let newest: string | null = null;
  for (let before: string | null = null; ; ) {
    const page = await deps.history.signatures(wallet.address, { before, limit: PAGE, minSlot });
    newest ??= page[0]?.signature ?? null;
    const end = page.findIndex(({ signature }) => signature === known);
    if (end !== -1) isFresh = false;
    const fresh = isFresh ? page : page.slice(0, Math.max(end, 0));
    // The wallet that pays everybody is compared whole each time, without requests for transfers from strangers.
    const old = wallet.isTreasury ? page.slice(fresh.length).filter(isClaimed) : [];
    listed += fresh.length;
    for (const verdict of await judge(deps, wallet, [...fresh, ...old])) {
      if (verdict === 'by-its-owner') byOwners += 1;
      else findings.push(verdict);
    }
    before = page.at(-1)?.signature ?? null;
    if (before === null || !(isFresh || wallet.isTreasury)) break;
  }
  if (findings.length === 0) {
    const auditedAt = deps.clock.now();
    // A node that keeps no history lists nothing: known signatures stay known.
    const signature = newest ?? wallet.cursor?.signature ?? null;
    await deps.signatures.keep(wallet.id, { signature, lamports, auditedAt });
  }
  return { listed, byOwners, findings };
}

const isClaimed = ({ memo }: HistoryEntry): boolean => intentIdOfMemo(memo) !== null;

async function judge(
  deps: AuditSignaturesDeps,
  wallet: AuditedWallet,
  entries: readonly HistoryEntry[],
): Promise<readonly (Finding | 'by-its-owner')[]> {
  const known = await deps.signatures.known(entries.map(({ signature }) => signature));
  const verdicts: (Finding | 'by-its-owner')[] = [];
  for (const entry of entries) {
    const status = known.get(entry.signature);
    if (status === 'DEAD') {
      verdicts.push(
        finding('landed-dead', entry.signature, 'an attempt was judged dead; the chain shows it'),
      );
    }
    if (status !== undefined) continue;
    const verdict = await judgeUnknown(deps, wallet, entry);
    if (verdict !== null) verdicts.push(verdict);
  }
  return verdicts;
}

/** Null: others signed it, and it only names our wallet. */
async function judgeUnknown(
  { chain, signatures }: AuditSignaturesDeps,
  wallet: AuditedWallet,
  entry: HistoryEntry,
): Promise<Finding | 'by-its-owner' | null> {
  const { signature } = entry;
  const landed = await chain.landed(signature);
  if (landed === null) {
    return finding('unserved', signature, `it names ${wallet.address}, and no endpoint serves it`);
  }
  // The required signers are the first accounts of a message. A thief may let another wallet pay.
  const signers = landed.balances.slice(0, landed.signatureCount).map(({ address }) => address);
  if (!signers.includes(wallet.address)) return null;
  if (!wallet.isTreasury && (await signatures.sharedKeys([wallet.id])).size > 0) return 'by-its-owner';
  const intentId = intentIdOfMemo(entry.memo);
  const end = entry.err === null ? '' : ' (failed)';
  const whose = wallet.isTreasury ? 'the treasury' : wallet.address;
  if (intentId === null) {
    return finding(
      'foreign-signature',
      signature,
      `${whose} signed it and this service did not${end}: its key is out. Pause signing and move what its key guards`,
    );
  }
  return {
    ...finding(
      wallet.isTreasury ? 'chain-unbooked' : 'wallet-unbooked',
      signature,
      `${whose} signed it for intent ${intentId}, which has no such attempt${end}`,
    ),
    unbooked: { signature, wallet, intentId, at: entry.at },
  };
}

function finding(rule: string, subject: string, detail: string): Finding {
  return { mismatch: { rule, subject, detail }, unbooked: null };
}

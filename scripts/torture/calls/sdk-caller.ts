import { sign } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../test/support/simulator/random.ts';
import { type Diary, wordOf } from './diary.ts';
import type { Integrator } from './integrators.ts';
import type { Call } from './judge.ts';
import type { Sdk } from './product.ts';

export const SOL = 'So11111111111111111111111111111111111111112';
/** Thousands of strangers push one pool. */
export const SLIPPAGE_BPS = 3_000;
/** The caller gives up on a call that has no word by then: the run's finding, not its end. */
const GIVES_UP_MS = 900_000;
/** Longer than a transaction lives, so that its end is heard. */
const PATIENCE_MS = 45_000;
/** Of 1: callers whose patience ends while the transaction may still land, and who then begin again. */
const HASTY = 0.3;
const HASTY_MS = { least: 3_000, most: 12_000 };
/** Of 1: callers of whom two processes do the same work at once, as a queue does that delivers twice. */
const TWINS = 0.1;
/** A signer who thinks about it, so that the blockhash is nearly over. */
const SLOW_SIGNER_MS = 22_000;
const AGAIN_MS = 400;
const LATEST_DEATH_MS = 12_000;
/** After the end of all that was signed, so long until "unknown here" means "never taken". */
const UNKNOWN_FOR_MS = 12_000;

export type SdkOrder = {
  readonly baseUrl: string;
  /** Null for a caller of the open host, who has an address of its own. */
  readonly apiKey: string | null;
  readonly ip: string;
  readonly mint: string;
  readonly lamports: bigint;
};

type Kept = { readonly transaction: Uint8Array; readonly submitToken: string | null };

/**
 * A swap by the SDK alone, as its README tells: one idempotency key, and two builds at most. Some of its processes are ended in the middle;
 * the next one begins again with the key, or with the bytes that were kept before they were submitted. Resolves when the caller knows the
 * end, or has waited a quarter of an hour.
 */
export async function swapBySdk(of: {
  readonly sdk: Sdk;
  readonly diary: Diary;
  readonly who: Integrator;
  readonly order: SdkOrder;
  readonly random: Random;
}): Promise<Call> {
  const { diary, random } = of;
  const startedAt = performance.now();
  const hurry = {
    slow: random.chance(0.12),
    dies: random.chance(0.15),
    diesAfterMs: random.between(50, LATEST_DEATH_MS),
    isHasty: random.chance(HASTY),
    patienceMs: random.between(HASTY_MS.least, HASTY_MS.most),
    areTwins: random.chance(TWINS),
  };
  const patienceMs = hurry.isHasty ? hurry.patienceMs : PATIENCE_MS;
  let kept: Kept | null = null;
  let unknownSince: number | null = null;
  const keep = (next: Kept): void => {
    kept = next;
  };
  for (let life = 0; performance.now() - startedAt < GIVES_UP_MS; life += 1) {
    const dying = new AbortController();
    const timer = life === 0 && hurry.dies ? setTimeout(() => dying.abort(), hurry.diesAfterMs) : null;
    // A process that lost its memory begins with the key alone.
    const forgets = life === 1 && (hurry.dies || hurry.isHasty) && random.chance(0.5);
    const from: Kept | null = forgets ? null : kept;
    const run = () =>
      oneLife({ ...of, from, keep, patienceMs, slow: hurry.slow && life === 0, signal: dying.signal });
    const end = life === 0 && hurry.areTwins ? later(await Promise.all([run(), run()])) : await run();
    if (timer !== null) clearTimeout(timer);
    if (end.kind === 'ended') return diary.close(end.as, end.why);
    const isGone = end.kind === 'unknown' && diary.isOver(end.signature);
    unknownSince = isGone ? (unknownSince ?? performance.now()) : null;
    if (unknownSince !== null && performance.now() - unknownSince > UNKNOWN_FOR_MS)
      return diary.close('refused', 'TRANSACTION_UNKNOWN');
    await pause(AGAIN_MS);
  }
  return diary.close('open');
}

type LifeEnd =
  | { readonly kind: 'ended'; readonly as: Call['ended']; readonly why?: string }
  /** No answer told of the signature, and once it can land no more the service says that it does not know it. */
  | { readonly kind: 'unknown'; readonly signature: string }
  | { readonly kind: 'again' };

/** Of two processes the one that knows more: a word, else the one that goes on. */
function later([one, other]: readonly [LifeEnd, LifeEnd]): LifeEnd {
  const known = [one, other].find((end) => end.kind === 'ended' && end.as !== 'refused');
  return known ?? [one, other].find(({ kind }) => kind === 'again') ?? one;
}

async function oneLife(of: {
  readonly sdk: Sdk;
  readonly diary: Diary;
  readonly who: Integrator;
  readonly order: SdkOrder;
  readonly from: Kept | null;
  readonly keep: (kept: Kept) => void;
  readonly slow: boolean;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}): Promise<LifeEnd> {
  const { sdk, diary, who, order, from, keep, slow, patienceMs, signal } = of;
  const { wallet } = who;
  const desk = sdk.createTradepost({
    baseUrl: order.baseUrl,
    apiKey: order.apiKey ?? undefined,
    timeoutMs: 12_000,
    fetch: order.apiKey === null ? fetchFrom(order.ip) : undefined,
  });
  const shared = {
    reference: `call-${diary.n}`,
    patienceMs,
    signal,
    onChange: (record: Parameters<typeof diary.told>[0]) => diary.told(record),
  };
  try {
    if (from !== null) {
      const record = await desk.submitAndFollow(from.transaction, {
        ...shared,
        submitToken: from.submitToken,
      });
      return { kind: 'ended', as: wordOf(record.status) ?? 'open' };
    }
    const { record } = await desk.swapAndFollow(
      {
        userWalletAddress: wallet.address,
        amount: order.lamports.toString(),
        fromTokenAddress: SOL,
        toTokenAddress: order.mint,
        slippageBps: SLIPPAGE_BPS,
      },
      async (transaction) => {
        if (slow) await pause(SLOW_SIGNER_MS);
        return sdk.withSignature(
          transaction,
          wallet.address,
          sign(null, sdk.messageOf(transaction), wallet.key),
        );
      },
      {
        ...shared,
        idempotencyKey: `call-${diary.n}`,
        builds: 2,
        onSigned: ({ transaction, swap }) => {
          diary.signed(transaction);
          keep({ transaction, submitToken: swap.submitToken });
        },
      },
    );
    return { kind: 'ended', as: wordOf(record.status) ?? 'open' };
  } catch (error) {
    if (signal.aborted) return { kind: 'again' };
    diary.missed(String(error).slice(0, 200));
    const end = endOf(error, sdk, diary);
    if (end.kind !== 'unknown' || !diary.isOver(end.signature)) return end;
    return (await isUnknown(desk, end.signature, sdk)) ? end : { kind: 'again' };
  }
}

/** Whether the service itself says that it does not know the signature: silence says nothing. */
async function isUnknown(
  desk: ReturnType<Sdk['createTradepost']>,
  signature: string,
  sdk: Sdk,
): Promise<boolean> {
  try {
    await desk.showTransaction({ signature });
    return false;
  } catch (error) {
    return error instanceof sdk.RefusalError && error.code === 'TRANSACTION_UNKNOWN';
  }
}

function endOf(error: unknown, sdk: Sdk, diary: Diary): LifeEnd {
  if (error instanceof sdk.UnansweredError) return { kind: 'again' };
  if (error instanceof sdk.EndUnknownError) {
    if (error.last !== null) diary.told(error.last);
    if (error.last?.status === 'disputed') return { kind: 'ended', as: 'disputed' };
    return error.last === null ? { kind: 'unknown', signature: error.signature } : { kind: 'again' };
  }
  if (error instanceof sdk.RefusalError)
    return error.retryable || error.afterLostAnswer
      ? { kind: 'again' }
      : { kind: 'ended', as: 'refused', why: error.code };
  throw error;
}

/** The open host counts callers by their address. */
const fetchFrom =
  (ip: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', ip);
    return fetch(input, { ...init, headers });
  };

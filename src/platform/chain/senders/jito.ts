import { isRecord } from '../../../core/records.ts';
import { createTtlCache } from '../../../core/ttl-cache.ts';
import type { Sender } from '../../ports/sender.ts';
import { deliver } from './deliver.ts';
import { exchange } from './post-transaction.ts';

/** A block engine of Jito's kind. */
export type JitoOptions = {
  /** `https://mainnet.block-engine.jito.wtf`, without a path. */
  readonly url: string;
  /** Where it tells which tips landed, in SOL per percentile; null: the least tip is paid. */
  readonly floorUrl: string | null;
  readonly minTip: bigint;
  readonly tipAccounts: Sender['tipAccounts'];
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 5_000;
/** Tips of the last minutes do not move within this. */
const FLOOR_MS = 10_000;
/** Half of the tips that landed were less. */
const PERCENTILE = 'ema_landed_tips_50th_percentile';
const LAMPORTS = 1_000_000_000;

/**
 * Each transaction is a bundle of its own: it lands whole or not at all, and reaches no public queue. The engine does not simulate; our
 * simulation comes before it.
 */
export function createJitoSender(options: JitoOptions): Sender {
  const { url, floorUrl, minTip, tipAccounts, timeoutMs = TIMEOUT_MS } = options;
  const label = new URL(url).host;
  const base = url.replace(/\/+$/, '');
  const floors = createTtlCache<'now', bigint>({
    ttlMs: FLOOR_MS,
    capacity: 1,
    now: () => performance.now(),
  });
  return {
    name: 'jito',
    protects: true,
    versions: [0],
    minTip,
    tipAccounts,
    send: (bytes) =>
      deliver({ url: `${base}/api/v1/transactions?bundleOnly=true`, label, options: {}, timeoutMs }, bytes),
    tip: () =>
      floors.get('now', async () => {
        // The engine itself must answer; the page of tips is another service.
        await exchange(`${base}/api/v1/getTipAccounts`, { method: 'getTipAccounts', params: [] }, timeoutMs);
        const landed = floorUrl === null ? 0n : await landedTip(floorUrl, timeoutMs).catch(() => 0n);
        return landed > minTip ? landed : minTip;
      }),
  };
}

/** Throws where the page does not say it. */
async function landedTip(url: string, timeoutMs: number): Promise<bigint> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  const body: unknown = await response.json();
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const sol = isRecord(first) ? first[PERCENTILE] : undefined;
  if (typeof sol !== 'number' || !Number.isFinite(sol) || sol < 0 || sol > 1)
    throw new Error('the page of tips does not say what landed');
  return BigInt(Math.ceil(sol * LAMPORTS));
}

import { compareRates, type Rate, scaleRate } from './rate.ts';

/** The trailing stops of one mint, size class and hold, by the peak that each of them follows. */
export type Trail = {
  /** Its high is the highest held rate from the next one on, and not below `high`, where that is known from before. */
  add(id: string, trailingBps: number, high?: Rate | null): void;
  remove(id: string): void;
  /** Whether every rate between the two is below all highs and above all thresholds: then none needs to be known. */
  isStill(least: Rate, most: Rate): boolean;
  /** A held rate: the highs below it rise to it. */
  raise(held: Rate): void;
  /** Those at or below high × (1 − trailingBps / 10,000). Looks at one threshold when there are none. */
  fallen(rate: Rate): readonly string[];
  highOf(id: string): Rate | null;
};

type Member = { readonly id: string; readonly trailingBps: number };
type Peak = { readonly rate: Rate; readonly members: Member[] };

/**
 * A stack of peaks, the highest first: a new high takes over all that lie below it, so that each order is moved at most once per
 * rise of its own high. Members are sorted by distance, so that one head says whether any of a peak has fallen.
 */
export function createTrail(): Trail {
  const peaks: Peak[] = [];
  const fresh: Member[] = [];
  let nearest: Rate | null | undefined;

  const merge = (rate: Rate, members: readonly Member[]): void => {
    const moved = [...members];
    while (true) {
      const lowest = peaks.at(-1);
      if (lowest === undefined || compareRates(lowest.rate, rate) > 0) break;
      moved.push(...lowest.members);
      peaks.pop();
    }
    if (moved.length > 0) peaks.push({ rate, members: moved.toSorted(byDistance) });
    nearest = undefined;
  };

  const nearestThreshold = (): Rate | null => {
    if (nearest === undefined) nearest = highestThreshold(peaks);
    return nearest;
  };

  return {
    add(id, trailingBps, high = null) {
      if (high === null) fresh.push({ id, trailingBps });
      else insertPeak(peaks, high, { id, trailingBps });
      nearest = undefined;
    },
    remove(id) {
      for (const members of [fresh, ...peaks.map((peak) => peak.members)]) {
        const index = members.findIndex((member) => member.id === id);
        if (index >= 0) members.splice(index, 1);
      }
      nearest = undefined;
    },
    isStill(least, most) {
      const lowest = peaks.at(-1);
      if (fresh.length > 0 || lowest === undefined || compareRates(most, lowest.rate) > 0) return false;
      const threshold = nearestThreshold();
      return threshold === null || compareRates(least, threshold) > 0;
    },
    raise(held) {
      const lowest = peaks.at(-1);
      if (fresh.length === 0 && (lowest === undefined || compareRates(lowest.rate, held) >= 0)) return;
      merge(held, fresh.splice(0));
    },
    fallen(rate) {
      const threshold = nearestThreshold();
      if (threshold === null || compareRates(rate, threshold) > 0) return [];
      return peaks.flatMap((peak) => membersFallen(peak, rate));
    },
    highOf: (id) => peaks.find(({ members }) => members.some((member) => member.id === id))?.rate ?? null,
  };
}

/** high × (1 − trailingBps / 10,000), exact. */
export function thresholdOf(high: Rate, trailingBps: number): Rate {
  return scaleRate(high, BigInt(10_000 - trailingBps), 10_000n);
}

/** Members are sorted by distance: the first of a peak has its highest threshold. */
function highestThreshold(peaks: readonly Peak[]): Rate | null {
  let highest: Rate | null = null;
  for (const { rate, members } of peaks) {
    const head = members[0];
    if (head === undefined) continue;
    const threshold = thresholdOf(rate, head.trailingBps);
    if (highest === null || compareRates(threshold, highest) > 0) highest = threshold;
  }
  return highest;
}

function membersFallen({ rate: high, members }: Peak, rate: Rate): readonly string[] {
  const found: string[] = [];
  for (const { id, trailingBps } of members) {
    if (compareRates(rate, thresholdOf(high, trailingBps)) > 0) break;
    found.push(id);
  }
  return found;
}

function insertPeak(peaks: Peak[], rate: Rate, member: Member): void {
  const index = peaks.findIndex((peak) => compareRates(peak.rate, rate) <= 0);
  const found = index < 0 ? undefined : peaks[index];
  if (found !== undefined && compareRates(found.rate, rate) === 0) {
    found.members.push(member);
    found.members.sort(byDistance);
    return;
  }
  peaks.splice(index < 0 ? peaks.length : index, 0, { rate, members: [member] });
}

function byDistance(a: Member, b: Member): number {
  return a.trailingBps - b.trailingBps;
}

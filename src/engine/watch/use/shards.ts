/** Enough that each of a handful of workers gets about its part. */
const SHARDS = 64;

/** The shard of an intent: the same in every process, for ever. */
export function shardOf(intentId: string): number {
  return hash(intentId) % SHARDS;
}

/**
 * The one of `owners` that watches a shard: the one with the highest hash of both names. Every process that knows the same owners computes
 * the same answer without asking. When an owner goes, only its own shards move. Null without owners.
 */
export function ownerOf(shard: number, owners: readonly string[]): string | null {
  let best: string | null = null;
  let highest = -1;
  for (const owner of owners) {
    const weight = hash(`${owner}/${shard}`);
    if (weight > highest || (weight === highest && best !== null && owner < best)) {
      best = owner;
      highest = weight;
    }
  }
  return best;
}

/** FNV-1a over UTF-16 units, stirred at the end: names that differ in their last letter only must not lie side by side. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

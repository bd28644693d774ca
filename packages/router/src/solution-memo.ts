import { idAt } from './array-access.ts';
import type { DualSolution } from './dual-problem.ts';

type Entry = { readonly edges: Int32Array; readonly solution: DualSolution };

/**
 * Solutions by their set of edges, for problems that differ in nothing else: while pools are exchanged and dropped the same few come
 * together again from many sides, and half of all solves would only repeat one.
 */
export type SolutionMemo = Map<number, Entry>;

/**
 * The solution of the first `count` edges, in any order. Of a solve that was given up there is only a bound: it answers while
 * `least` is above it.
 */
export function recall(
  memo: SolutionMemo,
  edges: Int32Array,
  count: number,
  least: number,
): DualSolution | null {
  const entry = memo.get(hashOf(edges, count));
  if (entry === undefined || !isSame(entry.edges, edges, count)) return null;
  const { solution } = entry;
  return solution.flows.length > 0 || solution.value < least ? solution : null;
}

/** Of two sets with the same hash the later stays: the other would only be solved again. */
export function remember(
  memo: SolutionMemo,
  edges: Int32Array,
  count: number,
  solution: DualSolution,
): DualSolution {
  memo.set(hashOf(edges, count), { edges: edges.slice(0, count), solution });
  return solution;
}

/** The same in any order: a sum, of well mixed numbers so that sums rarely meet. */
function hashOf(edges: Int32Array, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) {
    const edge = idAt(edges, index) + 1;
    sum = (sum + Math.imul(edge ^ (edge >>> 7), 0x9e3779b1)) | 0;
  }
  return sum;
}

/** Edges come once in a set, so equally many that all occur are the same. */
function isSame(known: Int32Array, edges: Int32Array, count: number): boolean {
  if (known.length !== count) return false;
  for (let index = 0; index < count; index++) {
    if (!known.includes(idAt(edges, index))) return false;
  }
  return true;
}
